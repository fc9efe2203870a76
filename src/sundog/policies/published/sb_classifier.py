"""SB-CLASSIFIER: arms are groups of similar tag paths, chosen by AUER; URLs that look wanted are fetched at once.

Gauquier, Manolescu, Senellart: Efficient Crawling for Scalable Web Data Acquisition. There, wanted are files of
some types, which have no links. Here they are pages, and this follows from it:

* a page's arm is that of the first link to it, also if it was fetched at once
* an arm's reward are the wanted pages to which its pages led first, counted when they are fetched
* the URL classifier learns from every fetched page; the paper also asks with HEAD requests, which cannot tell here
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from sundog.frontier.arrays import longer
from sundog.model import LinkBatch
from sundog.policies.chooser import CLASSIFIER_PART, ESTIMATE, EXPLORATION, GROUP_PART, SCORE, Setup
from sundog.policies.published.python_chooser import Found, Pools, PythonChooser, Ranked
from sundog.policies.published.tag_paths import TagPathGroups
from sundog.policies.published.url_classifier import UrlClassifier

NEVER = 1e-6  # in place of 0 fetches


class ArmChooser(PythonChooser):
    """Links in arms by their tag paths, and what pages of each arm led to."""

    def __init__(self, values: Mapping[str, Any], setup: Setup) -> None:
        super().__init__(setup)
        self._groups = TagPathGroups(values["similarity"])
        self._arms: dict[int, int] = {}
        self._parents: dict[int, int] = {}
        self._rewards = np.zeros(1)
        self._fetched = np.zeros(1)
        self._fetches = 0

    def found(self, new: list[Found]) -> None:
        for one in new:
            self._parents[one.candidate] = one.parent
            if one.parent >= 0:
                self._arms[one.candidate] = self._groups.group_of(self.text(one.path))
        self._rewards = longer(self._rewards, len(self._groups))
        self._fetched = longer(self._fetched, len(self._groups))

    def learn(self, candidate: int, reward: float, links: LinkBatch) -> None:
        self._fetches += 1
        if candidate in self._arms:
            self._fetched[self._arms[candidate]] += 1
        led_by = self._arms.get(self._parents[candidate], -1)
        if reward > 0 and led_by >= 0:
            self._rewards[led_by] += 1

    def mean(self, arm: int) -> float:
        return float(self._rewards[arm] / max(self._fetched[arm], 1.0))


class SbClassifier(ArmChooser):
    def __init__(self, values: Mapping[str, Any], setup: Setup) -> None:
        super().__init__(values, setup)
        self._alpha: float = values["alpha"]
        self._urls = UrlClassifier()
        self._pools = Pools()
        self._at_once: set[int] = set()  # seeds and pages that look wanted
        self._first = Ranked()  # those of them that wait, in order of discovery

    def found(self, new: list[Found]) -> None:
        super().found(new)
        self._pools.make_room(len(self._groups))  # an arm may have pages that are fetched at once, and no others
        for one in new:
            looks_wanted = self._urls.is_trained and self._urls.margin(self.source.url(one.candidate)) > 0
            if one.parent < 0 or looks_wanted:
                self._at_once.add(one.candidate)

    def enter(self, candidate: int) -> None:
        host = self.host_of(candidate)
        if candidate in self._at_once:
            self._first.add(candidate, host, 0.0)
        else:
            self._pools.add(self._arms[candidate], candidate, host)

    def leave(self, candidate: int) -> None:
        host = self.host_of(candidate)
        if candidate in self._at_once:
            self._first.remove(candidate, host)
        else:
            self._pools.remove(self._arms[candidate], candidate, host)

    def host_changed(self, host: int, asleep: bool) -> None:
        self._first.set_asleep(host, asleep)
        self._pools.set_asleep(host, asleep)

    def next_one(self) -> tuple[int, float]:
        candidate = self._first.best()
        if candidate >= 0:
            return candidate, 1.0
        awake = self._pools.awake[: len(self._groups)]
        if not awake.any():
            return -1, 1.0
        arm = int(np.where(awake > 0, self._scores(), -np.inf).argmax())
        return self._pools.draw(arm, self.rng, self.is_awake), 1.0 / float(awake[arm])

    def _scores(self) -> Any:
        """AUER: the mean reward, and α·√(ln t/n) for what is not known yet."""
        count = len(self._groups)
        rewards, fetched = self._rewards[:count], self._fetched[:count]
        return rewards / np.maximum(fetched, 1.0) + self._bonus(fetched)

    def _bonus(self, fetched: Any) -> Any:
        return self._alpha * np.sqrt(math.log(max(self._fetches, 1)) / np.maximum(fetched, NEVER))

    def learn(self, candidate: int, reward: float, links: LinkBatch) -> None:
        super().learn(candidate, reward, links)
        self._urls.learn(self.source.url(candidate), reward > 0)

    def estimate(self, candidates: Any) -> Any:
        return np.array([self._urls.probability(self.source.url(int(one))) for one in candidates], float)

    def fill_parts(self, candidate: int) -> None:
        self.parts[ESTIMATE] = self.parts[CLASSIFIER_PART] = self.estimate([candidate])[0]
        if candidate in self._at_once:
            self.parts[SCORE] = self.parts[ESTIMATE]
        else:
            arm = self._arms[candidate]
            self.parts[GROUP_PART] = self.mean(arm)
            self.parts[EXPLORATION] = float(self._bonus(self._fetched[arm]))
            self.parts[SCORE] = self.parts[GROUP_PART] + self.parts[EXPLORATION]


class TpOff(ArmChooser):
    """TP-OFF: breadth first for a fixed number of fetches; then the arms' mean rewards decide."""

    def __init__(self, values: Mapping[str, Any], setup: Setup) -> None:
        super().__init__(values, setup)
        self._phase: int = values["phase"]
        self._ranked = Ranked()

    def _rate(self, candidates: list[int]) -> list[float]:
        """Equal ones are taken in order of discovery."""
        if self._fetches < self._phase:
            return [0.0] * len(candidates)
        return self.estimate(candidates).tolist()

    def enter(self, candidate: int) -> None:
        self._ranked.add(candidate, self.host_of(candidate), self._rate([candidate])[0])

    def leave(self, candidate: int) -> None:
        self._ranked.remove(candidate, self.host_of(candidate))

    def host_changed(self, host: int, asleep: bool) -> None:
        self._ranked.set_asleep(host, asleep)

    def next_one(self) -> tuple[int, float]:
        return self._ranked.best(), 1.0

    def learn(self, candidate: int, reward: float, links: LinkBatch) -> None:
        super().learn(candidate, reward, links)
        if self._fetches == self._phase:
            self._ranked.rate_all(self._rate, self.host_of)

    def estimate(self, candidates: Any) -> Any:
        """The mean reward of its arm; a seed has none, and is as good as the best."""
        means = self._rewards / np.maximum(self._fetched, 1.0)
        return np.array(
            [means[self._arms[int(one)]] if int(one) in self._arms else means.max() for one in candidates]
        )

    def fill_parts(self, candidate: int) -> None:
        self.parts[SCORE] = self._rate([candidate])[0]
        self.parts[ESTIMATE] = self.parts[GROUP_PART] = self.estimate([candidate])[0]
