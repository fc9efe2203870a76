"""What is replayed is what was appended: all of it up to some commit, in its order."""

from __future__ import annotations

import itertools
import math
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from benchmarks.kill_store import same
from hypothesis import given, settings
from hypothesis import strategies as st

from sundog.errors import SundogError
from sundog.frontier.catalog import Catalog
from sundog.model import Decision, Failed, Fetched, HeadResult, LinkBatch, Refused
from sundog.store import (
    Budgeted,
    CrawlStore,
    Decided,
    Event,
    GivenBack,
    HeadAnswered,
    NearMiss,
    Observed,
    PageRecord,
    Rested,
    Seeded,
    Waited,
    open_readonly,
)
from tests.store.crawls import decided, exchange, fill, ids

numbers = st.floats(allow_nan=False, allow_infinity=False)
texts = st.text(max_size=20)


@st.composite
def histories(draw: st.DrawFn) -> list[tuple[Event, list[str], list[str], bool]]:
    """Events that can have happened, with their new strings, and whether a commit follows."""
    known_texts, waiting, in_flight, hosts = 0, [0], [], 0
    urls = 1
    history: list[Any] = [(Seeded(ids(0)), ["http://a.example/"], [], draw(st.booleans()))]
    for _ in range(draw(st.integers(0, 25))):
        choices = (
            ["rest", "budget", "wait"]
            + ["decide"] * bool(waiting)
            + ["near", "observe", "fail", "give back", "head"] * bool(in_flight)
        )
        match draw(st.sampled_from(choices)):
            case "decide":
                candidate = waiting.pop(draw(st.integers(0, len(waiting) - 1)))
                in_flight.append(candidate)
                step: Any = (Decided(candidate, *[draw(numbers) for _ in range(8)]), [], [])
            case "observe":
                candidate = in_flight.pop(0)
                new = draw(st.integers(0, 3))
                new_texts = draw(st.lists(texts, max_size=2))
                known_texts += len(new_texts)
                waiting += range(urls, urls + new)
                urls += new
                count = draw(st.integers(new, new + 3))
                targets = [*range(urls - new, urls), *[draw(st.integers(0, urls - 1)) for _ in range(count - new)]]
                some = [[draw(st.integers(-1, known_texts - 1)) for _ in targets] for _ in range(2)]
                links = LinkBatch(ids(*targets), ids(*some[0]), ids(*some[1]))
                if targets and draw(st.booleans()):
                    links = links._replace(groups=ids(*[draw(st.integers(0, 9)) for _ in targets]))
                reward = draw(st.floats(0, 1e6))
                event = Observed(candidate, draw(numbers), "fetched", reward, "", links)
                step = (event, [f"http://x.example/{urls + i}{draw(texts)}" for i in range(new)], new_texts)
            case "near":
                step = (NearMiss(in_flight[0], draw(st.floats(0, 1))), [], [])
            case "fail":
                kind: Any = draw(st.sampled_from(["failed", "refused"]))
                step = (Observed(in_flight.pop(), draw(numbers), kind, reason=draw(texts)), [], [])
            case "give back":
                waiting.append(in_flight.pop())
                step = (GivenBack(waiting[-1]), [], [])
            case "head":
                waiting.append(in_flight.pop())
                result = HeadResult(draw(st.none() | texts), draw(st.booleans()))
                step = (HeadAnswered(waiting[-1], draw(numbers), result), [], [])
            case "wait":
                step = (Waited(draw(numbers)), [], [])
            case "budget":
                step = (Budgeted(draw(st.integers(0, 10**9))), [], [])
            case _:
                hosts += 1
                step = (Rested(draw(st.integers(0, 2**31 - 1)), draw(numbers | st.just(math.inf))), [], [])
        history.append((*step, draw(st.booleans())))
    return history


@settings(max_examples=40, deadline=None)
@given(histories())
def test_replay_gives_what_was_committed(history: list[tuple[Event, list[str], list[str], bool]]) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        store = CrawlStore.create(Path(scratch) / "crawl", "")
        committed = 0
        for place, (event, urls, new_texts, commit) in enumerate(history, 1):
            store.append(event, urls=urls, texts=new_texts)
            if commit:
                store.commit()
                committed = place
        with open_readonly(Path(scratch) / "crawl") as reader:
            check(reader, history[:committed])
        store.close()
        with CrawlStore.open(Path(scratch) / "crawl") as reopened:
            check(reopened, history)


