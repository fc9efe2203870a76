"""The kernels that ``LinkedChooser`` calls: the next URI, its outcome and links, and small ones. They take a
``LinkedState``, for the reason that ``policies.hosts.steps`` gives."""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import types
from numba.experimental import structref

from sundog._jit import inner, int64, njit
from sundog._view import view
from sundog.frontier.arrays import LEASED, QUEUED
from sundog.policies.linked.decisions import (
    FETCH,
    asks_head_first,
    can_ask_head,
    decide,
    estimate,
    has_room,
    hint,
    write_parts,
)
from sundog.policies.linked.features import gather
from sundog.policies.linked.fifo import (
    AGAIN,
    FETCHES,
    HEADS_OPEN,
    HOPELESS,
    KEPT,
    NEW,
    QUEUED_TOTAL,
    pop,
    push,
    rest,
    wake,
)
from sundog.policies.linked.intake import absorb, end_head_request, offer_links, teach_all
from sundog.policies.linked.rdf_hints import HARD

MOST_KEPT_ESTIMATED = 64  # when nothing else is left


class LinkedPlan(NamedTuple):
    """The policy in numbers."""

    features: int
    hashes: int
    tau: float  # an estimate above it is positive
    epsilon: float  # the share of predicted negatives that are fetched
    similar: float  # a similarity above it is high
    head: float  # what a HEAD request costs, in fetches; 0: none is made
    head_requests: bool  # made by whoever drives the session; else the world knows their results
    by_rule: bool  # ldspider: no model
    budget: int


class Texts(NamedTuple):
    """URLs and properties as bytes, and Content-Types: those of a world, or as a live crawl learns them."""

    urls: Any  # uint8
    url_ends: Any  # int64
    texts: Any
    text_ends: Any
    host: Any  # int32: of each URI
    content_type: Any  # int32: index of ``hints``, or empty
    hints: Any  # int64: YES, HARD or NO


class Scratch(NamedTuple):
    features: Any  # int32
    uri_parts: Any  # uint64: hashes
    seen: Any  # int32[hashes]: the round in which an index was written last, for features are binary
    round: Any  # int64[1]
    table: Any  # Levenshtein's
    parts: Any  # float64: of a decision


FIELDS = ["w", "texts", "model", "plan", "rng", "scratch"]


@structref.register
class LinkedStateType(types.StructRef):  # type: ignore[misc]
    """The fields' types are those of what ``build_linked_state`` was given."""


class LinkedState(structref.StructRefProxy):  # type: ignore[misc]
    """Waiting, Texts, Model, LinkedPlan, the state of the generator of random numbers, Scratch."""


structref.define_proxy(LinkedState, LinkedStateType, FIELDS)


@njit
def build_linked_state(w: Any, texts: Any, model: Any, plan: Any, rng: Any, scratch: Any) -> Any:
    return LinkedState(w, texts, model, plan, rng, scratch)


@njit
def choose(s: Any) -> int:
    """Lease the next URI and explain it in the parts; -1 if none is ready or the budget is spent."""
    return _choose(view(s))


@njit
def take_in(s: Any, uri: int, good: bool, targets: Any, paths: Any, groups: Any, with_siblings: bool) -> int:
    """Learn from the outcome of a leased URI, then offer its links; return how many are new."""
    v = view(s)
    absorb(v, uri, good)
    return offer_links(v, uri, targets, paths, groups, with_siblings)


@njit
def offer(s: Any, parent: int, targets: Any, paths: Any, groups: Any, with_siblings: bool) -> int:
    return offer_links(view(s), parent, targets, paths, groups, with_siblings)


@njit
def teach(s: Any, uris: Any, labels: Any) -> None:
    """Learn from labelled URIs, in order."""
    teach_all(view(s), uris, labels)


@njit
def give_back(s: Any, uri: int) -> None:
    _give_back(view(s), uri)


@njit
def lease_known(s: Any, uri: int) -> None:
    _lease_known(view(s), uri)


@njit
def set_asleep(s: Any, host: int, asleep: bool) -> None:
    _set_asleep(view(s), host, asleep)


@njit
def estimates(s: Any, uris: Any, out: Any) -> None:
    """The present estimate of each URI."""
    _estimates(view(s), uris, out)


@njit
def is_hard(s: Any, uri: int) -> bool:
    """Whether a URI's extension, and its Content-Type if that is known, leave open what it leads to."""
    return hint(view(s), uri) == HARD


@njit
def explain(s: Any, uri: int) -> None:
    v = view(s)
    write_parts(v, estimate(v, uri), 0.0, 1.0)


@njit
def gather_features(s: Any, uri: int) -> int:
    return gather(view(s), uri)


# -- what they are made of ------------------------------------------------------------------------


