"""Simulated crawls put into a store, as if they had been live."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from sundog.engines.runs import Run
from sundog.engines.simulate import rewards_of
from sundog.model import Decision, Fetched, LinkBatch
from sundog.session import CrawlSession
from sundog.spec import CrawlSpec
from sundog.spec.crawl import spec_text
from sundog.spec.explore import Explore
from sundog.store import CrawlStore, Decided, Observed, PageRecord, Seeded
from sundog.worlds.static import StaticWorld, Strings

TYPES = tuple(
    f"http://schema.org/{name}" for name in "Product Offer Person Organization Recipe Article Event Place".split()
)
NONE = np.empty(0, np.int32)


class Recorder:
    """Gives a world's pages the ids that a crawl's catalog would: dense, in the order of appearance."""

    def __init__(self, store: CrawlStore, world: StaticWorld) -> None:
        self.store, self.world = store, world
        self._ids = np.full(world.size, -1, np.int32)
        self._known = 0

    def enter(self, pages: Any) -> tuple[Any, list[str]]:
        new = list(dict.fromkeys(pages[self._ids[pages] < 0].tolist()))
        self._ids[new] = np.arange(self._known, self._known + len(new))
        self._known += len(new)
        return self._ids[pages], [self.world.pages.urls[page] for page in new]

    def seed(self, page: int) -> None:
        ids, urls = self.enter(np.array([page]))
        self.store.append(Seeded(ids), urls=urls)

    def fetch(
        self, page: int, reward: float, estimate: float, at: float, record: PageRecord, *, failed: bool
    ) -> None:
        candidate = int(self._ids[page])
        self.store.append(Decided(candidate, at, estimate, estimate, estimate, 0.0, 0.0, 0.0, 1.0))
        if failed:
            self.store.append(Observed(candidate, at, "failed", reason="http-5xx: 503", record=record))
            return
        targets, urls = self.enter(self.world.links_of(page).targets)
        links = LinkBatch(targets, NONE, NONE)
        self.store.append(Observed(candidate, at, "fetched", reward, "", links, record), urls=urls)


def stored(
    directory: Path, world: StaticWorld, run: Run, *, spec: str = "", per_second: float = 20.0, delay: float = 1.1
) -> Path:
    """The run as a crawl's directory. One in five of the pages that led nowhere and were worth nothing fails."""
    rng = np.random.default_rng(run.seed)
    with CrawlStore.create(directory, spec or f'policy = "{run.policy}"\nbudget = {run.budget}\n') as store:
        recorder = Recorder(store, world)
        recorder.seed(int(run.trace.pages[0]) if run.fetched else 0)
        at, last = 1_700_000_000.0, dict[str, float]()
        for page, reward, estimate in zip(run.trace.pages, run.trace.rewards, run.trace.estimates, strict=True):
            host = world.pages.urls[page].split("/")[2]
            at = last[host] = max(at + rng.exponential(1 / per_second), last.get(host, 0.0) + delay)
            failed = reward == 0 and not len(world.links_of(page).targets) and rng.random() < 0.2
            record = _record(rng, reward, failed)
            recorder.fetch(int(page), float(reward), float(estimate), at, record, failed=failed)
        store.write_summary({"fetched": run.fetched, "stopped": run.stopped, "seconds": at - 1_700_000_000.0})
    return directory


def _record(rng: np.random.Generator, reward: float, failed: bool) -> PageRecord:
    seconds = float(rng.lognormal(-1.5, 0.8))
    if failed:
        return PageRecord(status=503, trouble="http-5xx", seconds=seconds)
    if reward <= 0:
        faults = [("jsonld", "block 1: not JSON")] if rng.random() < 0.05 else []
        return PageRecord(status=200, content_type="text/html", size=20_000, seconds=seconds, faults=faults)
    types = [TYPES[i] for i in np.unique(np.minimum(rng.geometric(0.4, 3) - 1, len(TYPES) - 1))]
    counts = {"jsonld": int(rng.integers(3, 40)), "opengraph": int(rng.integers(0, 9))}
    return PageRecord(
        status=200, content_type="text/html", size=30_000, seconds=seconds, counts=counts, types=types
    )


class _Dense:
    """Numbers of a world as numbers in the order of their appearance, as a crawl's catalog gives them."""

    def __init__(self, size: int, texts: Strings) -> None:
        self._numbers, self._texts, self._known = np.full(size + 1, -1, np.int32), texts, 0

    def of(self, numbers: Any) -> tuple[Any, list[str]]:
        """And the texts of those that are new; -1 stays what it is."""
        new = list(
            dict.fromkeys(number for number in numbers.tolist() if number >= 0 and self._numbers[number] < 0)
        )
        self._numbers[new] = np.arange(self._known, self._known + len(new))
        self._known += len(new)
        return self._numbers[numbers], [self._texts[number] for number in new]


def crawled(
    directory: Path, world: StaticWorld, policy: str, *, budget: int, objective: str, seed: int, explore_log: float
) -> Path:
    """A simulated crawl as the directory that a live one over the same world would leave."""
    rewards, spec = rewards_of(world, objective), _spec_of(world, policy, budget, seed, explore_log)
    session = CrawlSession(policy=policy, budget=budget, seed=seed, source=world, explore_log=explore_log)
    pages, texts = _Dense(world.size, world.pages.urls), _Dense(len(world.links.texts), world.links.texts)
    with CrawlStore.create(directory, spec) as store:
        ids, urls = pages.of(np.array([0]))
        store.append(Seeded(ids), urls=urls)
        session.add_known([0])
        while isinstance(decision := session.next_decision(), Decision):
            page = decision.candidate
            ids, _ = pages.of(np.array([page]))
            store.append(Decided.of(decision, 0.0)._replace(candidate=int(ids[0])))
            links = world.links_of(page)
            targets, urls = pages.of(links.targets)
            named = np.concatenate([links.anchors, links.paths]).astype(np.int32)
            numbers, new_texts = texts.of(named)
            batch = LinkBatch(targets, *np.split(numbers, [len(links.anchors)]))
            outcome = Observed(
                int(ids[0]), 0.0, "fetched", float(rewards[page]), "", batch, PageRecord(status=200)
            )
            store.append(outcome, urls=urls, texts=new_texts)
            session.observe(decision, Fetched(float(rewards[page]), links))
    return directory


def _spec_of(world: StaticWorld, policy: str, budget: int, seed: int, explore_log: float) -> str:
    spec = CrawlSpec(
        seeds=(world.pages.urls[0],), policy=policy, budget=budget, seed=seed, explore=Explore(log=explore_log)
    )
    return spec_text(spec)
