"""The demo: a web of 60 hosts on this machine, crawled live by two policies, and compared.

Run it with ``make demo``; it takes a minute or so and leaves everything in ``demo/``. Nothing leaves this
machine: one server on a loopback port answers for all hosts, which is why no delay is kept between requests.
On the Web the delay is a second per host, unless its robots.txt demands more; the robots.txt files of this web are
obeyed here, too.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from sundog.demo_web import Served, Web, serving
from sundog.demo_web.server import LoggedRequest

ROOT = Path(__file__).resolve().parent.parent
DEMO = ROOT / "demo"
QUERY = ROOT / "examples" / "quick_recipes.rq"
SUNDOG = Path(sys.executable).parent / "sundog"
OBJECTIVE = "type:schema:Recipe or type:schema:Event"
BUDGET = 2_000
POLICIES = ("bfs", "sundog")
COLUMNS = ("policy", "fetched", "relevant", "harvest", "statements", "hosts", "pages/s", "seconds")


def sundog(*words: str, capture: bool = False) -> str:
    """Run the command as a user would, and show it. Progress goes to the terminal in any case."""
    shown = [f"'{word}'" if " " in word else word for word in words]
    print("\n$ sundog", *shown, flush=True)
    output = subprocess.PIPE if capture else None
    done = subprocess.run([str(SUNDOG), *words], cwd=ROOT, stdout=output, text=True)
    if done.returncode:
        sys.exit(done.returncode)  # it has printed why
    return done.stdout or ""


def crawl(served: Served, policy: str) -> dict[str, Any]:
    directory = f"demo/{policy}"
    shutil.rmtree(ROOT / directory, ignore_errors=True)
    options = ["--for", OBJECTIVE, "--budget", str(BUDGET), "--policy", policy, "--delay", "0", "--out", directory]
    summary = sundog("crawl", *served.seeds, *options, "--connect-to", served.connect_to, "--json", capture=True)
    return {"policy": policy, **json.loads(summary)}


def print_comparison(runs: list[dict[str, Any]]) -> None:
    rows = [COLUMNS, *(_row(run) for run in runs)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(COLUMNS))]
    print()
    for row in rows:
        print("   ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)))
    first, last = (run["relevant"] for run in (runs[0], runs[-1]))
    times = f"{last / first:.1f} times" if first else "all of"
    print(f"\nWith the same budget, {runs[-1]['policy']} found {times} the relevant pages of {runs[0]['policy']}.")


def _row(run: dict[str, Any]) -> tuple[str, ...]:
    return (
        run["policy"],
        f"{run['fetched']:,}",
        f"{run['relevant']:,}",
        f"{run['relevant'] / run['fetched']:.3f}",
        f"{run['statements']:,}",
        str(run["hosts"]),
        f"{run['fetched'] / run['seconds']:.0f}",
        f"{run['seconds']:.1f}",
    )


def print_manners(web: Web, requests: list[LoggedRequest]) -> None:
    """Both crawls by the server's own log."""
    forbidden = sum(web.forbids(request.host, request.target) for request in requests)
    print(f"The server's log: {len(requests):,} requests, {forbidden} of them for what robots.txt forbids.")


def main() -> None:
    DEMO.mkdir(exist_ok=True)
    log = DEMO / "requests.log"
    with serving(log=log) as served:
        pages = sum(1 for _ in served.web.pages())
        print(f"A web of {served.web.hosts} hosts and {pages:,} pages, all at {served.connect_to}.")
        runs = [crawl(served, policy) for policy in POLICIES]
    print_comparison(runs)
    print_manners(served.web, served.requests())
    sundog("query", "demo/sundog", str(QUERY.relative_to(ROOT)))
    sundog("report", "demo/sundog", "--out", "demo/report.html")
    print(f"\nOpen {DEMO / 'report.html'} in a browser. More to try:")
    print("  sundog export demo/sundog --format jsonl")
    print(f"  sundog explain demo/sundog {served.seeds[1]}")


if __name__ == "__main__":
    main()
