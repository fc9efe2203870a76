"""What came near is logged, and a crawl that is resumed knows it."""

from __future__ import annotations

from pathlib import Path

from sundog.engines.live.journal import Journal
from sundog.model import Decision, Fetched, Link
from sundog.spec import CrawlSpec
from sundog.store import CrawlStore, NearMiss, PageRecord

SPEC = CrawlSpec(seeds=("http://a.example/",), objective="jsonld>=20", budget=100)


def advance(journal: Journal, steps: int) -> list[str]:
    chosen = []
    for now in range(steps):
        decision = journal.next_decision(now)
        assert isinstance(decision, Decision)
        chosen.append(decision.url)
        near = 0.6 if decision.host == "c.example" else 0.0
        journal.observe(decision, Fetched(0.0, near=near), now, PageRecord())
    return chosen


def test_a_resumed_crawl_chooses_as_if_it_had_not_stopped(tmp_path: Path) -> None:
    pages = [Link(f"http://{host}.example/{i}") for i in range(20) for host in "abcd"]
    with CrawlStore.create(tmp_path / "crawl", "") as store:
        journal = Journal.begin(SPEC, store)
        journal.add(pages)
        first = advance(journal, 12)
        store.commit()
        rest = advance(journal, 12)
        store.commit()
    whole = (tmp_path / "crawl").rename(tmp_path / "whole")
    with CrawlStore.open(whole) as store:
        events = list(store.replay())
        hits = [event for event in events if isinstance(event, NearMiss)]
        assert [event.near for event in hits] == [0.6] * sum("//c." in url for url in first + rest)
        assert hits
    with CrawlStore.create(tmp_path / "crawl", "") as store:
        journal = Journal.begin(SPEC, store)
        journal.add(pages)
        assert advance(journal, 12) == first
    with CrawlStore.open(tmp_path / "crawl") as store:
        journal, in_flight = Journal.resume(SPEC, store, lambda *_: None)
        assert not in_flight
        assert advance(journal, 12) == rest
