"""The paper on crawling Linked Data (Huang and Gandon): its crawlers beside ours, its feature sets, the time."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.common import mean, print_table, world
from benchmarks.linked_features import print_features, print_speed
from sundog import load_world
from sundog.engines.simulate import simulate
from sundog.worlds.static import StaticWorld

SEEDS = 5
BUDGET = 100_000
SAMPLES = (20_000, 40_000)
STATIC = {"naive-bayes": "NB", "svm": "SVM"}
SLOW = {"knn": "kNN"}  # minutes a crawl
PAPER = {
    "bfs": "0.302",
    "NB 20K": "0.341",
    "NB 40K": "0.345",
    "SVM 20K": "0.402",
    "SVM 40K": "0.413",
    "kNN 20K": "0.331",
    "kNN 40K": "0.324",
    "ldcoc": "0.655",
}
COLUMNS = ("crawler", "paper", "found / budget", "worlds", "to bfs", "to ldcoc")
CRAWLERS: dict[str, tuple[str, dict[str, Any]]] = {
    "bfs": ("bfs", {}),
    "ldspider, extensions alone": ("ldspider", {"head": 0.0}),
    "ldcoc": ("ldcoc", {}),
    "ldcoc, rates=coordinate": ("ldcoc", {"rates": "coordinate"}),
    "sundog": ("sundog", {}),
    "ldspider, head=0.1": ("ldspider", {"head": 0.1}),
    "ldcoc, head=0.1": ("ldcoc", {"head": 0.1}),
}


def main() -> None:
    found: dict[str, list[float]] = {}
    for seed in range(1, SEEDS + 1):
        for name, rate in crawled(web(seed), seed):
            found.setdefault(name, []).append(rate)
            print(seed, name, rate, file=sys.stderr, flush=True)
    shares = [float((web(seed).pages.columns["rdf"] > 0).mean()) for seed in range(1, SEEDS + 1)]
    title = f"Linked Data: 500,000 URIs, {mean(shares):.1%} RDF-relevant; budget {BUDGET:,}, {SEEDS} worlds"
    bfs, ldcoc = mean(found["bfs"]), mean(found["ldcoc"])
    rows = [(name, *beside(name, rates, bfs, ldcoc)) for name, rates in found.items()]
    print_table(title, COLUMNS, rows)
    print_features(web(1))
    print_speed(web(1))
    slow = [(name, *beside(name, [rate], bfs, ldcoc)) for name, rate in static_ones(web(1), web(2), 1, "", SLOW)]
    print_table("Static nearest neighbours, one world", COLUMNS, slow)


def beside(name: str, rates: list[float], bfs: float, ldcoc: float) -> tuple[str, ...]:
    """The paper's figure, the mean, the worlds' range, and how many times bfs and ldcoc it is."""
    span = f"{min(rates):.3f} to {max(rates):.3f}"
    times = (f"{mean(rates) / other:.2f}×" for other in (bfs, ldcoc))
    return PAPER.get(name, "–"), f"{mean(rates):.3f}", span, *times


def web(seed: int) -> StaticWorld:
    return load_world(world("linked-data", pages=500_000, hosts=10_000, seed=seed))


def crawled(data: StaticWorld, seed: int) -> Iterator[tuple[str, float]]:
    """Each crawler's name and the relevant URIs that it finds for a fetch of the budget."""
    for name, (policy, values) in CRAWLERS.items():
        yield name, rate(data, policy, seed, **values)
        if name == "bfs":
            yield from static_ones(data, web(seed % SEEDS + 1), seed, "")
    yield from static_ones(data, data, seed, ", sample of the same Web")


def rate(data: StaticWorld, policy: str, seed: int, **values: Any) -> float:
    return simulate(data, policy, budget=BUDGET, objective="rdf", seed=seed, **values).relevant / BUDGET


def static_ones(
    data: StaticWorld, other: StaticWorld, seed: int, note: str, learners: dict[str, str] = STATIC
) -> Iterator[tuple[str, float]]:
    """Classifiers that learned from a breadth-first crawl of another world, or of this one from elsewhere.

    That crawl costs them nothing."""
    with tempfile.TemporaryDirectory() as directory:
        for learner, short in learners.items():
            for size in SAMPLES:
                sample = Path(directory) / f"{size}.tsv"
                if not sample.exists():
                    sample.write_text("".join(sample_of(other, size, seed)))
                found = rate(data, "ldcoc", seed, learner=learner, pretrain=sample, frozen=True)
                yield f"{short} {size // 1000}K{note}", found


def sample_of(data: StaticWorld, size: int, seed: int) -> Iterator[str]:
    """The URIs of a crawl that begins at a relevant URI drawn by the seed, each with the link that led there."""
    relevant = data.pages.columns["rdf"] > 0
    for start in np.random.default_rng(seed).choice(np.flatnonzero(relevant), 100).tolist():
        crawl = simulate(data, "bfs", budget=size, objective="rdf", start=str(data.pages.ids[start]))
        if crawl.fetched == size:
            break
    ways: dict[int, tuple[int, list[str]]] = {}
    for page in crawl.trace.pages.tolist():
        links = data.links_of(page)
        for target, path in zip(links.targets.tolist(), links.paths.tolist(), strict=True):
            referrer, properties = ways.setdefault(target, (page, []))
            if referrer == page:
                properties.append(data.links.texts[path])
    for page in crawl.trace.pages.tolist()[1:]:
        referrer, properties = ways[page]
        columns = (
            str(page),
            data.url(page),
            str(int(relevant[page])),
            "1",
            data.url(referrer),
            " ".join(properties),
        )
        yield "\t".join(columns) + "\n"
