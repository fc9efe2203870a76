"""`sundog`: its index of hosts and page templates; from the first scored link on also the experts for such graphs.

No setting says that links have scores. Until one has, the last pages are remembered, so that the experts begin
with what they would know had they been there from the beginning.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping
from typing import Any

import numpy as np

from sundog.frontier.arrays import DONE, QUEUED, UNKNOWN
from sundog.model import LinkBatch
from sundog.policies.chooser import EXPLORATION, PROPENSITY, SCORE, Setup
from sundog.policies.hosts import steps
from sundog.policies.hosts.chooser import HostChooser
from sundog.policies.hosts.plan import Estimator
from sundog.policies.hosts.strategy import Strategy
from sundog.policies.mixed.experts import Experts

REMEMBERED = 256  # pages


class MixedChooser(HostChooser):
    def __init__(
        self, estimator: Estimator, strategy: Strategy, values: Mapping[str, Any], setup: Setup, *, name: str
    ) -> None:
        super().__init__(estimator, strategy, values, setup, name=name)
        self._setup, self._hashes = setup, int(values["hashes"])
        self._before = deque[tuple[int, float, LinkBatch]](maxlen=REMEMBERED)
        self._awaits_scores = bool(values.get("neighbours", True))
        self._experts: Experts | None = None

    def _call_experts(self) -> None:
        """Tell them all that has happened so far."""
        self._awaits_scores = self.scores_are_worths = False  # each expert has a scale of its own
        experts = self._experts = Experts(self._hashes, self._setup)
        candidates = self._frontier.candidates[: self.source.size]
        known = np.flatnonzero(candidates["state"] != UNKNOWN)
        known = known[np.argsort(candidates["order"][known], kind="stable")].astype(np.int32)
        nothing = np.empty(0, np.int32)
        experts.offer(LinkBatch(known, nothing, nothing))
        taken = {page: (reward, links) for page, reward, links in self._before}
        for candidate in known[candidates["state"][known] != QUEUED].tolist():
            experts.lease(candidate, counts=True)
            if candidates["state"][candidate] == DONE and candidate not in taken:
                experts.drop(candidate)
        for candidate, (reward, links) in taken.items():
            experts.take_in(candidate, reward, links)
        self._before.clear()
        for host in np.flatnonzero(self._frontier.hosts["asleep"][: self.source.hosts]).tolist():
            experts.set_asleep(host, True)

    # -- as ``Chooser`` says -----------------------------------------------------------------------

    def choose(self) -> int:
        if self._experts is None:
            return super().choose()
        by_hosts: int = steps.nominate(self._state)
        if by_hosts < 0:
            return -1
        candidate = self._experts.choose(by_hosts)
        self.explain(candidate)
        self.parts[PROPENSITY] = 1.0
        super().lease(candidate, counts=True)
        return candidate

    def explain(self, candidate: int) -> None:
        """The score is that of the expert who is followed; what it is made of is what the index of hosts says."""
        super().explain(candidate)
        score = self._experts.score(candidate) if self._experts else None
        if score is not None:
            self.parts[SCORE], self.parts[EXPLORATION] = score, 0.0

    def worth(self, host: int) -> float:
        return super().worth(host) if self._experts is None else math.nan

    def _take_in(self, candidate: int, reward: float, near: float, links: LinkBatch) -> int:
        """The experts know nothing of near misses."""
        if self._awaits_scores:
            if len(links.scores) and np.any(links.scores):
                self._call_experts()
            else:
                self._before.append((candidate, reward, links))
        if self._experts:
            self._experts.take_in(candidate, reward, links)
        return super()._take_in(candidate, reward, near, links)

    def crawls_static(self) -> bool:
        """Of a world whose links have no scores: nobody will ask for the pages before the first one."""
        return self._experts is None and super().crawls_static()

    def offer(self, parent: int, links: LinkBatch) -> int:
        if self._experts:
            self._experts.offer(links)
        return super().offer(parent, links)

    def lease(self, candidate: int, *, counts: bool) -> None:
        if self._experts:
            self._experts.lease(candidate, counts=counts)
        super().lease(candidate, counts=counts)

    def drop(self, candidate: int) -> None:
        if self._experts:
            self._experts.drop(candidate)
        super().drop(candidate)

    def give_back(self, candidate: int) -> None:
        if self._experts:
            self._experts.give_back(candidate)
        super().give_back(candidate)

    def set_asleep(self, host: int, asleep: bool) -> None:
        if self._experts:
            self._experts.set_asleep(host, asleep)
        super().set_asleep(host, asleep)

    def grow(self) -> None:
        super().grow()
        if self._experts:
            self._experts.grow()

    def restored(self) -> None:
        super().restored()
        if self._experts:
            self._experts.restored()
