"""The host with the highest success rate, times the score of its best page."""

from __future__ import annotations

from sundog.policies.hosts.strategy import Strategy


def key(good: float, bad: float, best: float) -> float:
    return (good + 1.0) / (bad + 1.0) * best


STRATEGY = Strategy(
    name="success-best",
    summary="the host with the highest success rate · best score",
    key=key,
    follows_best=True,
)
