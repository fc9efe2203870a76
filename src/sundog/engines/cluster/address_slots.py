"""The limits of an address, kept by all shards together. Pure: time is passed in.

An address belongs to one shard, which keeps its ``SlotBook``. Who wants to ask the address needs a slice of time
from there, in which nobody else begins a request, and an allowance of requests in flight. A shard that has the
address to itself gets long slices, so that this costs few calls; several get short ones by turns.

Invariants, if the clocks of the nodes differ by less than ``MARGIN``:

- slices of one address do not overlap, and there is the gap between them;
- allowances never add up to more than the address may have in flight;
- a book that is new, because its shard was restarted, grants nothing before all earlier slices are over.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sundog.fetch.address_pace import AddressPace

MARGIN = 0.05  # seconds between slices, besides the gap
LONG_SLICE = 8.0  # seconds, for a shard that has the address to itself
SHORT_SLICE = 1.0
ACTIVE_FOR = 10.0  # seconds after which one who does not ask any more is not counted
RENEW_BEFORE = 2.0  # seconds before the end of a slice in which the next one is asked for


class Slice(NamedTuple):
    """From ``begin`` to ``end`` requests to the address may begin, while fewer than ``most`` are in flight."""

    begin: float
    end: float
    most: int


class _Holder:
    __slots__ = ("allowance", "asked_at", "slice")

    def __init__(self) -> None:
        self.slice: Slice | None = None
        self.allowance, self.asked_at = 0, 0.0


class SlotBook:
    """Of the addresses that one shard has; ``began`` is when that was started."""

    def __init__(self, gap: float, most: int, began: float) -> None:
        self._gap, self._most = gap, most
        self._not_before = began + LONG_SLICE + gap + MARGIN
        self._free_at: dict[str, float] = {}
        self._holders: dict[str, dict[int, _Holder]] = {}

    def grant(self, shard: int, wants: Mapping[str, int], now: float) -> dict[str, Slice]:
        """``wants``: addresses, each with the requests that this shard has in flight to it."""
        found = {address: self._slice(shard, address, in_flight, now) for address, in_flight in wants.items()}
        return {address: granted for address, granted in found.items() if granted is not None}

    def _slice(self, shard: int, address: str, in_flight: int, now: float) -> Slice | None:
        holders = self._holders.setdefault(address, {})
        me = holders.setdefault(shard, _Holder())
        me.asked_at = now
        active = [each for each in holders.values() if now - each.asked_at < ACTIVE_FOR]
        share = max(1, self._most // len(active))
        me.allowance = max(in_flight, min(me.allowance, share))
        if me.slice is not None and me.slice.end - RENEW_BEFORE > now:
            return me.slice
        others = sum(each.allowance for number, each in holders.items() if number != shard)
        allowance = max(in_flight, min(share, self._most - others))
        if allowance < 1 or others + allowance > self._most:
            return None
        earlier = self._free_at.get(address, self._not_before)
        is_last = me.slice is not None and me.slice.end == earlier
        if not is_last and earlier > now + SHORT_SLICE * (len(active) + 1):
            return None  # others are before it: ask again
        begin = earlier if is_last and earlier > now else max(now, earlier + self._gap + MARGIN)
        end = begin + (LONG_SLICE if len(active) == 1 else SHORT_SLICE)
        me.allowance, self._free_at[address] = allowance, end
        me.slice = Slice(me.slice.begin if is_last and me.slice and earlier > now else begin, end, allowance)
        return me.slice

    def forget(self, now: float) -> None:
        """Those who have not asked for long have nothing in flight any more."""
        for address, holders in list(self._holders.items()):
            for shard in [number for number, each in holders.items() if now - each.asked_at > 20 * ACTIVE_FOR]:
                del holders[shard]
            if not holders:
                del self._holders[address]


class SharedAddressPace(AddressPace):
    """The pace of a shard's own requests to addresses, within the slices that it has."""

    def __init__(self, *, gap: float, most: int) -> None:
        super().__init__(gap=gap, most=most)
        self._slices: dict[str, tuple[Slice, ...]] = {}  # those that are not over, in their order
        self._wanted: dict[str, float] = {}  # when somebody last wanted to ask an address

    def take(self, granted: Mapping[str, Slice], now: float) -> None:
        """From another thread. The next slice is granted before the present one is over: both are kept."""
        for address, new in granted.items():
            kept = (each for each in self._slices.get(address, ()) if now < each.end and each.end < new.begin)
            self._slices[address] = (*kept, new)

    def wants(self, now: float) -> dict[str, int]:
        """Addresses for which a slice is needed soon, each with the requests in flight to it."""
        recent = [address for address, at in list(self._wanted.items()) if now - at < ACTIVE_FOR / 2]
        return {
            address: self.in_flight(address) for address in recent if self._ends(address) - RENEW_BEFORE <= now
        }

    def _ends(self, address: str) -> float:
        """When the last of its slices is over."""
        slices = self._slices.get(address)
        return slices[-1].end if slices else 0.0

    def rest_until(self, address: str, now: float) -> float:
        rest = super().rest_until(address, now)
        self._wanted[address] = now
        granted = next((each for each in self._slices.get(address, ()) if now < each.end - MARGIN), None)
        if granted is None:
            return max(rest, now + 0.25)
        if granted.most <= self.in_flight(address):
            return max(rest, now + 0.05)
        return max(rest, granted.begin)
