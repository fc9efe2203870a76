"""Counts wrong tokens by the address that sent them, so that one who guesses locks out nobody else."""

from __future__ import annotations

import ipaddress
from collections import OrderedDict, deque
from collections.abc import Callable
from time import monotonic

MOST_WRONG, WITHIN = 10, 60.0  # wrong tokens in so many seconds close the door for as long
MOST_ADDRESSES = 10_000  # that are remembered


class WrongTokens:
    """Addresses are those of connections: no header of a proxy is believed."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._times: OrderedDict[str, deque[float]] = OrderedDict()

    def add(self, address: str) -> None:
        network = network_of(address)
        times = self._times.setdefault(network, deque(maxlen=MOST_WRONG))
        times.append(self._clock())
        self._times.move_to_end(network)
        while len(self._times) > MOST_ADDRESSES:
            self._times.popitem(last=False)

    def is_closed(self, address: str) -> bool:
        times = self._times.get(network_of(address))
        return times is not None and len(times) == MOST_WRONG and self._clock() - times[0] < WITHIN


def network_of(address: str) -> str:
    """Who counts as one: an IPv4 address, or the /64 of an IPv6 address, all of which one machine may use.

    >>> network_of("192.0.2.7"), network_of("::ffff:192.0.2.7"), network_of("2001:db8::1:2:3:4")
    ('192.0.2.7', '192.0.2.7', '2001:db8::/64')
    """
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return ""  # a socket of this machine
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False))
