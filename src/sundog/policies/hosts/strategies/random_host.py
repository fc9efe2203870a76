"""Any host, then any page of it."""

from __future__ import annotations

from sundog.policies.hosts.strategy import Strategy

STRATEGY = Strategy(
    name="random",
    summary="a uniform random host, then a uniform random page of it",
    draw="uniform",
)
