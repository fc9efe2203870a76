"""The estimator's word on one candidate."""

from __future__ import annotations

from typing import Any

from sundog._jit import inner
from sundog.learn import ftrl
from sundog.learn.model import predict
from sundog.policies.features import gather
from sundog.policies.plan import BY_CALLER, BY_ODDS, BY_ORDER


@inner
def estimate(f: Any, facts: Any, model: Any, plan: Any, candidate: int, features: Any) -> float:
    """The score by which the candidate's queue is ordered, from what is known now."""
    if plan.estimator == BY_ORDER:
        return -float(f.candidates[candidate].order)
    if plan.estimator == BY_CALLER:
        return f.candidates[candidate].score
    if plan.estimator == BY_ODDS:
        if not plan.use_classifier:
            return 0.0
        return ftrl.log_odds(model.table, model.numbers, features, gather(f, facts, plan, candidate, features))
    return predict(model, features, gather(f, facts, plan, candidate, features))
