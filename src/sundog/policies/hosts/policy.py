"""A policy that chooses among hosts, or among their page templates: an estimator and a strategy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sundog.policies.hosts.plan import Estimator
from sundog.policies.hosts.strategy import Strategy
from sundog.policies.policy import Policy

if TYPE_CHECKING:
    from sundog.policies.chooser import Setup
    from sundog.policies.hosts.chooser import HostChooser


@dataclass(frozen=True, kw_only=True)
class HostPolicy(Policy):
    estimator: Estimator
    strategy: Strategy

    def new_chooser(self, values: Mapping[str, Any], setup: Setup) -> HostChooser:
        from sundog.policies.hosts.chooser import HostChooser  # loads kernels

        return HostChooser(self.estimator, self.strategy, values, setup, name=self.name)

    @property
    def kernels_like(self) -> str:
        return "thompson" if self.strategy.samples else "success-rate"
