"""What a crawl of Linked Data keeps of URIs and hosts, and the rings in which URIs wait.

First in, first out, and the lists of URIs that rest with their hosts.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sundog._jit import inner, int64

NODE = np.dtype(
    [
        ("siblings", "i8"),  # where those of the same document and group begin in ``members``
        ("sibling_count", "i4"),
        ("parent", "i4"),  # the document that led here, -1 for a seed
        ("host", "i4"),
        ("next", "i4"),  # in the list of those that rest with their host, -1 at the end
        ("first_property", "i4"),  # text ids, -1 if there is none: what connects it in that document
        ("second_property", "i4"),
        ("third_property", "i4"),
        ("weight", "f4"),  # with which its outcome is learned; 0 for easy URIs
        ("state", "u1"),
        ("ring", "u1"),  # where it waits: a ring + 1, RESTING, or 0
        ("decided", "u1"),  # it is to be fetched
        ("asked", "u1"),  # its Content-Type is known by a HEAD request
        ("in_vain", "u1"),  # one was made, and told nothing
        ("looking", "u1"),  # it is leased for such a request, not for a fetch
        ("good", "u1"),
    ],
    align=True,
)
HOST = np.dtype([("resting", "i4"), ("asleep", "u1"), ("known", "u1"), ("refuses_head", "u1")], align=True)
# given back or woken; found and not looked at yet; predicted negative; known not to lead to RDF
AGAIN, NEW, KEPT, HOPELESS = range(4)
RINGS = 4
RESTING = RINGS + 1
# Groups of siblings: below it those of one property, by its text id; from here on those that links name.
FIRST_GROUP = 1 << 30
# cells of ``totals``
QUEUED_TOTAL, HOSTS_FOUND, FETCHES, ASKED, MEMBERS, LOOKING, MOVES = range(7)


class Waiting(NamedTuple):
    """All state but the model. A URI is in one ring at most, so none needs more room than there are URIs."""

    nodes: Any  # NODE
    hosts: Any  # HOST
    rings: Any  # int32[RINGS, URIs]
    heads: Any  # int64[RINGS]
    sizes: Any  # int64[RINGS]
    members: Any  # int32: targets of documents' links, those of one group side by side
    totals: Any  # int64


def new_waiting() -> Waiting:
    empty = Waiting(
        np.zeros(0, NODE),
        np.zeros(0, HOST),
        np.zeros((RINGS, 0), np.int32),
        np.zeros(RINGS, np.int64),
        np.zeros(RINGS, np.int64),
        np.zeros(0, np.int32),
        np.zeros(8, np.int64),
    )
    return grown_waiting(empty, 16, 16)


def grown_waiting(old: Waiting, uris: int, hosts: int, members: int = 0) -> Waiting:
    """The same with room for at least so many; at least doubled if too small."""
    if uris <= len(old.nodes) and hosts <= len(old.hosts) and members <= len(old.members):
        return old
    nodes, rings = old.nodes, old.rings
    if uris > len(nodes):
        nodes = _longer(nodes, uris)
        fresh = nodes[len(old.nodes) :]
        for field in ("parent", "next", "first_property", "second_property", "third_property"):
            fresh[field] = -1
        rings = _unrolled(old, len(nodes))
    grown = _longer(old.hosts, hosts) if hosts > len(old.hosts) else old.hosts
    grown["resting"][len(old.hosts) :] = -1
    more = _longer(old.members, members) if members > len(old.members) else old.members
    return Waiting(nodes, grown, rings, old.heads, old.sizes, more, old.totals)


def _longer(array: Any, size: int) -> Any:
    longer = np.zeros(max(size, 2 * len(array)), array.dtype)
    longer[: len(array)] = array
    return longer


def _unrolled(old: Waiting, size: int) -> Any:
    """Longer rings with their heads in the first place."""
    rings = np.zeros((RINGS, size), np.int32)
    for ring in range(RINGS):
        head, count = int(old.heads[ring]), int(old.sizes[ring])
        if count:
            rings[ring, :count] = np.roll(old.rings[ring], -head)[:count]
        old.heads[ring] = 0
    return rings


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
