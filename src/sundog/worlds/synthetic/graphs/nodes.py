"""Nodes in the order of their topics, with sizes and occurrences of the keyword."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sundog.worlds.synthetic.graphs.profiles import GraphProfile

NARROWEST, WIDENING = 32, 4  # nodes of a narrowest field, and how many fields make the next wider one


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
