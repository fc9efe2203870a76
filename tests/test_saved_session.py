"""Sessions that are saved, loaded and pickled go on as they would have; decisions are a few plain values."""

from __future__ import annotations

import math
import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sundog
from sundog import Candidate, CrawlSession, Decision, Fetched, Link, PageOutcome, SundogError
from sundog.policies.presets import POLICIES
from sundog.session import packed

LIVE = [name for name, policy in POLICIES.items() if not policy.foresees]
HOSTS, PAGES = 5, 60
BEGIN = f"sundog session {sundog.__version__}\n".encode()


def url(host: int, page: int) -> str:
    return f"http://h{host}.example/{('item', 'tag')[page % 2]}/{page}"


def links_of(name: str) -> list[Link]:
    host, page = int(name[8]), int(name.rpartition("/")[2])
    targets = [(host, (3 * page + n) % PAGES) for n in range(1, 6)] + [((host + page) % HOSTS, page)]
    return [Link(url(*each), anchor=f"page {each[1]}", tag_path="ul li a", score=each[1] / 9) for each in targets]


def begun(policy: Any, steps: int = 40) -> CrawlSession:
    session = CrawlSession(policy=policy, budget=200, seed=3, head_requests=False)
    session.add([url(0, 1), url(1, 2)])
    go_on(session, steps)
    session.rest(2, 1e6)
    session.rest(3, math.inf)
    return session


def go_on(session: CrawlSession, steps: int, leased: Sequence[Decision] = ()) -> list[tuple[str, float]]:
    chosen = []
    waiting = list(leased)
    for _ in range(steps):
        decision = waiting.pop() if waiting else session.next_decision(10.0)
        if not isinstance(decision, Decision):
            break
        session.observe(decision, Fetched(float("item" in decision.url), links_of(decision.url)))
        chosen.append((decision.url, decision.score))
    return chosen


@pytest.mark.parametrize("policy", LIVE)
def test_it_goes_on_as_it_would_have(policy: str, tmp_path: Path) -> None:
    session = begun(policy)
    leased = session.next_decision(10.0)
    assert isinstance(leased, Decision)
    session.save(tmp_path / "a.session")
    copies = [CrawlSession.load(tmp_path / "a.session"), pickle.loads(pickle.dumps(session))]
    copy_of_lease = pickle.loads(pickle.dumps(leased))
    expected = go_on(session, 60, [leased])
    assert len(expected) > 40
    for copy in copies:
        assert (copy.asleep, copy.fetched, copy.in_flight) == (2, 40, 1)
        assert repr(go_on(copy, 60, [copy_of_lease])) == repr(expected)  # nan is not equal to itself
        assert (copy.fetched, copy.reward, copy.queued) == (session.fetched, session.reward, session.queued)


class Longest:
    """The longest URL."""

    def __init__(self) -> None:
        self.learned = 0

    def scores(self, candidates: Sequence[Candidate]) -> list[float]:
        return [float(len(each.url) + self.learned) for each in candidates]

    def learn(self, outcome: PageOutcome) -> None:
        self.learned += 1


@pytest.mark.parametrize("policy", [Longest, Longest()], ids=["class", "object"])
def test_an_object_is_saved_with_its_session(policy: Any, tmp_path: Path) -> None:
    session = begun(policy)
    session.save(tmp_path / "a.session")
    copy = CrawlSession.load(tmp_path / "a.session")
    assert go_on(copy, 50) == go_on(session, 50)


def packed_bytes(value: Any) -> bytes:
    parts: list[bytes] = []
    packed.dump(value, lambda part: parts.append(bytes(part)))
    return b"".join(parts)


SIZES = st.integers(0, 3 * packed.BLOCK)


@given(st.lists(st.tuples(SIZES, st.sets(SIZES)), max_size=4))
def test_arrays_come_back_as_they_were(shapes: list[tuple[int, set[int]]]) -> None:
    """Whatever their sizes, and wherever they are not zero; and can be written to."""
    arrays = [np.zeros(size, np.uint8) for size, _ in shapes]
    for array, (size, places) in zip(arrays, shapes, strict=True):
        array[[place for place in places if place < size]] = 7
    loaded = packed.load(packed_bytes({"arrays": arrays, "name": "x"}))
    assert all(np.array_equal(ours, theirs) for ours, theirs in zip(loaded["arrays"], arrays, strict=True))
    assert all(array.flags.writeable for array in loaded["arrays"])


def test_room_for_more_is_not_written() -> None:
    array = np.zeros(50_000_000, np.int64)
    array[:1000] = 1
    assert len(packed_bytes(array)) < 100_000


def test_what_is_no_session_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "a.session"
    with pytest.raises(SundogError, match="cannot be read"):
        CrawlSession.load(path)
    for content, said in (
        (b"", "no saved session"),
        (b"something else entirely, and long", "no saved session"),
        (b"sundog session 0.0.1\n", "saved by Sundog 0.0.1"),
        (BEGIN, "cannot be loaded"),
        (BEGIN + b"\x80\x05garbage", "cannot be loaded"),
        (BEGIN + packed_bytes([1]), "something else"),
    ):
        path.write_bytes(content)
        with pytest.raises(SundogError, match=said):
            CrawlSession.load(path)


def test_a_file_that_is_cut_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.session"
    begun("bfs").save(path)
    path.write_bytes(path.read_bytes()[:-1000])
    with pytest.raises(SundogError, match="cannot be loaded"):
        CrawlSession.load(path)


def test_candidates_are_found_by_url() -> None:
    session = begun("bfs")
    number = session.candidate("HTTP://h0.example:80/tag/1#x")
    assert number == 0
    assert session.candidate("http://h0.example/never") is None
    assert session.candidate("mailto:x") is None
    copy = pickle.loads(pickle.dumps(session))
    assert copy.candidate(url(1, 2)) == session.candidate(url(1, 2)) == 1


def test_a_decision_is_small_and_plain() -> None:
    session = begun("sundog")
    decision = session.next_decision(10.0)
    assert isinstance(decision, Decision)
    data = pickle.dumps(decision)
    copy = pickle.loads(data)
    assert len(data) < 500
    assert (copy.url, copy.host, copy.parts) == (decision.url, decision.host, decision.parts)
    assert repr(copy) == repr(decision)
    assert len(repr(decision)) < 120
    session.observe(copy, Fetched(1.0))
    with pytest.raises(SundogError, match="not leased"):
        session.observe(decision, Fetched(1.0))
