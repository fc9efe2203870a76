"""The host whose best page is rated best."""

from __future__ import annotations

from sundog.policies.hosts.strategy import Strategy


def key(good: float, bad: float, best: float) -> float:
    return best


STRATEGY = Strategy(
    name="best-score",
    summary="the host whose best page the classifier rates best",
    key=key,
    follows_best=True,
    ties="page",
)
