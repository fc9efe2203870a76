"""The oracle among the estimators of graphs, so that it can be steered as they are: to see what steering costs."""

from __future__ import annotations

from typing import Any

from sundog.policies.chooser import Source
from sundog.policies.graph.chooser import GraphChooser
from sundog.policies.presets import Policy


class OracleChooser(GraphChooser):
    """``truth`` is the score of every node of a static source; it ranks a node once a page has led there."""

    def __init__(self, policy: Policy, values: dict[str, Any], source: Source, *, seed: int, truth: Any) -> None:
        super().__init__(policy, values, source, seed=seed)
        self._graph.nodes["rank"][: len(truth)] = truth
