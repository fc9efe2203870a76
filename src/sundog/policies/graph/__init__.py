"""Exploration of a graph with scores on nodes and links: the estimators of Gouriten, Maniu and Senellart."""

from __future__ import annotations

from typing import Any

from sundog.policies.chooser import Source
from sundog.policies.graph.chooser import GraphChooser, OracleChooser
from sundog.policies.graph.ensemble import EnsembleChooser
from sundog.policies.presets import Policy


def new_chooser(policy: Policy, values: dict[str, Any], source: Source, *, seed: int, truth: Any) -> GraphChooser:
    if policy.foresees:
        return OracleChooser(policy, values, source, seed=seed, truth=truth)
    kind = EnsembleChooser if policy.name == "ensemble" else GraphChooser
    return kind(policy, values, source, seed=seed)
