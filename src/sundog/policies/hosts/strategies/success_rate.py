"""The host with the highest success rate."""

from __future__ import annotations

from sundog.policies.hosts.strategy import Strategy


def key(good: float, bad: float, best: float) -> float:
    return (good + 1.0) / (bad + 1.0)


STRATEGY = Strategy(
    name="success-rate",
    summary="the host with the highest (good + 1)/(bad + 1)",
    key=key,
)
