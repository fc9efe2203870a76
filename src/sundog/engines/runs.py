"""A crawl fetch by fetch (``Trace``), and what is known of a simulated one at its end (``Run``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sundog.arrow import pa
from sundog.completeness.estimate import Left
from sundog.short_repr import ShortRepr

CURVE_POINTS = 200


@dataclass(frozen=True, repr=False)
class Trace(ShortRepr):
    """What happened at each fetch, in the order of the choices."""

    pages: Any  # int32: the page
    rewards: Any  # float64
    estimates: Any  # float64: what the estimator expected of it
    select_ns: Any  # int64: how long the choice took
    hosts: Any  # int32: hosts known by then

    def _shown(self) -> dict[str, Any]:
        return {"fetches": len(self.pages)}


@dataclass(frozen=True, repr=False)
class Run(ShortRepr):
    """One simulated crawl."""

    policy: str
    seed: int
    budget: int
    fetched: int
    relevant: int
    reward: float
    seconds: float
    peak_rss_mb: float
    stopped: str
    trace: Trace
    scores: tuple[tuple[int, float], ...] = ()  # (fetched, subset score), if simulate was given one
    left: Left | None = None  # wanted pages that were not fetched, if simulate was asked

    def _shown(self) -> dict[str, Any]:
        shown = {name: getattr(self, name) for name in ("policy", "seed", "fetched", "relevant")}
        return {**shown, "harvest_rate": round(self.harvest_rate, 4), "stopped": self.stopped}

    def to_arrow(self) -> Any:
        """An Arrow table with one row a fetch; ``page`` is the page's row in the world."""
        trace, n = self.trace, self.fetched
        columns = {"policy": [self.policy] * n, "seed": [self.seed] * n, "fetch": np.arange(1, n + 1)}
        facts = {"page": trace.pages, "reward": trace.rewards, "estimate": trace.estimates}
        return pa.table({**columns, **facts, "select_ns": trace.select_ns, "hosts": trace.hosts})

    @property
    def harvest_rate(self) -> float:
        return self.relevant / max(1, self.fetched)

    @property
    def us_per_fetch(self) -> float:
        return 1e6 * self.seconds / max(1, self.fetched)

    @property
    def curve(self) -> list[tuple[int, int]]:
        """(fetched, relevant) at evenly spread moments, the end included."""
        total = np.cumsum(self.trace.rewards > 0)
        return [(at, int(total[at - 1])) for at in curve_points(self.fetched)]

    @property
    def select_us(self) -> dict[str, float]:
        times = self.trace.select_ns / 1000 if len(self.trace.select_ns) else np.zeros(1)
        return {
            "mean": float(times.mean()),
            "p50": float(np.percentile(times, 50)),
            "p99": float(np.percentile(times, 99)),
        }

    def as_json(self) -> dict[str, Any]:
        names = (
            "policy",
            "seed",
            "budget",
            "fetched",
            "relevant",
            "reward",
            "harvest_rate",
            "curve",
            "seconds",
        )
        more = ("select_us", "us_per_fetch", "peak_rss_mb", "stopped")
        told = {} if self.left is None else {"left": self.left.as_json()}
        return {**{name: getattr(self, name) for name in (*names, *more)}, **told}


def curve_points(fetched: int) -> list[int]:
    """Evenly spread moments of a crawl, the end included."""
    if not fetched:
        return []
    points: list[int] = np.unique(np.linspace(1, fetched, CURVE_POINTS).astype(int)).tolist()
    return points
