"""Simulated crawls as a paper's page tells them, kept on disk: a command that is stopped goes on where it was.

What is kept belongs to the sources that made it: after a change of policies, learners or worlds it is made anew.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

import numpy as np

from benchmarks.common import DATA, ROOT, world
from benchmarks.papers.plot import Curve
from sundog import Run, load_world, simulate
from sundog.worlds.static import StaticWorld

KEPT = DATA / "papers"
POINTS = 60  # of a curve
SOURCES = ("policies", "learn", "frontier", "session", "worlds", "objectives")


class Told(NamedTuple):
    """``curve`` is the relevant share so far, ``accuracy`` that of pages that were judged rightly before,
    ``times`` the mean of choices, in microseconds."""

    harvest: float
    curve: Curve
    accuracy: Curve
    times: Curve


class Web:
    """A synthetic web, generated and loaded when something is asked of it that is not kept."""

    def __init__(self, profile: str, pages: int, hosts: int, seed: int = 1) -> None:
        self.profile, self.pages, self.hosts, self.seed = profile, pages, hosts, seed

    @cached_property
    def world(self) -> StaticWorld:
        return load_world(world(self.profile, pages=self.pages, hosts=self.hosts, seed=self.seed))

    def __str__(self) -> str:
        return f"{self.profile}-{self.pages}-{self.hosts}-{self.seed}"

    def crawls(
        self, policy: str, budget: int, seeds: int, objective: str = "any", pretrain: Any = None, **values: Any
    ) -> list[Told]:
        """``pretrain`` gives the path of a sample when it is needed; its name is part of what is kept."""

        def crawl(seed: int) -> Told:
            more = values if pretrain is None else {**values, "pretrain": pretrain()}
            return _told(simulate(self.world, policy, budget=budget, objective=objective, seed=seed, **more))

        told = []
        for seed in range(seeds):
            named = {**values, "sample": getattr(pretrain, "name", "")} if pretrain else values
            what = [str(self), policy, budget, objective, seed, sorted(named.items())]
            told.append(Told(*kept(what, lambda seed=seed: crawl(seed))))  # type: ignore[misc]
        return told


def kept(what: Any, make: Callable[[], Any]) -> Any:
    """What was made before of the same sources, or is made now: plain values."""
    text = json.dumps([what, _sources()], default=str)
    path = KEPT / f"{hashlib.sha256(text.encode()).hexdigest()[:24]}.json"
    if not path.exists():
        made = make()
        KEPT.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(made), encoding="utf-8")
        print(f"  {what}", flush=True)
    return json.loads(path.read_text(encoding="utf-8"))


@cache
def _sources() -> str:
    digest = hashlib.sha256()
    for folder in SOURCES:
        for path in sorted(Path(ROOT / "src" / "sundog" / folder).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _told(run: Run) -> Told:
    good = run.trace.rewards > 0
    is_right = (run.trace.estimates > 0.5) == good
    times = means_over_time(run.trace.select_ns / 1e3)
    return Told(run.harvest_rate, share_over_time(good), share_over_time(is_right), times)


def means_over_time(values: Any) -> Curve:
    """Of each stretch of a crawl, at its end."""
    stretches = np.array_split(values, min(POINTS, len(values)))
    ends = np.cumsum([len(stretch) for stretch in stretches]).tolist()
    return [(float(end), float(stretch.mean())) for end, stretch in zip(ends, stretches, strict=True)]


def share_over_time(values: Any) -> Curve:
    """The share so far, at some moments."""
    total = np.cumsum(values)
    at = np.unique(np.linspace(1, len(total), POINTS).astype(int))
    return [(float(step), float(total[step - 1] / step)) for step in at.tolist()]


def harvest(told: list[Told]) -> float:
    return mean(each.harvest for each in told)
