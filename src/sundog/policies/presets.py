"""All policies by name, and checks of their parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sundog.errors import UsageError, nearest, nearest_or_all
from sundog.policies.graph import presets as graph
from sundog.policies.hosts import presets as hosts
from sundog.policies.linked import presets as linked
from sundog.policies.parameters import PARAMETERS, read_parameter, read_parameters
from sundog.policies.policy import Policy
from sundog.policies.published import presets as published

POLICIES: dict[str, Policy] = {
    policy.name: policy for policy in (*hosts.POLICIES, *linked.POLICIES, *graph.POLICIES, *published.POLICIES)
}
DEFAULT = "sundog"


def find_policy(name: str) -> Policy:
    if name not in POLICIES:
        raise UsageError(f"unknown policy '{name}'{nearest_or_all(name, POLICIES)}")
    return POLICIES[name]


def check_parameters(texts: Mapping[str, Any], policies: Iterable[Policy]) -> None:
    """Every parameter must be readable and be known to at least one of the policies."""
    known = {name for policy in policies for name in policy.accepts}
    for name, text in texts.items():
        read_parameter(name, text) if name in PARAMETERS else None
        if name not in known:
            hint = _owners(name) or nearest(name, known) or f"; theirs are {', '.join(sorted(known)) or 'none'}"
            raise UsageError(f"parameter '{name}' is not one of the chosen policies'{hint}")


def _owners(name: str) -> str:
    """Which policies have the parameter, for those who chose others.

    >>> _owners("head"), _owners("decay"), _owners("no-such")
    ('; ldcoc and ldspider have it', '; naive-bayes, hoeffding-tree and 10 others have it', '')
    """
    *first, last = [policy.name for policy in POLICIES.values() if name in policy.accepts] or [""]
    if not last:
        return ""
    if len(first) > 2:
        first, last = first[:2], f"{len(first) - 1} others"
    return f"; {', '.join(first)} and {last} have it" if first else f"; {last} has it"


__all__ = ["DEFAULT", "POLICIES", "Policy", "check_parameters", "find_policy", "read_parameters"]
