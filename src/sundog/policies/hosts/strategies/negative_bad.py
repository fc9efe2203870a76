"""The host with the fewest irrelevant pages."""

from __future__ import annotations

from sundog.policies.hosts.strategy import Strategy


def key(good: float, bad: float, best: float) -> float:
    return -bad


STRATEGY = Strategy(
    name="negative-bad",
    summary="the host with the fewest irrelevant pages so far",
    key=key,
)
