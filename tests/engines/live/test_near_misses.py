"""What came near is logged, and a crawl that is resumed knows it."""

from __future__ import annotations

from pathlib import Path

from sundog.engines.live.journal import Journal
from sundog.model import Decision, Fetched, Link
from sundog.results.merge import merge
from sundog.spec import CrawlSpec
from sundog.spec.crawl import spec_text
from sundog.store import CrawlStore, NearMiss, PageRecord
from sundog.store.directory import SPEC as SPEC_FILE
from sundog.store.shards import Layout, shard_directory, write_layout

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


def near_misses(directory: Path) -> list[NearMiss]:
    with CrawlStore.open(directory) as store:
        return [event for event in store.replay() if isinstance(event, NearMiss)]


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
    hits = near_misses(whole)
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


def test_a_merged_crawl_knows_it(tmp_path: Path) -> None:
    (tmp_path / SPEC_FILE).write_text(spec_text(SPEC), encoding="utf-8")
    write_layout(tmp_path, Layout(1))
    with CrawlStore.create(shard_directory(tmp_path, 0), spec_text(SPEC)) as store:
        journal = Journal.begin(SPEC, store)
        journal.add([Link(f"http://{host}.example/") for host in "abcd"])
        advance(journal, 4)
    assert near_misses(merge(tmp_path, tmp_path / "one")) == near_misses(shard_directory(tmp_path, 0)) != []
