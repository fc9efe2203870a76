"""Runs made by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sundog.engines.runs import Run, Trace

WORLD = {"pages": 1000, "hosts": 40, "links": 9000, "relevant": 250}


def trace(
    rewards: Sequence[float],
    estimates: Sequence[float] | None = None,
    select_ns: Sequence[int] | None = None,
    hosts: Sequence[int] | None = None,
) -> Trace:
    n = len(rewards)
    return Trace(
        pages=np.arange(n, dtype=np.int32),
        rewards=np.array(rewards, float),
        estimates=np.array([0.5] * n if estimates is None else estimates, float),
        select_ns=np.array([1000] * n if select_ns is None else select_ns, np.int64),
        hosts=np.array(range(1, n + 1) if hosts is None else hosts, np.int32),
    )


def run(policy: str, of: Trace, *, seed: int = 0, stopped: str = "budget", seconds: float = 0.001) -> Run:
    n, relevant = len(of.rewards), int((of.rewards > 0).sum())
    return Run(policy, seed, n, n, relevant, float(of.rewards.sum()), seconds, 100.0 + seed, stopped, of)


def random_run(policy: str, n: int, *, seed: int = 0) -> Run:
    rng = np.random.default_rng(seed)
    estimates = rng.random(n)
    hosts = np.arange(n) // 10 + 1
    return run(
        policy,
        Trace(
            np.arange(n, dtype=np.int32),
            (rng.random(n) < estimates).astype(float),
            estimates,
            rng.integers(500, 5000, n),
            hosts.astype(np.int32),
        ),
        seed=seed,
    )
