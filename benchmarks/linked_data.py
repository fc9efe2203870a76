"""The paper on crawling Linked Data (Huang and Gandon): its crawlers beside ours, its feature sets, the time."""

from __future__ import annotations

import tempfile
import time
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
STATIC = {"naive-bayes": "NB", "svm": "SVM", "knn": "kNN"}
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
    shares = []
    for seed in range(1, SEEDS + 1):
        data = load_world(world("linked-data", pages=500_000, hosts=10_000, seed=seed))
        shares.append(float((data.pages.columns["rdf"] > 0).mean()))
        for name, rate in crawled(data, seed):
            found.setdefault(name, []).append(rate)
    bfs, ldcoc = mean(found["bfs"]), mean(found["ldcoc"])
    rows = [
        (
            name,
            PAPER.get(name, "–"),
            f"{mean(rates):.3f}",
            f"{min(rates):.3f} to {max(rates):.3f}",
            f"{mean(rates) / bfs:.2f}×",
            f"{mean(rates) / ldcoc:.2f}×",
        )
        for name, rates in found.items()
    ]
    title = f"Linked Data: 500,000 URIs, {mean(shares):.1%} RDF-relevant; budget {BUDGET:,}, {SEEDS} worlds"
    print_table(
        title, ("crawler", "paper", "relevant a fetch of the budget", "worlds", "to bfs", "to ldcoc"), rows
    )
    print_features(load_world(world("linked-data", pages=500_000, hosts=10_000, seed=1)))
    print_speed(load_world(world("linked-data", pages=500_000, hosts=10_000, seed=1)))


def crawled(data: StaticWorld, seed: int) -> Iterator[tuple[str, float]]:
    """Each crawler's name and the relevant URIs that it finds for a fetch of the budget."""
    for name, (policy, values) in CRAWLERS.items():
        yield name, rate(data, policy, seed, **values)
        if name == "bfs":
            yield from static_ones(data, seed)


def rate(data: StaticWorld, policy: str, seed: int, **values: Any) -> float:
    return simulate(data, policy, budget=BUDGET, objective="rdf", seed=seed, **values).relevant / BUDGET


def static_ones(data: StaticWorld, seed: int) -> Iterator[tuple[str, float]]:
    """Classifiers that learned from a breadth-first crawl from elsewhere, which costs them nothing."""
    with tempfile.TemporaryDirectory() as directory:
        for learner, short in STATIC.items():
            for size in SAMPLES:
                sample = Path(directory) / f"{size}.tsv"
                if not sample.exists():
                    sample.write_text("".join(sample_of(data, size, seed)))
                found = rate(data, "ldcoc", seed, learner=learner, pretrain=sample, frozen=True)
                yield f"{short} {size // 1000}K", found


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


if __name__ == "__main__":
    begun = time.perf_counter()
    main()
    print(f"{time.perf_counter() - begun:.0f} s")
