"""Scored graphs: nodes with a keyword, links between them, scores of links; then a shuffle."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sundog.worlds.own_graphs import NODE_URL
from sundog.worlds.synthetic.graph_profiles import GRAPHS, GraphProfile
from sundog.worlds.synthetic.profiles import find_profile
from sundog.worlds.synthetic.web import SyntheticWeb, offsets_of

NARROWEST, WIDENING = 32, 4  # nodes of a narrowest field, and how many fields make the next wider one
ROUNDS = 20  # of drawing links until there are enough different ones
Ints = NDArray[np.int64]


def generate_graph(
    profile: str | GraphProfile, *, pages: int, seed: int, progress: Callable[[str], None] | None = None
) -> SyntheticWeb:
    """Make a scored graph of exactly `pages` nodes; the same arguments, the same bytes."""
    chosen = find_profile(profile, GRAPHS)
    if not 2 <= pages < 2**31:
        raise ValueError(f"pages = {pages}: a graph has 2 pages or more, and their numbers fit into 31 bits")
    report = progress or (lambda _: None)
    rng = np.random.Generator(np.random.PCG64(seed))
    report(f"laying out {pages:,} nodes")
    nodes = build_nodes(chosen, pages, rng)
    report("drawing links")
    edges = build_edges(chosen, nodes, rng)
    report("scoring links")
    link_scores = build_link_scores(chosen, nodes, edges, rng)
    report("shuffling nodes")
    return _in_file_order(nodes.scores, edges, link_scores, rng)


class Nodes(NamedTuple):
    """Node i's fields are the blocks of 32, 128, 512 … nodes that i lies in."""

    size: NDArray[np.float64]
    occurrences: NDArray[np.int64]

    @property
    def scores(self) -> NDArray[np.float64]:
        return smoothed(self.occurrences)


def smoothed(occurrences: NDArray[np.int64]) -> NDArray[np.float64]:
    """The paper's f: 1 + log x, and 0 at 0."""
    return np.where(occurrences > 0, 1 + np.log(np.maximum(occurrences, 1)), 0.0)


def field_widths(nodes: int) -> list[int]:
    """The widths of fields that are narrower than the whole graph."""
    widths = [NARROWEST]
    while widths[-1] * WIDENING < nodes:
        widths.append(widths[-1] * WIDENING)
    return [width for width in widths if width < nodes]


def build_nodes(profile: GraphProfile, nodes: int, rng: np.random.Generator) -> Nodes:
    log_size = rng.standard_normal(nodes)
    own_share = 1 - profile.topic_share - profile.size_share
    affinity = (
        np.sqrt(profile.topic_share) * _topics(nodes, rng)
        + np.sqrt(profile.size_share) * log_size
        + np.sqrt(own_share) * rng.standard_normal(nodes)
    )
    scored = max(1, round(profile.scored_share * nodes))
    threshold = np.partition(affinity, nodes - scored)[nodes - scored]
    further = profile.richness * np.exp(profile.steepness * (affinity - threshold))
    occurrences = np.where(affinity >= threshold, 1 + _geometric(further, rng), 0)
    return Nodes(np.exp(profile.out_spread * log_size), occurrences)


