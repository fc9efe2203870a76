"""``live.json``: what a crawl tells those who watch it from another process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from sundog.engines.live.progress import LiveFile, Snapshot, host_queues
from sundog.engines.live.run import crawl
from sundog.model import Decision
from sundog.processes.detached import process_started
from sundog.session import CrawlSession
from tests.engines.live.webs import HOME, SmallWeb, spec_for


def test_a_crawl_leaves_its_last_word(tmp_path: Path) -> None:
    with SmallWeb() as web:
        web.page(HOME, "/a")
        crawl(spec_for(web, budget=2), tmp_path / "crawl")
    told = json.loads((tmp_path / "crawl" / "live.json").read_bytes())
    assert (told["pid"], told["started"]) == (os.getpid(), process_started(os.getpid()))
    assert told["queues"][0][0] == "a.example"
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
