"""Hosts that sleep, and until when."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator


class Sleepers:
    """A host that is put to sleep again sleeps until the new time. Its length is the number of hosts that sleep.

    >>> hosts = Sleepers()
    >>> hosts.put(7, 5.0), hosts.put(8, math.inf), hosts.put(7, 3.0)
    (None, None, None)
    >>> list(hosts.woken(4.0)), hosts.until(7), hosts.for_good
    ([7], None, [8])
    """

    def __init__(self) -> None:
        self._until: dict[int, float] = {}
        self._due: list[tuple[float, int]] = []  # a heap; a host that was put to sleep again is in it twice

    def __len__(self) -> int:
        return len(self._until)

    def __contains__(self, host: int) -> bool:
        return host in self._until

    @property
    def for_good(self) -> list[int]:
        """Those that sleep without an end."""
        return [host for host, until in self._until.items() if until == math.inf]

    @property
    def for_a_time(self) -> list[tuple[int, float]]:
        """The others, and until when they sleep."""
        return [(host, until) for host, until in self._until.items() if until < math.inf]

    @property
    def next_due(self) -> float | None:
        """When the next host wakes; None: none will."""
        while self._due and self._until.get(self._due[0][1]) != self._due[0][0]:
            heapq.heappop(self._due)
        return self._due[0][0] if self._due else None

    def until(self, host: int) -> float | None:
        """None if the host is awake; infinite if it sleeps without an end."""
        return self._until.get(host)

    def put(self, host: int, until: float) -> None:
        self._until[host] = until
        if until < math.inf:
            heapq.heappush(self._due, (until, host))

    def woken(self, now: float) -> Iterator[int]:
        """Those whose time has come; they sleep no more."""
        while self._due and self._due[0][0] <= now:
            until, host = heapq.heappop(self._due)
            if self._until.get(host) == until:
                del self._until[host]
                yield host
