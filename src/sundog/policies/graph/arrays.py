"""What is known of a graph that is being explored, as flat arrays.

A *node* is a candidate, a *page* a crawled one. A node's features are made of the links of pages to it: the
page's score (n), the link's score (e) and their product (ne), each as a sum and as a maximum.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sundog.frontier.arrays import longer

NODE = np.dtype(
    [
        ("sum_n", "f8"),
        ("sum_e", "f8"),
        ("sum_ne", "f8"),
        ("square_n", "f8"),  # sums of squares
        ("square_e", "f8"),
        ("square_ne", "f8"),
        ("max_n", "f8"),
        ("max_e", "f8"),
        ("max_ne", "f8"),
        ("cash", "f8"),  # OPIC: what pages have given to it
        ("history", "f8"),  # OPIC: what it has given on
        ("rank", "f8"),  # navigational rank
        ("order", "i4"),  # of discovery
        ("host", "i4"),
        ("pages", "i4"),  # that link here
        ("last_page", "i4"),  # that linked here: parallel links are one
        ("link", "i4"),  # its place among the links of that page
        ("place", "i4"),  # in ``Graph.queue``
        ("state", "u1"),
        ("changed", "u1"),  # is in ``Graph.changed``
    ],
    align=True,
)
HOST = np.dtype([("queued", "i4"), ("known", "u1"), ("asleep", "u1")], align=True)

# cells of Graph.totals; LINKS: of the last page, parallel ones merged
DISCOVERED, QUEUED_TOTAL, AWAKE, CHANGED, HOSTS_FOUND, SLEEPERS, CHOICES, SINCE_REFRESH, LINKS = range(9)
TOTALS = 9


class Graph(NamedTuple):
    """What all estimators of a crawl share."""

    nodes: Any  # NODE
    hosts: Any  # HOST
    queue: Any  # int32: the queued nodes in no order
    changed: Any  # int32: nodes that are new or have new links since the last refresh
    targets: Any  # int32: the links of one page, parallel ones merged; then their scores
    scores: Any
    totals: Any  # int64
    cash: Any  # float64[1]: OPIC, all that was ever given on


def new_graph() -> Graph:
    return Graph(
        np.zeros(0, NODE),
        np.zeros(0, HOST),
        np.zeros(0, np.int32),
        np.zeros(0, np.int32),
        np.zeros(64, np.int32),
        np.zeros(64),
        np.zeros(TOTALS, np.int64),
        np.zeros(1),
    )


def grown_graph(graph: Graph, nodes: int, hosts: int, links: int = 0) -> Graph:
    """The same graph if there is room for so many of each."""
    arrays = graph._replace(
        nodes=longer(graph.nodes, nodes, last_page=-1),
        hosts=longer(graph.hosts, hosts),
        queue=longer(graph.queue, nodes),
        changed=longer(graph.changed, nodes),
        targets=longer(graph.targets, links),
        scores=longer(graph.scores, links),
    )
    same = all(old is new for old, new in zip(graph, arrays, strict=True))
    return graph if same else arrays