@inner
def _lease(s: Any, uri: int) -> int:
    s.w.nodes[uri].state = LEASED
    s.w.nodes[uri].decided = not s.w.nodes[uri].head_open
    s.w.totals[HEADS_OPEN] += s.w.nodes[uri].head_open
    s.w.totals[QUEUED_TOTAL] -= 1
    s.w.totals[FETCHES] += 1
    return uri


@inner
def _next_of(s: Any, queue: int) -> int:
    """The first of a queue that is to be fetched or asked about, or -1; the others go where they belong."""
    w = s.w
    while w.sizes[queue] > 0 and (s.plan.head_requests or can_ask_head(s)):
        uri = pop(w, queue)
        if w.nodes[uri].state != QUEUED:
            continue
        if w.hosts[w.nodes[uri].host].asleep:
            rest(w, uri)
            continue
        if w.nodes[uri].decided:
            write_parts(s, estimate(s, uri), 0.0, 1.0)
            return uri
        if asks_head_first(s, uri):
            write_parts(s, estimate(s, uri), 0.0, 1.0)
            w.nodes[uri].head_open = 1
            return uri
        verdict = decide(s, uri)
        if verdict == FETCH:
            return uri
        push(w, verdict, uri)
    return -1


@inner
def _second_thought(s: Any) -> int:
    """The oldest of the kept URIs, if the model has changed its mind about it; else it goes to the back."""
    w = s.w
    if w.sizes[KEPT] == 0 or s.plan.by_rule or s.model.frozen:
        return -1
    uri = pop(w, KEPT)
    if w.nodes[uri].state != QUEUED:
        return -1
    if not w.hosts[w.nodes[uri].host].asleep:
        chance = estimate(s, uri)
        if chance > s.plan.tau:
            write_parts(s, chance, 0.0, 1.0)
            w.nodes[uri].weight = 1.0
            return uri
    push(w, KEPT, uri)
    return -1


@inner
def _best_kept(s: Any) -> int:
    """Of the oldest kept ones the best, when nothing else is left; a rule or a frozen model takes the oldest."""
    w, best, best_chance = s.w, -1, -1.0
    tries = 1 if s.plan.by_rule or s.model.frozen else MOST_KEPT_ESTIMATED
    for _ in range(w.sizes[KEPT]):
        uri = pop(w, KEPT)
        if w.nodes[uri].state != QUEUED:
            continue
        push(w, KEPT, uri)
        if w.hosts[w.nodes[uri].host].asleep:
            continue
        tries -= 1
        chance = estimate(s, uri)
        if chance > best_chance:
            best, best_chance = uri, chance
        if tries == 0:
            break
    if best >= 0:
        write_parts(s, best_chance, 1.0, 1.0)
        w.nodes[best].weight = 1.0
    return best


@inner
def _last_resort(s: Any) -> int:
    w = s.w
    for _ in range(w.sizes[HOPELESS]):
        uri = pop(w, HOPELESS)
        if w.nodes[uri].state != QUEUED:
            continue
        if not w.hosts[w.nodes[uri].host].asleep:
            write_parts(s, 0.0, 0.0, 1.0)
            return uri
        push(w, HOPELESS, uri)
    return -1


@inner
def _choose(s: Any) -> int:
    if not has_room(s):
        return -1
    uri = _next_of(s, AGAIN)
    if uri < 0:
        uri = _second_thought(s)
    if uri < 0:
        uri = _next_of(s, NEW)
    if uri < 0 and s.w.sizes[NEW] == 0 and s.w.totals[HEADS_OPEN] == 0:  # what is asked about may be better
        uri = _best_kept(s)
        if uri < 0:
            uri = _last_resort(s)
    return _lease(s, uri) if uri >= 0 else -1


@inner
def _give_back(s: Any, uri: int) -> None:
    w = s.w
    w.nodes[uri].state = QUEUED
    end_head_request(w, uri)
    w.totals[QUEUED_TOTAL] += 1
    w.totals[FETCHES] -= 1
    if w.nodes[uri].queue == 0:
        push(w, AGAIN, uri)


@inner
def _lease_known(s: Any, uri: int) -> None:
    """Lease a URI that an earlier crawl chose, with the weight that a choice now would give its outcome."""
    node = s.w.nodes[uri]
    if not node.decided:
        chance = estimate(s, uri)
        node.weight = 0.0 if chance == 0.0 or chance == 1.0 else 1.0
        if 0.0 < chance <= s.plan.tau:
            node.weight = 1.0 / s.plan.epsilon
    _lease(s, uri)


@inner
def _set_asleep(s: Any, host: int, asleep: bool) -> None:
    s.w.hosts[host].asleep = asleep
    if not asleep:
        wake(s.w, host)


@inner
def _estimates(s: Any, uris: Any, out: Any) -> None:
    for i in range(len(uris)):
        out[i] = estimate(s, int64(uris[i]))
