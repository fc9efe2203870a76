"""A draw for each host from what its record leaves open; the highest wins. See ``frontier.thompson``."""

from __future__ import annotations

from sundog.policies.hosts.strategy import Strategy

STRATEGY = Strategy(
    name="thompson",
    summary="the host with the highest draw of Beta(good + 1, bad + 1)",
    draw="beta",
)
