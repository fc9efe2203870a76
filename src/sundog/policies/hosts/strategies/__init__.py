"""The strategies, one a file. Kernels know a strategy by its place in ``STRATEGIES``."""

from __future__ import annotations

from sundog.policies.hosts.strategies import (
    best_score,
    good_best,
    negative_bad,
    random_host,
    success_best,
    success_rate,
    template_worth,
    thompson,
    thompson_best,
)

# With the paper's learner and features, each of these is a policy under its own name; see ``presets``.
BANDITS = (
    best_score.STRATEGY,
    negative_bad.STRATEGY,
    success_rate.STRATEGY,
    thompson.STRATEGY,
    good_best.STRATEGY,
    thompson_best.STRATEGY,
    success_best.STRATEGY,
)
STRATEGIES = (*BANDITS, random_host.STRATEGY, template_worth.STRATEGY)
