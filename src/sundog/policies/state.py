"""All that kernels work on, behind one reference.

Passing some forty arrays to a compiled function costs more than the function itself; a structref
costs one microsecond however much it holds.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import types
from numba.experimental import structref

from sundog._jit import njit
from sundog.policies.beliefs import Beliefs
from sundog.policies.templates import Templates


class Hierarchy(NamedTuple):
    """What ``sundog`` alone has; empty for the other policies."""

    templates: Templates
    beliefs: Beliefs
    said: Any  # float64: scratch


FIELDS = ["f", "t", "h", "facts", "model", "plan", "rng", "features", "parts"]


@structref.register
class StateType(types.StructRef):  # type: ignore[misc]
    """The fields' types are those of what ``build_state`` was given."""


class State(structref.StructRefProxy):  # type: ignore[misc]
    """Frontier, Thompson or None, Hierarchy, Facts, Model, Plan, and three scratch arrays."""


structref.define_proxy(State, StateType, FIELDS)


@njit
def build_state(
    f: Any, t: Any, h: Any, facts: Any, model: Any, plan: Any, rng: Any, features: Any, parts: Any
) -> Any:
    return State(f, t, h, facts, model, plan, rng, features, parts)
