"""The same draw, times the score of the host's best page."""

from __future__ import annotations

from sundog.policies.hosts.strategy import Strategy

STRATEGY = Strategy(
    name="thompson-best",
    summary="the host with the highest Beta draw · best score",
    draw="beta-best",
)
