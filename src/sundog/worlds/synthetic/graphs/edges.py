"""Links between nodes: near in topic, to the popular, from the rich to the rich; and what is said around them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sundog.worlds.synthetic.graphs.nodes import Nodes, field_widths, smoothed
from sundog.worlds.synthetic.graphs.profiles import GraphProfile

ROUNDS = 20  # of drawing links until there are enough different ones
Ints = NDArray[np.int64]


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