def check(reader: Any, history: list[tuple[Event, list[str], list[str], bool]]) -> None:
    assert reader.steps == len(history)
    for found, (expected, *_) in zip(reader.replay(), history, strict=True):
        assert same(found, expected)
    assert list(itertools.chain.from_iterable(reader.urls(2))) == [
        url for _, urls, _, _ in history for url in urls
    ]
    assert list(itertools.chain.from_iterable(reader.texts(2))) == [
        text for *_, some, _ in history for text in some
    ]
    left = {}
    for event, *_ in history:
        if isinstance(event, Decided):
            left[event.candidate] = event
        elif isinstance(event, Observed | GivenBack | HeadAnswered):
            del left[event.candidate]
    assert reader.in_flight() == list(left.values())


def test_a_catalog_is_filled_with_the_same_ids(tmp_path: Path) -> None:
    catalog = Catalog()
    seeds = catalog.add(["http://a.example/"])
    targets = catalog.add(["http://b.example/\ud800", "http://a.example/", "http://c.example/"])
    anchors = catalog.text_ids(["x", "", "y"])
    store = CrawlStore.create(tmp_path / "crawl", "")
    store.append(Seeded(seeds), urls=["http://a.example/"])
    store.append(decided(0))
    links = LinkBatch(targets, anchors, anchors)
    store.append(
        Observed(0, 0.0, "fetched", 1.0, "", links),
        urls=["http://b.example/\ud800", "http://c.example/"],
        texts=["x", "", "y"],
    )
    store.close()
    again = Catalog()
    with open_readonly(tmp_path / "crawl") as reader:
        for urls in reader.urls():
            again.add(urls)
        for some in reader.texts():
            again.text_ids(some)
        observed = list(reader.replay())[-1]
    assert isinstance(observed, Observed)
    assert np.array_equal(
        again.add(["http://b.example/\ud800", "http://a.example/", "http://c.example/"]), targets
    )
    assert np.array_equal(again.text_ids(["x", "", "y"]), anchors)
    assert np.array_equal(observed.links.targets, targets)
    assert observed.links.targets.flags.writeable  # kernels are compiled for such arrays
    assert observed.links.targets.dtype == np.int32


def test_a_decision_and_outcomes_translate() -> None:
    decision = Decision(7, 3, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, None)  # type: ignore[arg-type]
    event = Decided.of(decision, 9.0)
    assert (event.candidate, event.now, event.score, event.propensity) == (7, 9.0, 0.1, 0.7)
    assert isinstance(Observed(0, 0.0, "fetched", 1.0).outcome, Fetched)
    assert Observed(0, 0.0, "failed", reason="x").outcome == Failed("x")
    assert Observed(0, 0.0, "refused", reason="x").outcome == Refused("x")


def test_numbers_that_json_has_not_come_back_as_nan(tmp_path: Path) -> None:
    with CrawlStore.create(tmp_path / "crawl", "") as store:
        store.append(Seeded(ids(0)), urls=["http://a.example/"])
        store.append(Decided(0, 1.0, math.nan, 0.5, 0.0, 0.0, 0.0, 0.0, math.nan))
        store.commit()
        (event,) = store.in_flight()
    assert math.isnan(event.score)
    assert math.isnan(event.propensity)
    assert event.estimate == 0.5


@pytest.mark.parametrize(
    "impossible",
    [
        decided(9),
        decided(4),
        Observed(0, 0.0, "failed", reason="x"),
        GivenBack(0),
        Seeded(ids(5)),
        Observed(4, 0.0, "fetched", 1.0, "", LinkBatch(ids(5), ids(0), ids(0))),
        Observed(4, 0.0, "fetched", 1.0, "", LinkBatch(ids(-1), ids(0), ids(0))),
    ],
)
def test_what_cannot_have_happened_is_refused_and_leaves_no_trace(tmp_path: Path, impossible: Event) -> None:
    with CrawlStore.create(tmp_path / "crawl", "") as store:
        fill(store)
        with pytest.raises(SundogError, match="candidate"):
            store.append(impossible)
        store.append(Observed(4, 17.0, "fetched", 1.0))
        store.commit()
        assert store.in_flight() == []


