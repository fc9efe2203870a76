"""First in, first out, and the lists of URIs that rest with their hosts."""

from __future__ import annotations

from typing import Any

from sundog._jit import inner, int64
from sundog.policies.linked.arrays import AGAIN, MOVES, RESTING


@inner
def push(w: Any, ring: int, uri: int) -> None:
    at = w.heads[ring] + w.sizes[ring]
    room = w.rings.shape[1]
    w.rings[ring, at - room if at >= room else at] = uri
    w.sizes[ring] += 1
    w.nodes[uri].ring = ring + 1


@inner
def pop(w: Any, ring: int) -> int:
    """The one that waits longest; there must be one."""
    uri = int64(w.rings[ring, w.heads[ring]])
    w.heads[ring] += 1
    if w.heads[ring] == w.rings.shape[1]:
        w.heads[ring] = 0
    w.sizes[ring] -= 1
    w.totals[MOVES] += 1
    w.nodes[uri].ring = 0
    return uri


@inner
def rest(w: Any, uri: int) -> None:
    host = w.nodes[uri].host
    w.nodes[uri].next = w.hosts[host].resting
    w.nodes[uri].ring = RESTING
    w.hosts[host].resting = uri


@inner
def wake(w: Any, host: int) -> None:
    """Those that rested wait again, the first of them first."""
    back = -1
    uri = int64(w.hosts[host].resting)
    while uri >= 0:
        following = int64(w.nodes[uri].next)
        w.nodes[uri].next = back
        back, uri = uri, following
    w.hosts[host].resting = -1
    while back >= 0:
        following = int64(w.nodes[back].next)
        w.nodes[back].next = -1
        push(w, AGAIN, back)
        back = following
