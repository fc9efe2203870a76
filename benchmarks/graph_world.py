"""A large scored graph: popularity and activity by power laws, rich nodes that link to rich ones, few scores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.common import DATA


def scored_graph(nodes: int, links: int, seed: int = 1) -> Path:
    """The directory of the world, made if it is not there yet."""
    directory = DATA / f"scored-{nodes}-{links}-{seed}"
    if not (directory / "links.parquet").exists():
        directory.mkdir(parents=True, exist_ok=True)
        _write(directory, nodes, links, np.random.default_rng(seed))
    return directory


def _write(directory: Path, nodes: int, links: int, rng: np.random.Generator) -> None:
    affinity = rng.beta(0.3, 3, nodes)
    scores = _smoothed(rng.poisson(np.where(rng.random(nodes) < affinity, 8 * affinity, 0)))
    activity = np.minimum(rng.pareto(1.5, nodes) + 1, 500)
    sources = np.sort(rng.choice(nodes, links, p=activity / activity.sum()))
    targets = _targets(affinity, sources, rng)
    near = rng.random(links) < 0.01 + 0.3 * affinity[sources] * affinity[targets]
    link_scores = _smoothed(np.where(near, 1 + rng.poisson(0.5, links), 0))
    urls = [f"https://graph.example/{node}" for node in range(nodes)]
    pages = {"id": np.arange(nodes), "url": urls, "score": scores}
    pq.write_table(pa.table(pages), directory / "pages.parquet")
    edges = {"src": sources, "dst": targets, "score": link_scores}
    pq.write_table(pa.table(edges), directory / "links.parquet")


def _smoothed(occurrences: Any) -> Any:
    """f(x) = 1 + log x, as in the paper."""
    return np.where(occurrences > 0, 1 + np.log(np.maximum(occurrences, 1)), 0.0)


def _targets(affinity: Any, sources: Any, rng: np.random.Generator) -> Any:
    """By popularity; every second link among the nodes of like affinity."""
    nodes, links = len(affinity), len(sources)
    order = np.argsort(affinity)
    popularity = np.minimum(rng.pareto(1.5, nodes) + 0.2, 1000)
    reach = np.cumsum(popularity[order])
    own = np.empty(nodes)
    own[order] = reach
    anywhere = rng.random(links) * reach[-1]
    nearby = own[sources] + 0.03 * reach[-1] * rng.standard_normal(links)
    aim = np.where(rng.random(links) < 0.5, nearby, anywhere)
    return order[np.searchsorted(reach, np.clip(aim, 0, reach[-1] * (1 - 1e-12)))]