def test_states_go_with_their_commit(tmp_path: Path) -> None:
    store = CrawlStore.create(tmp_path / "crawl", "")
    store.save("spent", {"bytes": 12})
    store.save_host("a.example", ("awake", 1.5, None))
    with open_readonly(tmp_path / "crawl") as reader:
        assert reader.state("spent") is None
        store.commit()
        store.save("spent", {"bytes": 13})
        assert reader.state("spent") == {"bytes": 12}
        assert reader.host_states() == {"a.example": ["awake", 1.5, None]}
    store.close()
    with open_readonly(tmp_path / "crawl") as reader:
        assert reader.state("spent") == {"bytes": 13}


def test_content_is_known_before_and_after_its_commit(tmp_path: Path) -> None:
    with CrawlStore.create(tmp_path / "crawl", "") as store:
        fill(store)
        assert store.seen_content(b"two") == 3
        store.commit()
        assert store.seen_content(b"two") == 3
        assert store.seen_content(b"three") is None


def test_other_names_of_a_page_are_known_too_and_the_first_to_have_one_keeps_it(tmp_path: Path) -> None:
    with CrawlStore.create(tmp_path / "crawl", "") as store:
        fill(store)
        record = PageRecord(content_hash=b"two", other_keys=(b"canonical", b"redirected"))
        store.append(Observed(4, 17.0, "fetched", 1.0, record=record))
        for _ in range(2):
            assert [store.seen_content(key) for key in (b"two", b"canonical", b"redirected")] == [3, 4, 4]
            store.commit()


def test_parents_and_depths_are_known_at_once_and_after_opening(tmp_path: Path) -> None:
    with CrawlStore.create(tmp_path / "crawl", "") as store:
        fill(store)
        store.append(Observed(4, 17.0, "fetched", 1.0), urls=["http://deep.example/"])
        known = [(store.parent(number), store.depth(number)) for number in range(6)]
        assert known[0] == (None, 0)
        assert known[5] == (4, store.depth(4) + 1)
    with CrawlStore.open(tmp_path / "crawl") as store:
        assert [(store.parent(number), store.depth(number)) for number in range(6)] == known


def test_answers_come_back_in_order(tmp_path: Path) -> None:
    with CrawlStore.create(tmp_path / "crawl", "") as store:
        fill(store)
        store.append(Observed(4, 17.0, "fetched", 2.0), answers=[{"car": "http://a.example/"}, ["x", 1]])
        assert list(store.answers()) == []
        store.commit()
        assert list(store.answers()) == [{"car": "http://a.example/"}, ["x", 1]]


def test_a_commit_that_finds_the_disk_full_can_be_tried_again(tmp_path: Path) -> None:
    with CrawlStore.create(tmp_path / "crawl", "") as store:
        fill(store)
        store.commit()
        pages = store.connection.execute("PRAGMA page_count").fetchone()[0]
        store.connection.execute(f"PRAGMA max_page_count = {pages}")
        urls = [f"http://a.example/{i}/{'x' * 500}" for i in range(500)]
        store.append(Observed(4, 17.0, "fetched", 1.0), urls=urls, exchange=exchange("http://ä.example/"))
        with pytest.raises(SundogError, match="cannot be written: database or disk is full"):
            store.commit()
        assert len(store.in_flight()) == 1
        store.connection.execute("PRAGMA max_page_count = 1000000")
        store.commit()
        assert store.in_flight() == []
        assert sum(map(len, store.urls())) == 505
        assert (tmp_path / "crawl" / "pages.warc.gz").stat().st_size == store.state("warc")


def test_records_take_what_extractors_give(tmp_path: Path) -> None:
    class Fault(NamedTuple):
        syntax: str
        reason: str

    with CrawlStore.create(tmp_path / "crawl", "") as store:
        fill(store)
        record = PageRecord(
            final_url="http://b.example/\ud800", faults=[Fault("rdfa", "half: \udc00")], types=["t:\ud800", "t:x"]
        )
        store.append(
            Observed(4, 17.0, "fetched", 1.0, record=record), statements={"rdf": [("<a:a>", "<a:b>", '"\ud800"')]}
        )
        store.commit()
        assert store.connection.execute("SELECT reason FROM faults WHERE page = 4").fetchall() == [("half: ?",)]
        assert store.connection.execute("SELECT type FROM types WHERE page = 4").fetchall() == [("t:?",), ("t:x",)]
