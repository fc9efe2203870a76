"""Guides that change the sources hold when they are followed literally, in a copy of the package."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import orjson
import pytest

from sundog.model import LinkBatch
from sundog.store import CrawlStore, Decided, Observed, PageRecord, Seeded
from tests.test_docs import FENCE, ROOT

# What each guide touches: its own files, and at most two besides.
GUIDES = {
    "add-a-policy": [
        "policies/hosts/presets.py",
        "policies/hosts/strategies/mean_best.py",
        "policies/hosts/strategies/__init__.py",
    ],
    "add-an-objective": ["objectives/language.py", "objectives/registry.py"],
    "add-an-extractor": ["extract/highwire.py", "syntaxes.py", "extract/registry.py"],
    "add-an-export-format": ["store/formats/urls.py", "store/formats/__init__.py"],
    "add-a-world": [
        "worlds/jsonl.py",
        "worlds/load.py",
        "spec/citations.py",
        "spec/crawl.py",
        "engines/live/worlds/citations.py",
        "engines/live/worlds/registry.py",
    ],
}
# The file that the text before a block of code names last.
NAMED_FILE = re.compile(r"`(src/sundog/[\w/]+\.py)`:\s*$")


def text_of(guide: str) -> str:
    return (ROOT / "docs" / f"{guide}.md").read_text(encoding="utf-8")


def follow(guide: str, copy: Path) -> list[str]:
    """Write the files and apply the changes that a guide shows; returns which, in their order."""
    text, touched = text_of(guide), dict[str, None]()
    file, end = "", 0
    for block in FENCE.finditer(text):
        named = NAMED_FILE.search(text[end : block.start()])
        between, end = text[end : block.start()].strip(), block.end()
        if named:
            file = named[1]
        elif between or block[1] != "diff":
            continue
        path = copy / file
        if block[1] == "diff":
            path.write_text(changed(path.read_text(encoding="utf-8"), block[2]), encoding="utf-8")
        elif block[1] == "python":
            assert not path.exists()
            path.write_text(block[2], encoding="utf-8")
        touched[file.removeprefix("src/sundog/")] = None
    return list(touched)


def changed(text: str, diff: str) -> str:
    """What the diff shows must be there once, to the letter."""
    lines = diff.splitlines(keepends=True)
    before = "".join(line[1:] for line in lines if not line.startswith("+"))
    after = "".join(line[1:] for line in lines if not line.startswith("-"))
    assert text.count(before) == 1, f"not to be found once:\n{before}"
    return text.replace(before, after)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package after all guides: each change of a kernel would compile all of them again."""
    directory = tmp_path_factory.mktemp("clone")
    shutil.copytree(ROOT / "src", directory / "src", ignore=shutil.ignore_patterns("__pycache__"))
    for guide, files in GUIDES.items():
        assert follow(guide, directory) == files
    return directory


def run(copy: Path, *words: str) -> str:
    """Python in the copy: what it printed."""
    environment = {**os.environ, "PYTHONPATH": str(copy / "src"), "XDG_CACHE_HOME": str(copy / "cache")}
    environment.pop("NUMBA_CACHE_DIR", None)
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, cwd=copy, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def sundog(copy: Path, *words: str) -> str:
    return run(copy, "-m", "sundog", *words)


def make_world(copy: Path, *words: str) -> None:
    """As the guide says, but by the package itself: no guide changes that, and its kernels are compiled."""
    assert words[0] == "synth"
    subprocess.run([sys.executable, "-m", "sundog", *words], cwd=copy, check=True, capture_output=True)


def commands_of(guide: str) -> list[list[str]]:
    """The words of the commands that a guide shows, without the first."""
    blocks = [block[2] for block in FENCE.finditer(text_of(guide)) if block[1] == "sh"]
    return [line.split()[1:] for block in blocks for line in block.splitlines() if line.startswith("sundog ")]


def first_words(output: str) -> set[str]:
    return {line.split()[0] for line in output.splitlines()}


def test_a_policy_is_added(copy: Path) -> None:
    assert {"success-ftrl", "mean-best"} <= first_words(sundog(copy, "policies"))
    synth, simulate = commands_of("add-a-policy")
    make_world(copy, *synth)
    assert "mean-best" in sundog(copy, *simulate)
    assert "success-ftrl" in sundog(copy, "simulate", "web", "--policy", "success-ftrl", "--budget", "100")


JUDGE = """
from sundog.objectives import PageView, parse_objective
judge = parse_objective("language:fr and not jsonld").judge()
print(*(judge(PageView("http://a.example/", {}, [], {}, "", language)).reward for language in ("fr-CA", "en")))
"""


def test_an_objective_is_added(copy: Path) -> None:
    ((command,),) = commands_of("add-an-objective")
    assert "language:CODE" in first_words(sundog(copy, command))
    assert run(copy, "-c", JUDGE).split() == ["1.0", "0.0"]


def test_an_extractor_is_added(copy: Path) -> None:
    (copy / "article.html").write_text('<meta name="citation_title" content="On graphs"><p>…', encoding="utf-8")
    (command,) = commands_of("add-an-extractor")
    assert '#citation_title> "On graphs" <https://journal.example/1> .' in sundog(copy, *command)
    assert "highwire" in sundog(copy, "objectives")


def test_an_export_format_is_added(copy: Path) -> None:
    none = np.zeros(0, np.int32)
    with CrawlStore.create(copy / "recipes", spec_text="budget = 10\n") as store:
        store.append(Seeded(np.zeros(1, np.int32)), urls=["http://a.example/"])
        store.append(Decided(0, 100.0, 0.7, 0.7, 0.5, 0.2, 0.0, 0.0, 1.0))
        links, record = LinkBatch(none, none, none), PageRecord(status=200)
        store.append(Observed(candidate=0, now=101.0, kind="fetched", reward=1.0, links=links, record=record))
        store.commit()
    (command,) = commands_of("add-an-export-format")
    written = copy / sundog(copy, *command).strip()
    assert written.read_text(encoding="utf-8") == "http://a.example/\n"


def test_a_format_of_worlds_is_added(copy: Path) -> None:
    first, second, unknown = (f"http://a.example/{name}" for name in ("", "1", "2"))
    pages = [
        {"url": first, "relevant": False, "links": [second, unknown]},
        {"url": second, "relevant": True, "links": []},
    ]
    (copy / "pages.jsonl").write_bytes(b"\n".join(map(orjson.dumps, pages)))
    (command,) = commands_of("add-a-world")
    assert sundog(copy, *command).splitlines()[-1].split()[:4] == ["bfs", "0", "2", "1"]


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *arguments: object) -> None:
        pass


@contextmanager
def files_served(folder: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_live_world_is_added(copy: Path) -> None:
    works = copy / "catalogue" / "works"
    works.mkdir(parents=True)
    for number in range(1, 5):
        answer = {"title": f"Graph {number}", "references": [str(number + 1), 2 * number]}
        (works / f"{number}.json").write_bytes(orjson.dumps(answer))
    (spec,) = [block[2] for block in FENCE.finditer(text_of("add-a-world")) if block[1] == "toml"]
    (copy / "works.toml").write_text(spec, encoding="utf-8")
    quick = ("--policy", "bfs", "--delay", "0")  # fewest kernels to compile
    with files_served(copy / "catalogue") as address:
        sundog(copy, "crawl", "works.toml", *quick, "--connect-to", address, "--out", "found")
    summary = orjson.loads((copy / "found" / "summary.json").read_bytes())
    assert (summary["relevant"], summary["stopped"]) == (4, "frontier empty")
    assert "citations" in first_words(sundog(copy, "worlds"))
