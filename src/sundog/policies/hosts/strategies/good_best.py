"""The host with most relevant pages, times the score of its best page."""

from __future__ import annotations

from sundog.policies.hosts.strategy import Strategy


def key(good: float, bad: float, best: float) -> float:
    return good * best


STRATEGY = Strategy(
    name="good-best",
    summary="the host with the highest good · score of its best page",
    key=key,
    follows_best=True,
    ties="page",
)
