"""What scored graphs are like: the five profiles; a real graph and a synthetic one of its size and sparsity."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.common import print_table, world
from sundog import load_world
from sundog.worlds.static import StaticWorld
from sundog.worlds.synthetic import GRAPHS, generate_graph, write

PAGES = 200_000
# The paper's table 2, rows "in": correlation of a node's score with features of what links to it.
PAPER = {
    "keyword-france": (0.118, 0.252, 0.248, 0.357, 0.272, 0.269),
    "keyword": (0.315, 0.238, 0.404, 0.195, 0.309, 0.300),
}
FEATURES = ("n sum", "e sum", "ne sum", "n max", "e max", "ne max")
BANDS = {"0": (0, 0), "1": (1, 1), "to 2": (1.01, 2), "to 3": (2.01, 3), "above": (3.01, 99)}


def main(real: str | None = None) -> None:
    columns = {f"`{name}`": described(load_world(world(name, pages=PAGES))) for name in GRAPHS}
    if real:
        graph = load_world(real)
        columns = {graph.name: described(graph), "alike": described(like(graph)), **columns}
    names = [name for name in next(iter(columns.values())) if name not in FEATURES]
    rows = [(name, *(column[name] for column in columns.values())) for name in names]
    print_table(f"Scored graphs; synthetic ones of {PAGES:,} nodes", ("", *columns), rows)
    paper = [(f"`{name}`, paper", *(f"{value:.3f}" for value in values)) for name, values in PAPER.items()]
    here = [(title, *(column[name] for name in FEATURES)) for title, column in columns.items()]
    print_table("Correlation of a node's score with what links to it", ("graph", *FEATURES), [*paper, *here])


def like(graph: StaticWorld) -> StaticWorld:
    """A synthetic graph with as many nodes, links, scored nodes and scored links; all else is ours."""
    scored = np.count_nonzero(graph.pages.score())
    profile = replace(
        GRAPHS["keyword-france"],
        scored_share=scored / graph.size,
        scored_links=np.count_nonzero(graph.links.scores) / scored,
        links_per_node=len(graph.links.targets) / graph.size,
    )
    with tempfile.TemporaryDirectory() as directory:
        write(generate_graph(profile, pages=graph.size, seed=1), Path(directory))
        return load_world(directory)


def described(graph: StaticWorld) -> dict[str, str]:
    scores, links = graph.pages.score(), graph.links
    sources = np.repeat(np.arange(graph.size), np.diff(links.starts))
    targets, link_scores = links.targets, links.scores
    own, theirs = scores[sources], scores[targets]
    degrees = {"out": np.diff(links.starts), "in": np.bincount(targets, minlength=graph.size)}
    correlations = _correlations(scores, targets, own, link_scores)
    return {
        "nodes": f"{graph.size:,}",
        "links": f"{len(targets):,}",
        "scored nodes": f"{np.mean(scores > 0):.2%}",
        "scored links": f"{np.mean(link_scores > 0):.2%}",
        **{f"{way}-degree: median, 90%, 99%, largest": _quantiles(some) for way, some in degrees.items()},
        "links returned": f"{_returned(sources, targets, graph.size):.2f}",
        "mean score of scored nodes": f"{scores[scores > 0].mean():.2f}",
        "scored nodes with one occurrence": f"{np.mean(scores[scores > 0] == 1):.2f}",
        "scored targets, by the source's score": _by_band(theirs > 0, own),
        "mean score of targets, by the source's": _by_band(theirs, own),
        "scored links, by the target's score": _by_band(link_scores > 0, theirs, digits=3),
        "mean score of targets, by the link's": _by_band(theirs, link_scores),
        **{name: f"{value:.3f}" for name, value in correlations.items()},
    }


def _quantiles(degrees: Any) -> str:
    return " · ".join(f"{value:,.0f}" for value in np.quantile(degrees, (0.5, 0.9, 0.99, 1)))


def _by_band(values: Any, by: Any, digits: int = 2) -> str:
    parts = (values[(by >= low) & (by <= high)] for low, high in BANDS.values())
    return " · ".join(f"{part.mean():.{digits}f}" if len(part) > 20 else "–" for part in parts)


def _returned(sources: Any, targets: Any, count: int) -> float:
    keys, back = sources * count + targets, targets.astype(np.int64) * count + sources
    keys.sort()
    at = np.minimum(np.searchsorted(keys, back), len(keys) - 1)
    return float(np.mean(keys[at] == back))


def _correlations(scores: Any, targets: Any, own: Any, link_scores: Any) -> dict[str, float]:
    found = {}
    for name, values in (("n", own), ("e", link_scores), ("ne", own * link_scores)):
        largest = np.zeros(len(scores))
        np.maximum.at(largest, targets, values)
        total = np.bincount(targets, weights=values, minlength=len(scores))
        found[f"{name} sum"] = float(np.corrcoef(total, scores)[0, 1])
        found[f"{name} max"] = float(np.corrcoef(largest, scores)[0, 1])
    return found
