"""Counts of a crawl, and ``live.json`` for those who watch it from another process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from sundog.engines.live.pages.intake import observation_of_refusal, observation_of_trouble
from sundog.engines.live.progress import LiveFile, Snapshot, Tally, host_queues
from sundog.engines.live.run import crawl
from sundog.engines.live.worlds.world import Observation
from sundog.fetch.values import trouble
from sundog.model import Decision, Fetched
from sundog.processes.detached import process_started
from sundog.session import CrawlSession
from sundog.store import PageRecord
from tests.engines.live.webs import HOME, SmallWeb, spec_for


def test_a_tally() -> None:
    it = Tally()
    it.add("a", Observation(Fetched(1.0, []), PageRecord(counts={"jsonld": 3}, size=10), types=("T",)), 1.0)
    it.add("a", Observation(Fetched(0.0, []), PageRecord(size=5)), 2.0)
    it.add("b", observation_of_trouble(trouble("dns")), 3.0)
    it.add("c", observation_of_refusal("robots: forbidden"), 4.0)
    seen = it.snapshot(CrawlSession(policy="bfs", budget=9), 5.0, elapsed=5.0, stage="", warning="")
    assert (it.statements, it.bytes, it.refused) == (3, 15, 1)
    assert [tuple(line) for line in seen.hosts] == [("a", 1, 1), ("b", 0, 1)]
    assert (seen.types, seen.troubles) == ([("T", 1)], [("dns", 1)])
    assert (seen.recent_fetched, seen.recent_relevant) == (3, 1)
    assert seen.pages_per_second == 0.5


def test_a_crawl_leaves_its_last_word(tmp_path: Path) -> None:
    with SmallWeb() as web:
        web.page(HOME, "/a")
        crawl(spec_for(web, budget=2), tmp_path / "crawl")
    written = json.loads((tmp_path / "crawl" / "live.json").read_bytes())
    assert (written["pid"], written["started"]) == (os.getpid(), process_started(os.getpid()))
    assert written["queues"][0][0] == "a.example"
    assert not list((tmp_path / "crawl").glob(".live*"))


def test_it_is_written_once_a_second(tmp_path: Path) -> None:
    now = 10.0
    file = LiveFile(tmp_path, clock=lambda: now)
    session = CrawlSession(budget=3)
    for now, fetched in ((10.0, 1), (10.9, 2), (11.1, 3)):
        file.update(Snapshot(3, fetched=fetched), session)
        assert json.loads((tmp_path / "live.json").read_bytes())["fetched"] == (1 if now < 11 else 3)


def test_where_it_cannot_be_written_the_crawl_goes_on(tmp_path: Path) -> None:
    LiveFile(tmp_path / "nowhere").update(Snapshot(1), CrawlSession(budget=1))


def test_queues_of_hosts_and_until_when_they_sleep() -> None:
    session = CrawlSession(budget=9)
    session.add(["http://a.example/1", "http://a.example/2", "http://b.example/"])
    decision = session.next_decision()
    assert isinstance(decision, Decision)
    session.rest(decision.host_id, 5.0)
    other = session.next_decision()
    assert isinstance(other, Decision)
    session.rest(other.host_id, float("inf"))
    queues = {host: (queued, until) for host, queued, until in host_queues(session)}
    assert queues.keys() == {"a.example", "b.example"}
    assert {until for _, until in queues.values()} == {5.0, -1.0}
    assert sum(queued for queued, _ in queues.values()) == 1


def test_a_process_is_known_by_its_start() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        started = process_started(process.pid)
        assert started
        assert started == process_started(process.pid)
        process.kill()
        while process_started(process.pid):  # a zombie does not run
            pass
    assert process_started(process.pid) == ""
