"""URIs and hosts of a crawl of Linked Data, and the first-in-first-out queues in which URIs wait.

A queue is a ring in one row of an array. URIs whose host sleeps are in lists, one a host.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sundog._jit import inner, int64
from sundog.frontier.arrays import longer

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
        ("weight", "f4"),  # with which its outcome is learned; 0 if a hint has decided
        ("state", "u1"),
        ("queue", "u1"),  # where it waits: a queue + 1, RESTING, or 0
        ("decided", "u1"),  # it is to be fetched
        ("head_known", "u1"),  # its Content-Type is known by a HEAD request
        ("head_failed", "u1"),  # one was made, and its Content-Type is still unknown
        ("head_open", "u1"),  # it is leased for such a request, not for a fetch
        ("good", "u1"),
    ],
    align=True,
)
HOST = np.dtype([("resting", "i4"), ("asleep", "u1"), ("known", "u1"), ("refuses_head", "u1")], align=True)
# given back or woken; found and not considered yet; predicted negative; known not to lead to RDF
AGAIN, NEW, KEPT, HOPELESS = range(4)
QUEUES = 4
RESTING = QUEUES + 1
# Groups of siblings: below it those of one property, by its text id; from here on those that links name.
FIRST_GROUP = 1 << 30
# cells of ``totals``
QUEUED_TOTAL, HOSTS_FOUND, FETCHES, HEADS, MEMBERS, HEADS_OPEN, MOVES = range(7)


class Waiting(NamedTuple):
    """All state but the model. A URI is in one queue at most, so none needs more room than there are URIs."""

    nodes: Any  # NODE
    hosts: Any  # HOST
    queues: Any  # int32[QUEUES, URIs]
    starts: Any  # int64[QUEUES]: the first place of each
    sizes: Any  # int64[QUEUES]
    members: Any  # int32: targets of documents' links, those of one group side by side
    totals: Any  # int64


def new_waiting() -> Waiting:
    empty = Waiting(
        np.zeros(0, NODE),
        np.zeros(0, HOST),
        np.zeros((QUEUES, 0), np.int32),
        np.zeros(QUEUES, np.int64),
        np.zeros(QUEUES, np.int64),
        np.zeros(0, np.int32),
        np.zeros(8, np.int64),
    )
    return grown_waiting(empty, 16, 16)


def grown_waiting(old: Waiting, uris: int, hosts: int, members: int = 0) -> Waiting:
    """The same with room for at least so many; at least doubled if too small."""
    if uris <= len(old.nodes) and hosts <= len(old.hosts) and members <= len(old.members):
        return old
    nodes = longer(old.nodes, uris, parent=-1, next=-1, first_property=-1, second_property=-1, third_property=-1)
    return old._replace(
        nodes=nodes,
        hosts=longer(old.hosts, hosts, resting=-1),
        queues=_unrolled(old, len(nodes)) if nodes is not old.nodes else old.queues,
        members=longer(old.members, members),
    )


def _unrolled(old: Waiting, size: int) -> Any:
    """Longer queues, each beginning in the first place."""
    queues = np.zeros((QUEUES, size), np.int32)
    for queue in range(QUEUES):
        start, count = int(old.starts[queue]), int(old.sizes[queue])
        if count:
            queues[queue, :count] = np.roll(old.queues[queue], -start)[:count]
        old.starts[queue] = 0
    return queues


@inner
def push(w: Any, queue: int, uri: int) -> None:
    at = w.starts[queue] + w.sizes[queue]
    room = w.queues.shape[1]
    w.queues[queue, at - room if at >= room else at] = uri
    w.sizes[queue] += 1
    w.nodes[uri].queue = queue + 1


@inner
def pop(w: Any, queue: int) -> int:
    """The one that waits longest; there must be one."""
    uri = int64(w.queues[queue, w.starts[queue]])
    w.starts[queue] += 1
    if w.starts[queue] == w.queues.shape[1]:
        w.starts[queue] = 0
    w.sizes[queue] -= 1
    w.totals[MOVES] += 1
    w.nodes[uri].queue = 0
    return uri


@inner
def rest(w: Any, uri: int) -> None:
    host = w.nodes[uri].host
    w.nodes[uri].next = w.hosts[host].resting
    w.nodes[uri].queue = RESTING
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
