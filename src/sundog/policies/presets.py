"""All policies by name, and checks of their parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sundog.errors import UsageError, nearest, nearest_or_all
from sundog.plugins import Plugins
from sundog.policies.graph import presets as graph
from sundog.policies.hosts import presets as hosts
from sundog.policies.linked import presets as linked
from sundog.policies.objects.policy import as_policy, policy_of
from sundog.policies.objects.values import PolicyObject
from sundog.policies.parameters import PARAMETERS, Parameter, read_parameter
from sundog.policies.policy import Policy
from sundog.policies.published import presets as published

POLICIES: dict[str, Policy] = {
    policy.name: policy for policy in (*hosts.POLICIES, *linked.POLICIES, *graph.POLICIES, *published.POLICIES)
}
AnyPolicy = str | Policy | PolicyObject | Callable[..., PolicyObject]


def _plugged(name: str, given: Any) -> Policy:
    policy = policy_of(given, name)
    if policy.name != name:
        raise ValueError(f"its policy is called '{policy.name}'")
    return policy


PLUGINS: Plugins[Policy] = Plugins("sundog.policies", _plugged, lambda: POLICIES)


def all_policies() -> dict[str, Policy]:
    """Those of Sundog, then those of installed packages."""
    return {**POLICIES, **PLUGINS.all()}


def find_policy(given: AnyPolicy) -> Policy:
    """By its name, or what a caller made."""
    if not isinstance(given, str):
        return as_policy(given)
    if given in POLICIES:
        return POLICIES[given]
    if given in PLUGINS:
        return PLUGINS.load(given)
    raise UsageError(f"unknown policy '{given}'{nearest_or_all(given, [*POLICIES, *PLUGINS.names()])}")


def check_parameters(texts: Mapping[str, Any], policies: Iterable[Policy], arguments: Iterable[str] = ()) -> None:
    """Every parameter must be readable and be known to at least one of the policies.

    ``arguments``: what else the caller takes, and what may be meant by a misspelt name.
    """
    known: dict[str, Parameter] = {}
    for policy in policies:
        known |= policy.parameters
    for name, text in texts.items():
        if name in PARAMETERS or name in known:
            read_parameter(name, text, {**PARAMETERS, **known})
        if name not in known:
            hint = _owners(name) or nearest(name, [*known, *arguments])
            hint = hint or f"; theirs are {', '.join(sorted(known)) or 'none'}"
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


__all__ = ["POLICIES", "AnyPolicy", "Policy", "all_policies", "check_parameters", "find_policy"]
