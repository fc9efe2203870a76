"""A first use of an installed Sundog, by any Python: the command line, a live crawl, its results, a simulation.

``python scripts/other_pythons.py`` runs it in an empty directory. It needs the package and nothing of the
repository, no network but loopback, and prints what it found.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from sundog import CrawlSession, Decision, Fetched, Link, simulate
from sundog.demo_web import serving

PAGES, BUDGET = 300, 80
QUERY = "SELECT (COUNT(*) AS ?n) { GRAPH ?page { ?x a schema:Recipe } }"


def sundog(*words: str) -> str:
    command = [str(Path(sys.executable).with_name("sundog")), *words]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    assert done.returncode == 0, f"{' '.join(command)} ended with {done.returncode}"
    return done.stdout


def crawl() -> int:
    """Recipes of the demo web, with readers in processes of their own; then all that a crawl is good for."""
    with serving(hosts=8, pages=PAGES) as web:
        where = ["--connect-to", web.connect_to, "--delay", "0", "--out", "recipes", "--json"]
        wanted = ["--for", "type:schema:Recipe", "--budget", str(BUDGET)]
        summary = json.loads(sundog("crawl", *web.seeds, *wanted, *where))
    assert summary["fetched"] == BUDGET, summary
    assert summary["relevant"] > 0, summary
    assert sundog("export", "recipes", "--format", "jsonl").count("\n") > 0
    assert sundog("query", "recipes", QUERY, "--format", "csv").split()[-1] != "0"
    assert Path("recipes/report.html").stat().st_size > 0
    return int(summary["relevant"])


def simulated() -> int:
    """On a small world: the first two of four lists lead to what is wanted."""
    lists = {1 + number: range(10 * number + 5, 10 * number + 15) for number in range(4)}
    links: dict[int, Iterable[int]] = {0: lists, **lists}
    urls = {0: "", **{number: f"l{number}/" for number in lists}}
    urls |= {page: f"l{number}/{page}" for number, pages in lists.items() for page in pages}
    files = {
        "index": [f"{page}\thttp://a.example/{path}" for page, path in urls.items()],
        "network": ["\t".join(map(str, (page, *targets))) for page, targets in links.items()],
        "labels": [str(page) for number in (1, 2) for page in lists[number]],
    }
    Path("web").mkdir()
    for name, lines in files.items():
        Path("web", f"{name}.tsv").write_text("\n".join(lines))
    run = simulate("web", "sundog", budget=30)
    assert run.fetched == 30
    assert run.relevant > 10
    return run.relevant


def session() -> int:
    session = CrawlSession(budget=3)
    session.add(["http://a.example/"])
    while isinstance(decision := session.next_decision(), Decision):
        session.observe(decision, Fetched(1.0, [Link(f"{decision.url}{n}") for n in range(3)]))
    assert session.fetched == 3
    return session.fetched


if __name__ == "__main__":
    assert sundog("policies")
    print(f"Python {sys.version.split()[0]}: {crawl()} recipes, {simulated()} simulated, {session()} by a session")
