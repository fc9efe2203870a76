"""Steering for a crawl that begins, or goes on."""

from __future__ import annotations

from collections.abc import Iterable

from sundog.engines.live.journal import Journal
from sundog.engines.live.spending import Spending
from sundog.engines.live.steering.marks import bare
from sundog.engines.live.steering.steering import Steering
from sundog.errors import UsageError, nearest
from sundog.objectives import Objective
from sundog.objectives.patterns import PatternMatch
from sundog.patterns.plan import Plan, plan_of
from sundog.patterns.runner import PatternRunner
from sundog.patterns.whole import ResultRunner
from sundog.spec import CrawlSpec
from sundog.store import Observed


def check_patterns(spec: CrawlSpec, objective: Objective) -> None:
    """Raises UsageError for a query that cannot be compiled, and for an objective that names no pattern."""
    known = [each.name for each in spec.patterns.data]
    for condition in objective.condition.everywhere():
        if isinstance(condition, PatternMatch):
            if not known:
                raise UsageError(f"the objective '{condition}' needs data patterns, and the spec has none")
            if condition.name and condition.name not in known:
                raise UsageError(f"there is no data pattern '{condition.name}'{nearest(condition.name, known)}")
    if spec.patterns:
        with PatternRunner(plan_of(spec.patterns)):
            pass
        if spec.patterns.result.find:
            runner = ResultRunner(spec.patterns)
            runner.start()
            runner.close()


def new_steering(
    spec: CrawlSpec,
    plan: Plan | None,
    journal: Journal,
    spending: Spending,
    outcomes: Iterable[Observed] = (),
) -> Steering | None:
    """None: there are no patterns. ``outcomes`` are those of a crawl that goes on."""
    if plan is None:
        return None
    store, catalog = journal.store, journal.catalog
    steering = Steering(
        spec.patterns,
        plan,
        url_of=catalog.url,
        depth_of=store.depth,
        parent_of=store.parent,
        seconds=lambda: spending.seconds,
    )
    if steering.priorities:
        journal.prefer = lambda decision: steering.priorities.better(decision, journal.session)
    steering.visits.offer(map(bare, catalog.urls_since(0)))
    is_resumed = False
    for event in outcomes:
        steering.recall(event)
        is_resumed = True
    if is_resumed:
        steering.recall_matches(store)
    return steering
