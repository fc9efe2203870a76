"""A budget in bytes: what fetches cost is logged, and a crawl that is resumed knows it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sundog.engines.live.journal import REQUEST_BYTES, Journal
from sundog.errors import SundogError
from sundog.model import Decision, Failed, Fetched, Link, Outcome
from sundog.spec import CrawlSpec
from sundog.store import Charged, CrawlStore, PageRecord, RenderChoice

SPEC = CrawlSpec(seeds=("http://a.example/",), bytes=10**9)
PAGES = [Link(f"http://a.example/{kind}/{number}") for number in range(30) for kind in ("long", "short", "gone")]


def advance(journal: Journal, steps: int) -> list[str]:
    """Long and short pages are relevant alike; others are not there."""
    chosen = []
    for now in range(steps):
        decision = journal.next_decision(now)
        assert isinstance(decision, Decision)
        chosen.append(decision.url)
        is_gone = "/gone/" in decision.url
        outcome: Outcome = Failed("http 404") if is_gone else Fetched(1.0)
        record = PageRecord(size=None if is_gone else 900_000 if "/long/" in decision.url else 9_000, seconds=0.25)
        journal.observe(decision, outcome, now, record)
    return chosen


def costs(directory: Path) -> list[float]:
    with CrawlStore.open(directory) as store:
        return [event.cost for event in store.replay() if isinstance(event, Charged)]


def begun(directory: Path, spec: CrawlSpec) -> tuple[CrawlStore, Journal]:
    store = CrawlStore.create(directory, "")
    journal = Journal.begin(spec, store)
    journal.add(PAGES)
    return store, journal


@pytest.mark.parametrize(
    ("limit", "failure", "cost"),
    [
        ("bytes", "", 9_000 + 70_000 + 4 * REQUEST_BYTES),
        ("bytes", "the page crashed", 9_000 + 70_000 + 4 * REQUEST_BYTES),
        ("seconds", "", 2.5),
        ("seconds", "the page crashed", 4.5),
    ],
)
def test_what_a_browser_asked_for_counts(tmp_path: Path, limit: str, failure: str, cost: float) -> None:
    """A rendered page took as long as its record says, one that could not be rendered took longer."""
    store, journal = begun(tmp_path / "crawl", replace(SPEC, **{"bytes": None, limit: 10**9}))
    with store:
        decision = journal.next_decision(0.0)
        assert isinstance(decision, Decision)
        choice = RenderChoice(
            decision.candidate, 0.0, "render", "", seconds=2.0, requests=3, size=70_000, failure=failure
        )
        journal.observe(decision, Fetched(1.0), 1.0, PageRecord(size=9_000, seconds=2.5), render=choice)
    assert costs(tmp_path / "crawl") == [cost]


def test_of_pages_that_are_worth_the_same_the_cheap_ones_come_first(tmp_path: Path) -> None:
    store, journal = begun(tmp_path / "crawl", SPEC)
    with store:
        chosen = advance(journal, 36)
    late = chosen[6:]
    assert sum("/short/" in url for url in late) > 0.8 * len(late)
    sizes = {cost - REQUEST_BYTES for cost in costs(tmp_path / "crawl")}
    assert sizes >= {900_000.0, 9_000.0}
    store, journal = begun(tmp_path / "fetches", replace(SPEC, bytes=None, budget=1000))
    with store:
        late = advance(journal, 36)[6:]
    assert sum("/short/" in url for url in late) <= 0.6 * len(late)
    assert not costs(tmp_path / "fetches")


def test_seconds_are_a_cost_if_there_is_no_other_budget(tmp_path: Path) -> None:
    store, journal = begun(tmp_path / "crawl", replace(SPEC, bytes=None, seconds=60.0))
    with store:
        advance(journal, 3)
    assert costs(tmp_path / "crawl") == [0.25] * 3
    assert replace(SPEC, bytes=None, seconds=60.0, budget=9).cost_unit is None


def test_a_resumed_crawl_chooses_as_if_it_had_not_stopped(tmp_path: Path) -> None:
    store, journal = begun(tmp_path / "whole", SPEC)
    with store:
        first, rest = advance(journal, 10), advance(journal, 10)
    store, journal = begun(tmp_path / "crawl", SPEC)
    with store:
        assert advance(journal, 10) == first
    with CrawlStore.open(tmp_path / "crawl") as store:
        journal, in_flight = Journal.resume(SPEC, store, lambda *_: None)
        assert not in_flight
        assert advance(journal, 10) == rest
    assert costs(tmp_path / "crawl") == costs(tmp_path / "whole")


def test_what_has_no_outcome_cannot_have_cost_anything(tmp_path: Path) -> None:
    store, journal = begun(tmp_path / "crawl", SPEC)
    with store:
        decision = journal.next_decision(0)
        assert isinstance(decision, Decision)
        with pytest.raises(SundogError, match="no outcome yet"):
            store.append(Charged(decision.candidate, 1.0))
