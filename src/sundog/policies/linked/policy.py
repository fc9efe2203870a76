"""A policy that crawls Linked Data: URIs in order of discovery, let through by a rule or a classifier."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sundog.policies.parameters import CROSSES
from sundog.policies.policy import Policy

if TYPE_CHECKING:
    from sundog.policies.chooser import Setup
    from sundog.policies.linked.chooser import LinkedChooser


@dataclass(frozen=True, kw_only=True)
class LinkedPolicy(Policy):
    prefers_rdf: bool = True
    by_rule: bool = False  # extension and Content-Type decide; there is no model

    def new_chooser(self, values: Mapping[str, Any], setup: Setup) -> LinkedChooser:
        from sundog.policies.linked.chooser import LinkedChooser  # loads kernels

        asks = values["head"] != self.defaults["head"]
        return LinkedChooser(values, setup, name=self.name, by_rule=self.by_rule, must_ask_head=asks)

    @property
    def kernels_like(self) -> str:
        return "ldcoc"

    def compares_siblings(self, values: Mapping[str, Any]) -> bool:
        return bool({**self.defaults, **values}.get("features", 0) & CROSSES)
