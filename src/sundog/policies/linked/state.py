"""What the kernels work on, behind one reference; see ``sundog.policies.state``."""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import types
from numba.experimental import structref

from sundog._jit import njit


class LinkedPlan(NamedTuple):
    """The policy in numbers."""

    features: int
    hashes: int
    tau: float  # an estimate above it is positive
    epsilon: float  # the share of predicted negatives that are fetched
    similar: float  # a similarity above it is high
    head: float  # what a HEAD request costs, in fetches; 0: none is made
    looks: bool  # HEAD requests are made by whoever drives the session; else the world knows what they would tell
    by_rule: bool  # ldspider: no model
    budget: int


class Texts(NamedTuple):
    """URLs and properties as bytes, and Content-Types: what a world has, or what has been told in a live crawl."""

    urls: Any  # uint8
    url_ends: Any  # int64
    texts: Any
    text_ends: Any
    host: Any  # int32: of each URI
    content_type: Any  # int32: index of ``easiness``, or empty
    easiness: Any  # int64: YES, HARD or NO


class Scratch(NamedTuple):
    features: Any  # int32
    parts: Any  # uint64: hashes of one URI's parts
    seen: Any  # int32[hashes]: the round in which an index was written last, for features are binary
    round: Any  # int64[1]
    table: Any  # Levenshtein's
    said: Any  # float64: the parts of a decision


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
