"""The demo's web crawled by the command: labels are true, manners are good."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
from examples.demo import print_comparison

from sundog.demo_web import Served, serving
from tests.cli.commands import Command

OBJECTIVE = "type:schema:Recipe or type:schema:Event"
BUDGET = 200


@pytest.fixture
def crawled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Served:
    with serving(1, 20, 3_000, log=tmp_path / "requests.log") as served:
        command = Command(monkeypatch, capsys)
        where = ("--connect-to", served.connect_to, "--delay", 0, "--out", tmp_path / "crawl", "--json")
        quick = ("--set", "following.retries=0")  # what fails here fails for ever
        done = command("crawl", *served.seeds, "--for", OBJECTIVE, "--budget", BUDGET, *where, *quick)
    assert done.code == 0
    assert json.loads(done.out)["fetched"] == BUDGET
    return served


def test_labels_and_manners(crawled: Served, tmp_path: Path) -> None:
    relevant, facts = crawled.truth.relevant(OBJECTIVE), crawled.truth.facts
    with closing(sqlite3.connect(tmp_path / "crawl" / "crawl.db")) as database:
        rows = database.execute("SELECT url, relevant FROM pages WHERE status = 200").fetchall()
    found = {crawled.web.proper_url(url) for url, is_relevant in rows if is_relevant}
    asked = {url for url, _ in rows if url in facts}
    assert len(found) > BUDGET / 10
    assert found <= relevant
    assert asked & relevant <= found
    requests = crawled.requests()
    assert not [asked for asked in requests if crawled.web.forbids(asked.host, asked.target)]
    for site in crawled.web.sites:
        times = [asked.at for asked in requests if asked.host == site.plan.host]
        gaps = [after - before for before, after in pairwise(times)]
        assert not gaps or min(gaps) >= 0.9 * site.plan.corners.crawl_delay


def test_the_comparison(capsys: pytest.CaptureFixture[str]) -> None:
    run = {"fetched": 2_000, "statements": 5_000, "hosts": 9, "seconds": 10.0}
    print_comparison([run | {"policy": "bfs", "relevant": 200}, run | {"policy": "sundog", "relevant": 900}])
    shown = capsys.readouterr().out
    assert "sundog     2,000        900     0.450        5,000       9       200      10.0" in shown
    assert "4.5 times the relevant pages of bfs" in shown
