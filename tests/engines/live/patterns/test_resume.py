"""A crawl by patterns that was killed makes the same result as one that was not."""

from __future__ import annotations

import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest

from sundog.engines.live.run import crawl, resume
from sundog.spec import spec_text
from sundog.spec.crawl import parse_spec
from sundog.store import open_readonly
from tests.engines.live.patterns.test_live_patterns import FANS, social
from tests.engines.live.processes import PATIENCE, ended, start
from tests.engines.live.webs import HOME, SmallWeb, spec_for, stop_after

SIZE = 60
CHAIN = """
[[patterns.data]]
name = "page"
fields.name = { find = "//title", required = true }
fields.depth = { find = "crawl:depth()", type = "number" }
fields.order = { find = "crawl:order()", type = "number" }
fields.before = { find = "crawl:count('page')", type = "number" }
fields.parents = { find = "crawl:parents()/@url", type = "list of text" }
fields.named = { find = "crawl:matched('even')/@id", type = "list of number" }
fields.path = { find = "crawl:path('even')[1]/item/text", type = "text" }
[[patterns.data]]
name = "even"
find = "//title[contains(., '0') or contains(., '4')]"
[[patterns.data]]
name = "after-even"
find = "//title"
linked_from = "even"
[[patterns.link]]
name = "on"
find = "//a[not(contains(@href, 'hub'))]"
[[patterns.link]]
name = "hub"
find = "//a[contains(@href, 'hub')]"
revisit = "every 7"
priority = 1
[[patterns.stop]]
name = "enough"
items = 150
[patterns.result]
engine = "xquery"
find = '''<result pages="{ count(//page) }">{ for $item in //item
  return <item page="{ $item/@page }" by="{ $item/@pattern }" via="{ //page[link/@to = $item/@page]/@id }">{
    $item/* }</item> }</result>'''
"""


def chain(web: SmallWeb) -> None:
    """Each page leads to some others and to one that all know."""
    web.page(HOME, "/p1", "/p2", "/hub")
    web.page(f"{HOME}hub", "/p3")
    for number in range(1, SIZE):
        targets = [f"/p{(number * factor + 1) % SIZE}" for factor in (2, 3)]
        web.page(f"{HOME}p{number}", *targets, "/hub")


@pytest.mark.parametrize("text", [CHAIN, FANS], ids=["chain", "fans"])
def test_stopped_after_some_pages(
    web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    (chain if text is CHAIN else social)(web)
    patterns = parse_spec(f'seeds = ["{HOME}"]\n{text}').patterns
    spec = spec_for(web, patterns=patterns, objective="patterns")
    whole = crawl(spec, tmp_path / "whole")
    for count in (1, 7):
        stopped = tmp_path / f"stopped-after-{count}"
        with monkeypatch.context() as patch:
            stop_after(patch, count)
            crawl(spec, stopped)
        again = resume(stopped)
        assert again["patterns"] == whole["patterns"]
        assert (stopped / again["result"]).read_bytes() == (tmp_path / "whole" / whole["result"]).read_bytes()


def test_killed(web: SmallWeb, tmp_path: Path) -> None:
    """SIGKILL, at moments that nobody has chosen."""
    chain(web)
    spec = spec_for(web, patterns=parse_spec(f'seeds = ["{HOME}"]\n{CHAIN}').patterns, objective="patterns")
    whole = crawl(spec, tmp_path / "whole")
    (tmp_path / "spec.toml").write_text(spec_text(spec))
    directory = tmp_path / "killed"
    words: tuple[object, ...] = ("crawl", "--json", f"--out={directory}", tmp_path / "spec.toml")
    kills, spent = 0, 0.0
    for pages in (5, 40):
        with start(*words) as process:
            _wait_for(directory, pages, process)
            process.kill()
            process.communicate(timeout=PATIENCE)
        kills += process.returncode == -9
        words = ("resume", directory, "--json")
        before, spent = spent, _seconds(directory)
        assert spent > before, "the time of a part that was killed counts"
    assert kills >= 1
    summary = ended(start(*words))
    assert summary["seconds"] > spent
    assert summary["patterns"] == whole["patterns"]
    assert (directory / "result.xml").read_bytes() == (tmp_path / "whole" / "result.xml").read_bytes()


def _seconds(directory: Path) -> float:
    with open_readonly(directory) as reader:
        seconds: float = reader.state("spent")["seconds"]
        return seconds


def _wait_for(directory: Path, pages: int, process: subprocess.Popen[str]) -> None:
    """Until so many pages are committed."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and process.poll() is None:
        try:
            with closing(sqlite3.connect(f"file:{directory / 'crawl.db'}?mode=ro", uri=True)) as database:
                if database.execute("SELECT count(*) FROM outcomes").fetchone()[0] >= pages:
                    return
        except sqlite3.Error:
            pass
        time.sleep(0.005)
