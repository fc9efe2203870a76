"""Rounds of revisits over a world that changes: how much of it is up to date, day by day.

A round is a day. Its budget is spent in 24 turns; in each the policy chooses among all pages, and is told which of
the chosen had changed since their last visit. All pages are up to date at the beginning.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sundog.errors import UsageError, nearest_or_all
from sundog.revisits.policies import REVISIT_POLICIES, Known
from sundog.worlds.changing import ChangingWorld, load_changing

TURNS = 24  # a day
WEIGHTS = ("pages", "entities")


@dataclass(frozen=True)
class Round:
    """Means over the day; shares of pages and of entities that are up to date."""

    fresh_pages: float
    fresh_entities: float
    stale_days: float  # of a page, since its first change that was not seen
    visits: int
    changed: int  # visits that found a change


@dataclass(frozen=True)
class RoundsRun:
    policy: str
    seed: int
    budget: int  # visits per round
    rounds: tuple[Round, ...]
    seconds: float
    choose_us: float  # per visit

    def mean(self, name: str, first: int = 0) -> float:
        """Of one figure over the rounds from ``first`` on."""
        return float(np.mean([getattr(one, name) for one in self.rounds[first:]]))

    def as_json(self) -> dict[str, Any]:
        means = {name: self.mean(name) for name in ("fresh_pages", "fresh_entities", "stale_days")}
        return {**asdict(self), "visits": sum(one.visits for one in self.rounds), **means}


def simulate_rounds(
    world: ChangingWorld | Path | str,
    policy: str = "sundog",
    *,
    rounds: int,
    budget: int,
    seed: int = 0,
    weigh: str = "pages",
    progress: Callable[[int, int], None] | None = None,
) -> RoundsRun:
    """Visit the pages of a world again for so many days, ``budget`` visits a day.

    Args:
        weigh: what is to be up to date, ``pages`` or ``entities``.
        seed: decides only at which hours of the first day the turns begin.
    """
    world = world if isinstance(world, ChangingWorld) else load_changing(world)
    check_rounds(world, policy, rounds, budget, weigh)
    value = np.ones(world.size) if weigh == "pages" else world.entities
    known = Known(world.template, world.host, value, world.rate, float(budget))
    revisits = _Revisits(world, REVISIT_POLICIES[policy](known), seed)
    begun, done = time.perf_counter(), []
    for number in range(rounds):
        done.append(revisits.day(number, budget))
        if progress:
            progress(number + 1, rounds)
    seconds = time.perf_counter() - begun
    return RoundsRun(policy, seed, budget, tuple(done), seconds, revisits.choosing * 1e6 / max(1, revisits.visits))


def check_rounds(world: ChangingWorld, policy: str, rounds: int, budget: int, weigh: str) -> None:
    """Raises UsageError: what is asked for cannot be run."""
    if policy not in REVISIT_POLICIES:
        raise UsageError(f"unknown policy '{policy}' of revisits{nearest_or_all(policy, REVISIT_POLICIES)}")
    if weigh not in WEIGHTS:
        raise UsageError(f"unknown weight '{weigh}'{nearest_or_all(weigh, WEIGHTS)}")
    if rounds < 1 or budget < 1:
        raise UsageError(f"rounds {rounds}, budget {budget}: both are at least 1")
    if rounds + 1 > world.days:
        raise UsageError(
            f"rounds {rounds}: the changes of '{world.name}' are known for {world.days:.0f} days, "
            f"which is enough for {world.days - 1:.0f}"
        )


class _Revisits:
    def __init__(self, world: ChangingWorld, policy: Any, seed: int) -> None:
        self.world, self.policy = world, policy
        self.start = np.random.default_rng(seed).random() / TURNS
        everything = np.arange(world.size)
        self.stale_from = world.changes.after(everything, 0.0)  # the first change not seen
        self.claimed_from = world.hints.after(everything, 0.0)
        self.weights = world.entities / world.entities.sum()
        self.choosing, self.visits = 0.0, 0

    def day(self, number: int, budget: int) -> Round:
        fresh = np.zeros(self.world.size)
        stale, visits, found = 0.0, 0, 0
        for turn in range(TURNS):
            now = number + turn / TURNS + self.start
            most = budget * (turn + 1) // TURNS - budget * turn // TURNS
            pages, changed = self._turn(now, most)
            visits, found = visits + len(pages), found + int(changed.sum())
            fresh += np.clip(self.stale_from - now, 0.0, 1.0 / TURNS)
            stale += float(np.maximum(now - self.stale_from, 0.0).mean()) / TURNS
        return Round(float(fresh.mean()), float(fresh @ self.weights), stale, visits, found)

    def _turn(self, now: float, most: int) -> tuple[Any, Any]:
        before = time.perf_counter()
        claimed = self.claimed_from <= now
        pages = self.policy.choose(now, most, claimed)
        changed = self.stale_from[pages] <= now
        self.policy.learn(pages, now, changed, claimed)
        self.choosing += time.perf_counter() - before
        self.visits += len(pages)
        self.stale_from[pages] = self.world.changes.after(pages, now)
        self.claimed_from[pages] = self.world.hints.after(pages, now)
        return pages, changed
