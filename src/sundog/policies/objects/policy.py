"""A user's object as a policy: what it must have, and where its name and its parameters come from.

``policy=`` takes such an object, or what makes one: a class, whose keyword arguments with defaults are its
parameters. One that is called ``seed`` gets the seed of the crawl.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from sundog.errors import UsageError
from sundog.plugins import first_line
from sundog.policies.objects.values import PolicyObject
from sundog.policies.parameters import Parameter, number, switch, whole_number
from sundog.policies.policy import Policy

if TYPE_CHECKING:
    from sundog.policies.chooser import Chooser, Setup

SEED = "seed"


Maker = Callable[..., PolicyObject]


@dataclass(frozen=True, kw_only=True)
class ObjectPolicy(Policy):
    make: Maker
    seeded: bool = False

    def new_chooser(self, values: Mapping[str, Any], setup: Setup) -> Chooser:
        from sundog.policies.objects.chooser import ObjectChooser

        seed = {SEED: setup.seed} if self.seeded else {}
        return ObjectChooser(self.name, self.make(**values, **seed), setup)

    @property
    def kernels_like(self) -> str:
        return ""


def policy_of(given: Any, name: str = "") -> Policy:
    """A policy, a user's object, or what makes one. Raises ValueError with what is missing."""
    if isinstance(given, Policy):
        return given
    is_maker = isinstance(given, type) or (callable(given) and not hasattr(given, "scores"))
    if not is_maker or isinstance(given, type):
        for method in ("scores", "learn"):
            if not callable(getattr(given, method, None)):
                raise ValueError(
                    f"a policy has the methods scores(candidates) and learn(outcome); no {method} is there"
                )
    own = _parameters(given) if is_maker else {}
    kind = given if is_maker else type(given)
    return ObjectPolicy(
        name=name or str(getattr(kind, "__name__", "policy")),
        summary=first_line(inspect.getdoc(kind)) or "a policy without a description",
        accepts=tuple(own),
        defaults={each: parameter.default for each, parameter in own.items()},
        own={
            each: Parameter(f"{each} of {name or kind.__name__}", _reader(each, p.default))
            for each, p in own.items()
        },
        make=given if is_maker else partial(_itself, given),
        seeded=is_maker and SEED in _arguments(given),
    )


def _itself(given: PolicyObject) -> PolicyObject:
    """A function with a name, so that sessions can be pickled."""
    return given


def _arguments(maker: Maker) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(maker).parameters


def _parameters(maker: Maker) -> dict[str, inspect.Parameter]:
    by_name = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    found = {name: each for name, each in _arguments(maker).items() if each.kind in by_name and name != SEED}
    for name, each in found.items():
        if each.default is inspect.Parameter.empty:
            raise ValueError(f"its argument '{name}' has no default value")
    return found


def _reader(name: str, default: object) -> Callable[[str], Any]:
    """How a text becomes a value of the same kind as the default."""
    if isinstance(default, bool):
        return switch
    if isinstance(default, int):
        return whole_number
    if isinstance(default, float):
        return number
    if isinstance(default, str):
        return str
    raise ValueError(f"the default value of its argument '{name}' is no number, text, true or false")


def as_policy(given: Any) -> Policy:
    """The same as ``policy_of``, for what a caller has passed as ``policy=``."""
    try:
        return policy_of(given)
    except ValueError as error:
        raise UsageError(f"policy={given!r:.80}: {error}") from None
