"""Random pages, so that the log of a crawl can say what other policies would have done."""

from __future__ import annotations

from dataclasses import dataclass

from sundog.policies.parameters import checked_explore_log


@dataclass(frozen=True, kw_only=True)
class Explore:
    log: float = 0.0  # the probability of a random page in place of the policy's choice, such as 0.02

    def check(self) -> None:
        checked_explore_log(self.log)
