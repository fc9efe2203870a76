"""The paper on crawling Linked Data (Huang and Gandon): its crawlers and ours, its feature sets, the time per URI.

Feature sets are compared by F-measure and accuracy of three classifiers.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from typing import Any

import numba
import numpy as np

from benchmarks.common import print_table, world
from sundog import load_world
from sundog.engines.simulate import simulate
from sundog.learn import model as learners
from sundog.learn.model import Model, new_model
from sundog.learn.neighbours import new_examples
from sundog.model import Decision, Fetched
from sundog.policies.linked.chooser import LinkedChooser
from sundog.session import CrawlSession
from sundog.worlds.static import StaticWorld

CRAWL = 103_000  # URIs, as many as in the paper's data set
TRAINED, TESTED = 14_000, 4_000  # half of them relevant: the paper's F above its accuracy tells so
HASHES = 1 << 18
PAPER_FEATURES = {  # F-measure and accuracy of kNN, Naive Bayes and SVM
    "t+r+p+x": (0.6951, 0.7407, 0.7154, 0.7462, 0.7944, 0.7722),
    "t+p+x": (0.6261, 0.6832, 0.7094, 0.7413, 0.7801, 0.7643),
    "t+r+x": (0.6773, 0.7121, 0.7111, 0.7448, 0.7829, 0.7650),
    "t+r+p": (0.7592, 0.7731, 0.7660, 0.7701, 0.8216, 0.7902),
    "r+p+x": (0.6015, 0.7010, 0.6328, 0.7075, 0.6839, 0.7074),
    "t+x": (0.5582, 0.6912, 0.6012, 0.6172, 0.6828, 0.6277),
    "r+p": (0.3953, 0.5810, 0.4874, 0.6097, 0.6790, 0.6424),
    "p+x": (0.4392, 0.5739, 0.6086, 0.6238, 0.6689, 0.6269),
}
MORE = ("t", "r", "p", "x", "t+r", "t+p", "r+x")
CLASSIFIERS = {"knn": "kNN", "naive-bayes": "NB", "svm": "SVM"}
PASSES = {"svm": 5}
SEEDS = 5
BUDGET = 100_000
SAMPLES = (20_000, 40_000)
STATIC = {"naive-bayes": "NB", "svm": "SVM"}
SLOW = {"knn": "kNN"}  # minutes per crawl
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
    rows = [(name, *_compared(name, rates, bfs, ldcoc)) for name, rates in found.items()]
    print_table(title, COLUMNS, rows)
    print_features(web(1))
    print_speed(web(1))
    slow = [
        (name, *_compared(name, [rate], bfs, ldcoc)) for name, rate in static_ones(web(1), web(2), 1, "", SLOW)
    ]
    print_table("Static nearest neighbours, one world", COLUMNS, slow)


def _compared(name: str, rates: list[float], bfs: float, ldcoc: float) -> tuple[str, ...]:
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
    led_by: dict[int, tuple[int, list[str]]] = {}
    for page in crawl.trace.pages.tolist():
        links = data.links_of(page)
        for target, path in zip(links.targets.tolist(), links.paths.tolist(), strict=True):
            referrer, properties = led_by.setdefault(target, (page, []))
            if referrer == page:
                properties.append(data.links.texts[path])
    for page in crawl.trace.pages.tolist()[1:]:
        referrer, properties = led_by[page]
        columns = (
            str(page),
            data.url(page),
            str(int(relevant[page])),
            "1",
            data.url(referrer),
            " ".join(properties),
        )
        yield "\t".join(columns) + "\n"


@numba.njit
def fit(model: Any, features: Any, ends: Any, labels: Any) -> None:
    for i in range(len(labels)):
        page = features[ends[i] : ends[i + 1]]
        learners.learn(model, page, len(page), labels[i], 1.0)


@numba.njit
def judge(model: Any, features: Any, ends: Any, out: Any) -> None:
    for i in range(len(out)):
        page = features[ends[i] : ends[i + 1]]
        out[i] = learners.predict(model, page, len(page))


def bfs_crawl(world: StaticWorld, features: str, head: float) -> tuple[CrawlSession, Any]:
    """A breadth-first crawl by ldcoc, which is that with a threshold of 0; and its URIs in order."""
    session = CrawlSession(policy="ldcoc", budget=CRAWL + 1, source=world, tau=0.0, features=features, head=head)
    session.add_known([0])
    relevant, fetched = world.pages.columns["rdf"] > 0, []
    while isinstance(decision := session.next_decision(), Decision):
        page = decision.candidate
        fetched.append(page)
        session.observe(decision, Fetched(float(relevant[page]), world.links_of(page)))
    return session, np.array(fetched, np.int32)


def print_features(world: StaticWorld) -> None:
    rows = []
    for features in (*PAPER_FEATURES, *MORE):
        ours = [value for learner in CLASSIFIERS for value in measured(world, features, learner)]
        paper = PAPER_FEATURES.get(features, ())
        theirs = [f"{value:.3f}" for value in paper] or ["–"] * 6
        rows.append((features, *(f"{mine:.3f} ({other})" for mine, other in zip(ours, theirs, strict=True))))
    columns = [f"{name} {what}" for name in CLASSIFIERS.values() for what in ("F", "accuracy")]
    title = f"Feature sets: hard URIs of a breadth-first crawl, {TRAINED:,} to learn, {TESTED:,} to test (paper)"
    print_table(title, ("features", *columns), rows)


def measured(world: StaticWorld, features: str, learner: str) -> tuple[float, float]:
    """F-measure and accuracy of a classifier on some of the crawl's hard URIs, taught by others."""
    pages, labels = hard_uris(world, features)
    rng = np.random.default_rng(1)
    halves = [rng.permutation(np.flatnonzero(labels == label)) for label in (0.0, 1.0)]
    train = rng.permutation(np.concatenate([half[: TRAINED // 2] for half in halves]))
    test = np.concatenate([half[TRAINED // 2 : (TRAINED + TESTED) // 2] for half in halves])
    model = taught(learner, [pages[i] for i in train], labels[train])
    out = np.empty(len(test))
    judge(model, *flat([pages[i] for i in test]), out)
    predicted, truth = out > 0.5, labels[test] > 0
    hits = float((predicted & truth).sum())
    return 2 * hits / max(1.0, float(predicted.sum() + truth.sum())), float((predicted == truth).mean())


_crawls: dict[str, tuple[list[Any], Any]] = {}


def hard_uris(world: StaticWorld, features: str) -> tuple[list[Any], Any]:
    """Features and labels; the Content-Type is known by HEAD requests, as in the paper."""
    if features not in _crawls:
        _crawls.clear()
        session, fetched = bfs_crawl(world, features, head=1e-9)
        chooser = session.chooser
        assert isinstance(chooser, LinkedChooser)
        hard = [page for page in fetched.tolist() if chooser.is_hard(page)]
        labels = (world.pages.columns["rdf"][hard] > 0).astype(float)
        _crawls[features] = [chooser.features_of(page) for page in hard], labels
    return _crawls[features]


def taught(learner: str, pages: list[Any], labels: Any) -> Model:
    model = new_model(learner, HASHES)
    if learner == "knn":
        return model._replace(examples=new_examples(pages, labels, HASHES))
    for _ in range(PASSES.get(learner, 1)):
        fit(model, *flat(pages), labels)
    return model


def flat(pages: list[Any]) -> tuple[Any, Any]:
    return np.concatenate(pages), np.concatenate(([0], np.cumsum([len(page) for page in pages])))


def print_speed(world: StaticWorld) -> None:
    """Features and prediction, then features and learning, of all URIs of a crawl."""
    rows = []
    for features in ("t", "t+r+p", "t+r+p+x"):
        session, fetched = bfs_crawl(world, features, head=0.0)
        chooser = session.chooser
        assert isinstance(chooser, LinkedChooser)
        hard = np.array([page for page in fetched.tolist() if chooser.is_hard(page)], np.int32)
        labels = (world.pages.columns["rdf"][hard] > 0).astype(float)
        chooser.estimate(hard[:10])  # compiles it
        chooser.teach(hard[:10], labels[:10])
        begun = time.perf_counter()
        chooser.estimate(hard)
        predicted = time.perf_counter()
        chooser.teach(hard, labels)
        times = predicted - begun, time.perf_counter() - predicted
        each = [1e6 * seconds / len(hard) for seconds in times]
        rows.append((features, *(f"{one:.1f}" for one in (*each, sum(each)))))
    columns = ("features", "features and prediction, µs per URI", "features and learning, µs", "both")
    print_table(f"The time of ldcoc: {CRAWL:,} URIs", columns, rows)
