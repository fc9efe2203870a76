"""Chooses the candidate to which a user's object gives the highest score; of equal ones, the first that was found.

The object scores new candidates, a page's links at a time. What it has learned since changes scores: the best are
scored again before one of them wins, and all that waits whenever there are a quarter more outcomes than last time.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence

import numpy as np

from sundog.errors import SundogError
from sundog.frontier.arrays import LEASED, UNKNOWN
from sundog.model import LinkBatch
from sundog.policies.chooser import ESTIMATE, SCORE, Setup
from sundog.policies.objects.values import Candidate, PageOutcome, PolicyObject
from sundog.policies.published.python_chooser import Found, PythonChooser, Ranked

BEST = 32  # are scored again together
TRIES = 8  # times at most, before one is taken as it is
SOONEST = 4  # outcomes, before all are scored again
GROWTH = 1.25


class PolicyFaultError(SundogError):
    """The user's object raised something, or gave what are no scores."""


class ObjectChooser(PythonChooser):
    def __init__(self, name: str, policy: PolicyObject, setup: Setup) -> None:
        self._name, self._policy = name, policy
        self._parents, self._anchors, self._paths = array("i"), array("i"), array("i")
        self._rewards = array("d")
        self._scores: dict[int, float] = {}
        self._scored_at: dict[int, int] = {}
        self._outcomes, self._next_round = 0, SOONEST
        self._ranked = Ranked()
        super().__init__(setup)

    def grow(self) -> None:
        super().grow()
        more = max(0, self.source.size - len(self._parents))
        for numbers in (self._parents, self._anchors, self._paths):
            numbers.extend([-1] * more)
        self._rewards.extend([0.0] * more)

    def found(self, new: list[Found]) -> None:
        for candidate, parent, anchor, path in new:
            self._parents[candidate], self._anchors[candidate], self._paths[candidate] = parent, anchor, path
        try:
            self._rate([one.candidate for one in new])
        except PolicyFaultError:  # as if they had not been found
            for one in new:
                self._states[one.candidate] = UNKNOWN
                self._count(one.candidate, -1)
            raise

    def take_in(self, candidate: int, reward: float, links: LinkBatch) -> int:
        try:
            return super().take_in(candidate, reward, links)
        except PolicyFaultError:
            self._states[candidate] = LEASED
            raise

    def known_reward(self, candidate: int) -> float:
        return self._rewards[candidate]

    def enter(self, candidate: int) -> None:
        self._ranked.add(candidate, self.host_of(candidate), self._scores[candidate])

    def leave(self, candidate: int) -> None:
        self._ranked.remove(candidate, self.host_of(candidate))

    def next_one(self) -> tuple[int, float]:
        for _ in range(TRIES):
            best = self._ranked.best()
            if best < 0 or self._scored_at[best] == self._outcomes:
                break
            self._rate_again(self._ranked.first_of(self.host_of(best), BEST))
        return self._ranked.best(), 1.0

    def learn(self, candidate: int, reward: float, links: LinkBatch) -> None:
        self._rewards[candidate] = reward
        outcome = PageOutcome(self._candidate(candidate), reward)
        try:
            self._policy.learn(outcome)
        except Exception as error:
            raise self._fault("learn", error) from error
        self._outcomes += 1
        self._scores.pop(candidate, None)
        self._scored_at.pop(candidate, None)
        if self._outcomes >= self._next_round:
            self._next_round = math.ceil(self._outcomes * GROWTH)
            self._ranked.rate_all(self._rate, self.host_of)

    def fill_parts(self, candidate: int) -> None:
        self.parts[SCORE] = self.parts[ESTIMATE] = self._scores.get(candidate, math.nan)

    def estimate(self, candidates: Sequence[int]) -> object:
        return np.array(self._asked([int(one) for one in candidates]))

    def _candidate(self, number: int) -> Candidate:
        parent, source = self._parents[number], self.source
        return Candidate(
            source.url(number),
            source.host_name(self.host_of(number)),
            self.text(self._anchors[number]),
            self.text(self._paths[number]),
            source.url(parent) if parent >= 0 else "",
            self._rewards[parent] if parent >= 0 else 0.0,
        )

    def _rate_again(self, candidates: list[int]) -> None:
        before = [self._scores[candidate] for candidate in candidates]
        for candidate, old, new in zip(candidates, before, self._rate(candidates), strict=True):
            if new != old:
                self._ranked.remove(candidate, self.host_of(candidate))
                self.enter(candidate)

    def _rate(self, candidates: list[int]) -> list[float]:
        scores = self._asked(candidates)
        self._scores.update(zip(candidates, scores, strict=True))
        self._scored_at.update(dict.fromkeys(candidates, self._outcomes))
        return scores

    def _asked(self, candidates: list[int]) -> list[float]:
        if not candidates:
            return []
        try:
            scores = [float(score) for score in self._policy.scores([self._candidate(one) for one in candidates])]
        except Exception as error:
            raise self._fault("scores", error) from error
        if len(scores) != len(candidates):
            raise PolicyFaultError(
                f"policy '{self._name}': scores() gave {len(scores)} numbers for {len(candidates)} candidates"
            )
        if not all(map(math.isfinite, scores)):
            raise PolicyFaultError(f"policy '{self._name}': scores() gave a number that is infinite or nan")
        return scores

    def _fault(self, method: str, error: Exception) -> PolicyFaultError:
        return PolicyFaultError(f"policy '{self._name}' failed in {method}(): {type(error).__name__}: {error}")
