"""The page template whose best page is worth most, exploration included. That is more than a function of three
numbers: ``appraise`` computes it."""

from __future__ import annotations

from sundog.policies.hosts.strategy import Strategy

STRATEGY = Strategy(
    name="sundog",
    summary="the page template whose best page is worth most",
    follows_best=True,
    ties="page",
    arms="templates",
)
