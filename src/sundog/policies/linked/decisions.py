"""What becomes of a URI when its turn comes: it is fetched, kept for later, or known to be hopeless."""

from __future__ import annotations

from typing import Any

from sundog._jit import inner, int64
from sundog.frontier.rng import uniform
from sundog.learn.model import predict
from sundog.policies.chooser import (
    CLASSIFIER_PART,
    ESTIMATE,
    EXPLORATION,
    GROUP_PART,
    HOST_PART,
    PROPENSITY,
    SCORE,
)
from sundog.policies.linked.features import gather
from sundog.policies.linked.fifo import ASKED, FETCHES, HOPELESS, KEPT
from sundog.policies.linked.rdf_hints import HARD, NO, YES, by_extension

FETCH = -1  # else the ring in which it waits


@inner
def estimate(s: Any, uri: int) -> float:
    """1 or 0 for easy URIs, else the model's probability."""
    known = easiness(s, uri)
    if known != HARD:
        return 1.0 * (known == YES)
    return 0.5 if s.plan.by_rule else predict(s.model, s.scratch.features, gather(s, uri))


@inner
def easiness(s: Any, uri: int) -> int:
    """By extension and, once it is known, by Content-Type."""
    ends = s.texts.url_ends
    known = by_extension(s.texts.urls, ends[uri], ends[uri + 1], s.plan.by_rule)
    if known == HARD and s.w.nodes[uri].asked:
        kind = s.texts.content_type[uri]
        return NO if kind < 0 else int64(s.texts.easiness[kind])
    return known


@inner
def can_ask_head(s: Any) -> bool:
    """Whether the budget has room for one more HEAD request and the fetch that it is made for."""
    spent = s.w.totals[FETCHES] + s.plan.head * (s.w.totals[ASKED] + 1)
    return s.plan.head == 0.0 or spent + 1.0 <= s.plan.budget


@inner
def has_room(s: Any) -> bool:
    """Whether the budget has room for one more fetch. Those who are told by a world ask ``can_ask`` instead."""
    return not s.plan.head_requests or s.w.totals[FETCHES] + s.plan.head * s.w.totals[ASKED] + 1.0 <= s.plan.budget


@inner
def asks_head_first(s: Any, uri: int) -> bool:
    """Whether a hard URI is to be looked at before anything is decided. Nobody is asked twice, or for nothing."""
    node = s.w.nodes[uri]
    if not s.plan.head_requests or node.asked or node.in_vain or s.w.hosts[node.host].refuses_head:
        return False
    return can_ask_head(s) and easiness(s, uri) == HARD


@inner
def decide(s: Any, uri: int) -> int:
    """FETCH, or the ring in which the URI waits on; sets the weight with which its outcome is learned."""
    node = s.w.nodes[uri]
    if s.plan.head > 0.0 and not s.plan.head_requests and not node.asked and easiness(s, uri) == HARD:
        node.asked = 1
        s.w.totals[ASKED] += 1
    known = easiness(s, uri)
    if known != HARD:
        write_parts(s, 1.0 * (known == YES), 0.0, 1.0)
        node.weight = 0.0
        return FETCH if known == YES else HOPELESS
    if s.plan.by_rule:  # nothing more is known of it; a Content-Type that is not RDF's says no
        write_parts(s, 0.5, 0.0, 1.0)
        return KEPT if node.asked else FETCH
    return _by_model(s, uri)


@inner
def _by_model(s: Any, uri: int) -> int:
    node = s.w.nodes[uri]
    chance = predict(s.model, s.scratch.features, gather(s, uri))
    if chance > s.plan.tau:
        write_parts(s, chance, 0.0, 1.0)
        node.weight = 1.0
        return FETCH
    if s.model.frozen or uniform(s.rng) >= s.plan.epsilon:
        return KEPT
    write_parts(s, chance, 1.0, s.plan.epsilon)
    node.weight = 1.0 / s.plan.epsilon
    return FETCH


@inner
def write_parts(s: Any, chance: float, explored: float, propensity: float) -> None:
    """Why: for the decision that is made of it."""
    said = s.scratch.said
    said[SCORE] = said[ESTIMATE] = said[CLASSIFIER_PART] = said[HOST_PART] = said[GROUP_PART] = chance
    said[EXPLORATION], said[PROPENSITY] = explored, propensity
