"""What the kernels work on, behind one reference for each estimator; see ``sundog.policies.state``."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.experimental import structref

from sundog._jit import njit

FIELDS = ["g", "r", "rng", "parts"]


@structref.register
class GraphStateType(types.StructRef):  # type: ignore[misc]
    """The fields' types are those of what ``build_graph_state`` was given."""


class GraphState(structref.StructRefProxy):  # type: ignore[misc]
    """Graph, Ranking, the state of the generator of random numbers, and the parts of a decision."""


structref.define_proxy(GraphState, GraphStateType, FIELDS)


@njit
def build_graph_state(g: Any, r: Any, rng: Any, parts: Any) -> Any:
    return GraphState(g, r, rng, parts)
