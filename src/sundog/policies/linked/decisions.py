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
from sundog.policies.linked.fifo import FETCHES, HEADS, HOPELESS, KEPT
from sundog.policies.linked.rdf_hints import HARD, NO, YES, by_extension

FETCH = -1  # else the queue in which it waits


@inner
def estimate(s: Any, uri: int) -> float:
    """1 or 0 if there is a hint, else the model's probability."""
    known = hint(s, uri)
    if known != HARD:
        return 1.0 * (known == YES)
    return 0.5 if s.plan.by_rule else predict(s.model, s.scratch.features, gather(s, uri))


@inner
def hint(s: Any, uri: int) -> int:
    """Whether it leads to RDF, by its extension and, once it is known, its Content-Type: YES, NO or HARD."""
    ends = s.texts.url_ends
    known = by_extension(s.texts.urls, ends[uri], ends[uri + 1], s.plan.by_rule)
    if known == HARD and s.w.nodes[uri].head_known:
        kind = s.texts.content_type[uri]
        return NO if kind < 0 else int64(s.texts.hints[kind])
    return known


@inner
def can_ask_head(s: Any) -> bool:
    """Whether the budget has room for one more HEAD request and the fetch that it is made for."""
    spent = s.w.totals[FETCHES] + s.plan.head * (s.w.totals[HEADS] + 1)
    return s.plan.head == 0.0 or spent + 1.0 <= s.plan.budget


@inner
def has_room(s: Any) -> bool:
    """Whether the budget has room for one more fetch. If a world knows the types, ``can_ask_head`` decides."""
    return not s.plan.head_requests or s.w.totals[FETCHES] + s.plan.head * s.w.totals[HEADS] + 1.0 <= s.plan.budget


@inner
def asks_head_first(s: Any, uri: int) -> bool:
    """Whether a HEAD request is made for a hard URI before anything is decided; never twice, or for nothing."""
    node = s.w.nodes[uri]
    if not s.plan.head_requests or node.head_known or node.head_failed or s.w.hosts[node.host].refuses_head:
        return False
    return can_ask_head(s) and hint(s, uri) == HARD


@inner
def decide(s: Any, uri: int) -> int:
    """FETCH, or the queue in which the URI waits on; sets the weight with which its outcome is learned."""
    node = s.w.nodes[uri]
    if s.plan.head > 0.0 and not s.plan.head_requests and not node.head_known and hint(s, uri) == HARD:
        node.head_known = 1
        s.w.totals[HEADS] += 1
    known = hint(s, uri)
    if known != HARD:
        write_parts(s, 1.0 * (known == YES), 0.0, 1.0)
        node.weight = 0.0
        return FETCH if known == YES else HOPELESS
    if s.plan.by_rule:  # nothing more is known of it; a Content-Type that is not RDF's says no
        write_parts(s, 0.5, 0.0, 1.0)
        return KEPT if node.head_known else FETCH
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
    parts = s.scratch.parts
    parts[SCORE] = parts[ESTIMATE] = parts[CLASSIFIER_PART] = parts[HOST_PART] = parts[GROUP_PART] = chance
    parts[EXPLORATION], parts[PROPENSITY] = explored, propensity
