"""When an address may be asked again, whichever of its hosts is meant. Pure: time is passed in.

A request counts at every address of its host, for it may connect to any of them. Requests leave one after the
other: while one is being connected, nobody knows when it will leave. So the next waits until it has, and for the
gap.
"""

from __future__ import annotations

from collections.abc import Iterable

NEVER = -1e15  # before any clock began; an infinity could not be kept as JSON
LOOK_AGAIN = 0.05  # seconds after which an address that nobody knows the end of is worth a look, at least
JITTER = 0.01  # seconds by which the next request may be faster on its way, so that the server sees the whole gap
CONNECTED_WITHIN = 2.0  # seconds: nobody waits longer for a request to leave, for the server may be dead


class _Address:
    __slots__ = ("asked_by", "connecting", "connecting_since", "in_flight")

    def __init__(self, asked_by: float) -> None:
        self.asked_by = asked_by  # when the last request has left
        self.in_flight = 0
        self.connecting = 0  # requests that have not left yet
        self.connecting_since = NEVER


class AddressPace:
    """At most ``most`` requests in flight to an address, and a little more than ``gap`` seconds between two.

    >>> pace = AddressPace(gap=0.5, most=2)
    >>> pace.started(["1.2.3.4"], 10.0)
    >>> pace.sent(["1.2.3.4"], 10.2)
    >>> round(pace.rest_until("1.2.3.4", 10.3), 2), pace.rest_until("5.6.7.8", 10.3) <= 10.3
    (10.71, True)
    """

    def __init__(self, *, gap: float, most: int) -> None:
        self.gap, self.most = gap + JITTER if gap else 0.0, most
        self._addresses: dict[str, _Address] = {}
        self._restarted_at = NEVER

    def rest_until(self, address: str, now: float) -> float:
        """When it may be asked: not after ``now`` if at once. While it is busy, when to look again."""
        known = self._addresses.get(address)
        if known is None:
            return self._restarted_at + self.gap
        rest = known.asked_by + self.gap
        if known.in_flight >= self.most:
            return max(rest, now + max(self.gap, LOOK_AGAIN))
        if known.connecting and self.gap and now < known.connecting_since + CONNECTED_WITHIN:
            return max(rest, now + LOOK_AGAIN)
        return rest

    def in_flight(self, address: str) -> int:
        known = self._addresses.get(address)
        return known.in_flight if known else 0

    def started(self, addresses: Iterable[str], now: float) -> None:
        for address in addresses:
            known = self._known(address)
            known.in_flight += 1
            known.connecting += 1
            known.connecting_since = now
            known.asked_by = max(known.asked_by, now)

    def sent(self, addresses: Iterable[str], now: float) -> None:
        """The request that was started has left."""
        for address in addresses:
            known = self._known(address)
            known.connecting -= 1
            known.asked_by = max(known.asked_by, now)

    def ended(self, addresses: Iterable[str], *, was_sent: bool) -> None:
        for address in addresses:
            known = self._known(address)
            known.in_flight -= 1
            known.connecting -= not was_sent

    def asked_by(self, addresses: Iterable[str], moment: float) -> None:
        """Somebody may have asked them as late as then."""
        for address in addresses:
            known = self._known(address)
            known.asked_by = max(known.asked_by, moment)

    def restarted(self, now: float) -> None:
        """All of them may have been asked until now, also those of which nothing is known."""
        self._restarted_at = now
        self.asked_by(list(self._addresses), now)

    def _known(self, address: str) -> _Address:
        known = self._addresses.get(address)
        if known is None:
            known = self._addresses[address] = _Address(self._restarted_at)
        return known
