"""From a graph's profile and a seed to a web with scores: nodes, links, link scores, then a shuffle."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sundog.worlds.synthetic.graphs.edges import Edges, build_edges, build_link_scores
from sundog.worlds.synthetic.graphs.nodes import build_nodes
from sundog.worlds.synthetic.graphs.profiles import GRAPHS, GraphProfile
from sundog.worlds.synthetic.web import SyntheticWeb

URL = "http://graph.example/"


def generate_graph(
    profile: str | GraphProfile, *, pages: int, seed: int, progress: Callable[[str], None] | None = None
) -> SyntheticWeb:
    """Make a scored graph of exactly `pages` nodes; the same arguments, the same bytes."""
    chosen = _profile(profile)
    if not 2 <= pages < 2**31:
        raise ValueError(f"pages = {pages}: a graph has 2 pages or more, and their numbers fit into 31 bits")
    say = progress or (lambda _: None)
    rng = np.random.Generator(np.random.PCG64(seed))
    say(f"laying out {pages:,} nodes")
    nodes = build_nodes(chosen, pages, rng)
    say("drawing links")
    edges = build_edges(chosen, nodes, rng)
    say("scoring links")
    link_scores = build_link_scores(chosen, nodes, edges, rng)
    say("shuffling nodes")
    return _in_file_order(nodes.scores, edges, link_scores, rng)


def _profile(profile: str | GraphProfile) -> GraphProfile:
    if isinstance(profile, GraphProfile):
        return profile
    if profile not in GRAPHS:
        raise ValueError(f"unknown profile {profile!r}: choose from {', '.join(GRAPHS)}")
    return GRAPHS[profile]


def _in_file_order(
    scores: NDArray[np.float64], edges: Edges, link_scores: NDArray[np.float64], rng: np.random.Generator
) -> SyntheticWeb:
    """Node 0 is the one with the most links, for a crawl may begin there; the order of the others is random."""
    count = len(scores)
    degree = np.bincount(edges.sources, minlength=count)
    order = rng.permutation(count)
    first = int(np.flatnonzero(order == degree.argmax())[0])
    order[[0, first]] = order[[first, 0]]
    number = np.empty(count, np.int32)
    number[order] = np.arange(count, dtype=np.int32)
    sources, targets = number[edges.sources], number[edges.targets]
    by_page = np.lexsort((targets, sources))
    urls = [f"{URL}{node}" for node in range(count)]
    return SyntheticWeb(
        url_bytes=np.frombuffer("".join(urls).encode(), np.uint8),
        url_offsets=np.concatenate(([0], np.cumsum([len(url) for url in urls]))).astype(np.int64),
        counts={},
        link_offsets=np.concatenate(([0], np.cumsum(degree[order]))).astype(np.int64),
        link_targets=targets[by_page],
        host_of=np.zeros(count, np.int32),
        scores=scores[order],
        link_scores=link_scores[by_page],
    )
