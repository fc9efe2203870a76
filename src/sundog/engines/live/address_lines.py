"""Hosts that wait for an address which they share: first come, first served.

A host in a line sleeps, so it takes none of the crawl's places, and the policy chooses among the others. When the
address is free the first of the line is called: it wakes, and may be chosen again. Whoever comes while others wait
goes to the end; whoever was called and came too late goes to the front. Limits are kept by the pace in any case.
"""

from __future__ import annotations

import heapq
from collections import Counter, deque
from collections.abc import Iterator, Sequence

from sundog.fetch.address_pace import LOOK_AGAIN
from sundog.fetch.pace import Pace


class AddressLines:
    """One line for each address that is waited for; hosts are known by name, and called by number."""

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self._lines: dict[str, deque[tuple[str, int]]] = {}
        self._looks: list[tuple[float, str]] = []  # a heap: when to look at an address; one entry for each line
        self._waiting: set[str] = set()
        self._called: set[str] = set()
        self._let_go: dict[str, Sequence[str]] = {}  # hosts whose request has not begun, and where it will count
        self._expected: Counter[str] = Counter()  # such requests, by address

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def due(self) -> float | None:
        """When somebody may be called."""
        return self._looks[0][0] if self._looks else None

    def busy_address(self, host: str, now: float) -> str | None:
        """The address that the host must wait for; None if it may be asked."""
        for address in self._pace.addresses_of(host):
            if self._free_at(address, now) > now:
                return address
            if address in self._lines and host not in self._called:
                return address
        return None

    def join(self, host: str, host_id: int, address: str, now: float) -> float:
        """Wait for the address; returns when that will end at the soonest."""
        line = self._lines.get(address)
        if line is None:
            line = self._lines[address] = deque()
            heapq.heappush(self._looks, (self._free_at(address, now), address))
        if host not in self._waiting:
            self._waiting.add(host)
            (line.appendleft if host in self._called else line.append)((host, host_id))
        return now + len(line) * self._pace.addresses.gap

    def let_go(self, host: str) -> None:
        """A task for the host was started. Until it has ``begun`` its request, the pace does not count it."""
        self._called.discard(host)
        if host not in self._let_go:
            self._let_go[host] = addresses = self._pace.addresses_of(host)
            self._expected.update(addresses)

    def begun(self, host: str) -> None:
        """The request has begun, or there was none."""
        for address in self._let_go.pop(host, ()):
            self._expected[address] -= 1
            if not self._expected[address]:
                del self._expected[address]

    def call(self, now: float) -> Iterator[int]:
        """The hosts whose turn it is now, at most one for each address."""
        while self._looks and self._looks[0][0] <= now:
            address = heapq.heappop(self._looks)[1]
            line = self._lines[address]
            look = self._free_at(address, now)
            if look <= now:
                host, host_id = line.popleft()
                self._waiting.discard(host)
                self._called.add(host)
                yield host_id
                look = now + max(self._pace.addresses.gap, LOOK_AGAIN)
            if line:
                heapq.heappush(self._looks, (look, address))
            else:
                del self._lines[address]

    def _free_at(self, address: str, now: float) -> float:
        """When to look again, unless it may be asked now."""
        pace, expected = self._pace.addresses, self._expected.get(address, 0)
        if expected and (pace.gap or pace.in_flight(address) + expected >= pace.most):
            return now + LOOK_AGAIN
        return pace.rest_until(address, now)