def _topics(nodes: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """What a node has in common with the other nodes of its fields: variance 1, an equal part from each width."""
    widths = field_widths(nodes)
    total = np.zeros(nodes)
    for width in widths:
        effect = rng.standard_normal(-(-nodes // width))
        total += np.repeat(effect, width)[:nodes]
    return total / np.sqrt(max(1, len(widths)))


def _geometric(means: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Geometric numbers from 0 on with these means."""
    return np.floor(rng.standard_exponential(len(means)) / np.log1p(1 / means)).astype(np.int64)


class Edges(NamedTuple):
    """Different links, none from a node to itself, ordered by source and target."""

    sources: Ints
    targets: Ints


def build_edges(profile: GraphProfile, nodes: Nodes, rng: np.random.Generator) -> Edges:
    count = len(nodes.size)
    wanted = min(round(profile.links_per_node * count), count * (count - 1) // 2)
    popularity = np.cumsum(nodes.size**profile.fame * (rng.pareto(profile.in_tail, count) + 1))
    linking = np.cumsum(nodes.size)
    keys = np.empty(0, np.int64)
    for _ in range(ROUNDS):
        missing = wanted - len(keys)
        if missing <= 0:
            break
        sources = _weighted(linking, rng.random(missing) * linking[-1])
        targets = _targets(profile, nodes, popularity, sources, rng)
        back = rng.random(missing) < profile.back_links / (2 - profile.back_links)
        new = _keys(np.append(sources, targets[back]), np.append(targets, sources[back]), count)
        keys = _united(keys, new)
    if len(keys) > wanted:
        keys = np.sort(rng.choice(keys, wanted, replace=False, shuffle=False))
    return Edges(keys // count, keys % count)


def _keys(sources: Ints, targets: Ints, count: int) -> Ints:
    """One number a link; links from a node to itself are left out."""
    return (sources * count + targets)[sources != targets]


def _united(keys: Ints, new: Ints) -> Ints:
    """All different keys in order; the stable sort merges two sorted parts in linear time."""
    both = np.sort(np.concatenate([keys, np.sort(new)]), kind="stable")
    return both[np.append(True, both[1:] != both[:-1])] if len(both) else both


def _weighted(cumulated: NDArray[np.float64], at: NDArray[np.float64]) -> Ints:
    return np.minimum(np.searchsorted(cumulated, at, side="right"), len(cumulated) - 1)


def _targets(
    profile: GraphProfile, nodes: Nodes, popularity: NDArray[np.float64], sources: Ints, rng: np.random.Generator
) -> Ints:
    """One target for each source, by popularity within a field; scored sources prefer the richer of two."""
    first = _in_fields(profile, popularity, sources, rng)
    score = nodes.scores
    own = score[sources]
    choosy = np.flatnonzero(rng.random(len(sources)) < profile.attraction * own / (1 + own))
    other = _in_fields(profile, popularity, sources[choosy], rng)
    first[choosy] = np.where(score[other] > score[first[choosy]], other, first[choosy])
    return first


def _in_fields(
    profile: GraphProfile, popularity: NDArray[np.float64], sources: Ints, rng: np.random.Generator
) -> Ints:
    count = len(popularity)
    widths = np.array([*field_widths(count), count])
    level = np.minimum(rng.geometric(max(profile.locality, 1e-9), len(sources)) - 1, len(widths) - 1)
    begin = sources // widths[level] * widths[level]
    end = np.minimum(begin + widths[level], count)
    low = np.where(begin > 0, popularity[begin - 1], 0.0)
    return _weighted(popularity, low + rng.random(len(sources)) * (popularity[end - 1] - low))


def build_link_scores(
    profile: GraphProfile, nodes: Nodes, edges: Edges, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Scores of links of scored nodes; the number of those above 0 is the profile's.

    Links are drawn without replacement: the largest of log weight + Gumbel noise.
    """
    score, occurrences = nodes.scores, nodes.occurrences
    possible = np.flatnonzero(occurrences[edges.sources] > 0)
    sources, targets = edges.sources[possible], edges.targets[possible]
    wanted = min(round(profile.scored_links * np.count_nonzero(occurrences)), len(possible))
    if not wanted:
        return np.zeros(len(edges.sources))
    degree = np.bincount(edges.sources, minlength=len(score))
    weight = profile.density * np.log(occurrences[sources]) - 0.5 * np.log(degree[sources])
    key = weight + profile.target_slope * score[targets] + rng.gumbel(size=len(possible))
    chosen = np.sort(np.argpartition(key, len(key) - wanted)[len(key) - wanted :])
    near = np.zeros(len(edges.sources), np.int64)
    near[possible[chosen]] = np.minimum(
        _occurrences_near(profile, score[targets[chosen]], rng), occurrences[sources[chosen]]
    )
    return smoothed(near)


def _occurrences_near(profile: GraphProfile, target_scores: NDArray[np.float64], rng: np.random.Generator) -> Ints:
    odds = profile.near_again / (1 - profile.near_again) * np.exp(profile.near_slope * target_scores)
    return rng.geometric(1 / (1 + odds))


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
    urls = [f"{NODE_URL}{node}" for node in range(count)]
    return SyntheticWeb(
        url_bytes=np.frombuffer("".join(urls).encode(), np.uint8),
        url_offsets=offsets_of([len(url) for url in urls]),
        counts={},
        link_offsets=offsets_of(degree[order]),
        link_targets=targets[by_page],
        host_of=np.zeros(count, np.int32),
        scores=scores[order],
        link_scores=link_scores[by_page],
    )
