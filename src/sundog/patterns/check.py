"""Whether a spec's patterns compile, and its objective names one of them."""

from __future__ import annotations

from sundog.errors import UsageError, nearest
from sundog.objectives import Objective
from sundog.objectives.pattern_match import PatternMatch
from sundog.patterns.definitions import Patterns
from sundog.patterns.runner import PatternRunner, ResultRunner, plan_of


def check_patterns(patterns: Patterns, objective: Objective) -> None:
    """Raises UsageError for a query that cannot be compiled, and for an objective that names no pattern."""
    known = [each.name for each in patterns.data]
    for condition in objective.condition.walk():
        if isinstance(condition, PatternMatch):
            if not known:
                raise UsageError(f"the objective '{condition}' needs data patterns, and the spec has none")
            if condition.name and condition.name not in known:
                raise UsageError(f"there is no data pattern '{condition.name}'{nearest(condition.name, known)}")
    if patterns:
        with PatternRunner(plan_of(patterns)):
            pass
        if patterns.result.find:
            runner = ResultRunner(patterns)
            runner.start()
            runner.close()
