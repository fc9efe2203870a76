"""The world that a spec asks for, and whether its objective can be met there."""

from __future__ import annotations

import math
import os
from typing import Any

from sundog.engines.live.worlds.api import ApiWorld
from sundog.engines.live.worlds.counted_requests import Ledger, NodeRequests
from sundog.engines.live.worlds.form import FormWorld
from sundog.engines.live.worlds.world import World
from sundog.errors import UsageError
from sundog.fetch.polite import PoliteFetcher
from sundog.objectives import Judge, Objective
from sundog.session import CrawlSession
from sundog.spec import CrawlSpec
from sundog.store import CrawlStore

UNSAID = "any"  # the objective of a spec that names none


def check_world(spec: CrawlSpec, objective: Objective) -> None:
    """Raises UsageError for what could be known only in the middle of the crawl otherwise."""
    if spec.world == "web":
        objective.judge().close()
    elif spec.world == "api":
        spec.api.sent_headers(os.environ)
        _check_scores(spec, objective)
    elif spec.objective != UNSAID:
        raise UsageError(f"world = \"form\" is after new records: it has no objective '{spec.objective}'")


def _check_scores(spec: CrawlSpec, objective: Objective) -> None:
    if spec.api.score:
        if spec.objective != UNSAID:
            raise UsageError(f"api.score and the objective '{spec.objective}' both score nodes: give one of them")
    elif objective.text_score is None:
        raise UsageError(
            f"the objective '{spec.objective}' cannot score answers of an API: say keyword:…, or give api.score"
        )
    elif not spec.api.texts:
        raise UsageError(f"'api.texts' is missing: a JMESPath expression for the texts of '{spec.objective}'")


def new_node_world(
    spec: CrawlSpec,
    polite: PoliteFetcher,
    ledger: Ledger,
    store: CrawlStore,
    session: CrawlSession,
    judge: Judge,
    objective: Objective,
) -> World[Any]:
    max_depth = math.inf if spec.scope.max_depth is None else spec.scope.max_depth
    if spec.world == "form":
        return FormWorld(spec.form, NodeRequests(spec, polite, ledger), store, max_depth)
    asking = NodeRequests(spec, polite, ledger, lambda: session.budget)
    headers = spec.api.sent_headers(os.environ)
    return ApiWorld(spec.api, asking, judge, objective.text_score, headers, max_depth)
