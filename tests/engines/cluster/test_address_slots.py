"""Slices of an address do not overlap, whoever asks when, and allowances stay within the limit."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from sundog.engines.cluster.address_slots import LONG_SLICE, MARGIN, SharedAddressPace, Slice, SlotBook

GAP, MOST = 0.1, 8


@given(st.lists(st.tuples(st.integers(0, 4), st.floats(0.0, 3.0), st.integers(0, 3)), max_size=80))
def test_slices_do_not_overlap(asks: list[tuple[int, float, int]]) -> None:
    book, now = SlotBook(GAP, MOST, began=0.0), 100.0
    granted: dict[int, list[Slice]] = {}
    for shard, later, in_flight in asks:
        now += later
        held = granted.setdefault(shard, [])
        found = book.grant(shard, {"192.0.2.1": min(in_flight, held[-1].most if held else 0)}, now)
        if found and (not held or found["192.0.2.1"] != held[-1]):
            one = found["192.0.2.1"]
            assert 1 <= one.most <= MOST
            if held and one.begin <= held[-1].end:
                held[-1] = one  # it was made longer
            else:
                held.append(one)
    flat = sorted((one.begin, one.end, shard) for shard, slices in granted.items() for one in slices)
    for (_, end, _), (begin, _, _) in pairwise(flat):
        assert begin >= end + GAP + MARGIN - 1e-9


def test_one_shard_has_the_address_to_itself_and_two_take_turns() -> None:
    book = SlotBook(GAP, MOST, began=0.0)
    first = book.grant(0, {"192.0.2.1": 0}, 100.0)["192.0.2.1"]
    assert (first.begin, first.end, first.most) == (100.0, 100.0 + LONG_SLICE, MOST)
    assert book.grant(1, {"192.0.2.1": 0}, 101.0) == {}  # all places may be taken
    again = book.grant(0, {"192.0.2.1": 1}, 107.0)["192.0.2.1"]
    assert again.most == MOST // 2
    second = book.grant(1, {"192.0.2.1": 0}, 108.0)["192.0.2.1"]
    assert second.most <= MOST - again.most
    assert second.begin > again.end


def test_a_new_book_waits_for_slices_of_the_lost_one() -> None:
    book = SlotBook(GAP, MOST, began=100.0)
    found = book.grant(0, {"192.0.2.1": 0}, 100.0)
    assert not found
    later = book.grant(0, {"192.0.2.1": 0}, 100.0 + LONG_SLICE)["192.0.2.1"]
    assert later.begin >= 100.0 + LONG_SLICE + GAP


def test_nobody_asks_an_address_without_a_slice() -> None:
    pace = SharedAddressPace(gap=GAP, most=MOST)
    assert pace.rest_until("192.0.2.1", 50.0) > 50.0
    assert pace.wants(50.0) == {"192.0.2.1": 0}
    pace.take({"192.0.2.1": Slice(51.0, 60.0, 1)}, 50.0)
    assert pace.rest_until("192.0.2.1", 50.5) == 51.0
    assert pace.rest_until("192.0.2.1", 52.0) <= 52.0
    pace.started(["192.0.2.1"], 52.0)
    pace.sent(["192.0.2.1"], 52.0)
    assert pace.rest_until("192.0.2.1", 55.0) > 55.0  # one is in flight
    assert pace.wants(59.0) == {"192.0.2.1": 1}


def test_everybody_gets_turns() -> None:
    """The next slice is granted before the present one is over, and takes nothing of that away."""
    book, now = SlotBook(GAP, MOST, began=0.0), 100.0
    paces = [SharedAddressPace(gap=GAP, most=MOST) for _ in range(3)]
    asked = [0] * len(paces)
    for tick in range(6_000):
        now += 0.01
        for shard, pace in enumerate(paces):
            if tick % 50 == shard:
                pace.take(book.grant(shard, pace.wants(now), now), now)
            may_ask = pace.rest_until("192.0.2.1", now) <= now
            asked[shard] += may_ask
        assert sum(pace.rest_until("192.0.2.1", now) <= now for pace in paces) <= 1
    assert min(asked) > 1_000
    assert sum(asked) > 4_000
