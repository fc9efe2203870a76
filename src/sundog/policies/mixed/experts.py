"""The estimators of scored graphs, and an index of hosts beside them; who did best lately is followed.

The index nominates what it would choose, as each of the others does. A page's reward is credited to all that rated
no other page higher (see ``policies.graph.ensemble``): who is followed is worth at most ``CURIOSITY`` standard
deviations of a reward less than the best of them, as far as credits tell, and less as credits come in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from sundog.model import LinkBatch
from sundog.policies.chooser import Setup
from sundog.policies.graph import arrays
from sundog.policies.graph.designs import linear, neighbourhood, scored_links_first
from sundog.policies.graph.ensemble import LESSONS, Credit, EnsembleChooser
from sundog.policies.hosts.chooser import HostChooser
from sundog.policies.hosts.estimator import feature_width
from sundog.policies.hosts.strategies import best_score
from sundog.policies.mixed import regression
from sundog.policies.parameters import LINK, PATH

STEERING = {"q": 1.0, "zeta": 0.0, "refresh": 1}


class RatedChooser(HostChooser):
    """Pages ranked by the regression over a graph's nodes."""

    def __init__(self, graph: EnsembleChooser, hashes: int, setup: Setup) -> None:
        self._of = graph
        self._regression = regression.new_regression(feature_width(hashes))
        super().__init__(
            "truth", best_score.STRATEGY, {"features": PATH | LINK, "hashes": hashes}, setup, name="sundog"
        )

    def _make_estimator(self, values: Mapping[str, Any], *, foresees: bool, truth: Any) -> None:
        super()._make_estimator(values, foresees=False, truth=None)
        self._python_estimator = _Ratings(self)

    def estimate(self, candidates: Any) -> Any:
        out = np.empty(len(candidates))
        regression.ratings(self._state, self._of.graph.nodes, self._regression, candidates, out)
        return out

    def best(self) -> int:
        known = self._of.graph
        queued = known.totals.item(arrays.QUEUED_TOTAL)
        node: int = regression.best_rated(self._state, known.nodes, self._regression, known.queue, queued)
        return node

    def learn(self, candidate: int, reward: float) -> None:
        regression.learn(self._state, self._of.graph.nodes, self._regression, candidate, reward)


class _Ratings:
    """How a ``HostChooser`` asks for scores; what is learned comes another way, with the reward."""

    def __init__(self, of: RatedChooser) -> None:
        self._of = of

    def scores(self, candidates: Any) -> Any:
        return self._of.estimate(candidates)

    def learn(self, candidate: int, relevant: bool) -> None:
        """See ``RatedChooser.learn``."""


class Experts:
    """Every call of a ``Chooser`` comes here too. ``choose`` is told what the index of hosts would choose."""

    def __init__(self, hashes: int, setup: Setup) -> None:
        designs = [
            scored_links_first("root"),
            neighbourhood("n", "sum"),
            neighbourhood("e", "sum"),
            neighbourhood("n", "root"),
            linear("root"),
            linear("root-avg"),
            linear("avg"),
        ]
        self.graph = EnsembleChooser(designs, STEERING, setup)
        self.rated = RatedChooser(self.graph, hashes, setup)
        self._hosts = len(designs) + 1  # the place of the index of hosts; the regression has the first one
        self.credit = Credit(self._hosts + 1, hope=1.0)  # until something is found, all are asked in turn
        self._all = range(self._hosts + 1)
        self._ready = [0, *(1 + at for at, one in enumerate(designs) if not one.fits), self._hosts]
        self._agreed: dict[int, list[bool]] = {}  # for each page in flight: who would have chosen it
        self._adopted: set[int] = set()  # pages in flight that nobody chose

    @property
    def followed(self) -> int:
        learned = self.graph.graph.totals.item(arrays.CHOICES) >= LESSONS
        return self.credit.best(self._all if learned else self._ready)

    def score(self, candidate: int) -> float | None:
        """The rating by who is followed; None if that is the index of hosts."""
        followed = self.followed
        if followed == self._hosts:
            return None
        one = np.array([candidate], np.int32)
        if followed == 0:
            return float(self.rated.estimate(one)[0])
        return float(self.graph.estimators[followed - 1].scores(one)[0])

    def choose(self, by_hosts: int) -> int:
        """Lease the page that who is followed nominates."""
        best = [self.rated.best(), *self.graph.nominees(), by_hosts]
        node = best[self.followed]
        own, highest = self.rated.estimate(np.array([node, best[0]], np.int32)).tolist()
        agreed = [own >= highest, *self.graph.take(node, best[1:-1]), node == by_hosts]
        self.rated.lease(node, counts=True)
        self._agreed[node] = agreed
        return node

    def lease(self, candidate: int, *, counts: bool) -> None:
        self.graph.lease(candidate, counts=counts)
        self.rated.lease(candidate, counts=counts)
        if not counts:
            self._adopted.add(candidate)

    def take_in(self, candidate: int, reward: float, links: LinkBatch) -> None:
        """A link's score that is no number from 0 on is an error, and nothing changes."""
        self.graph.take_in(candidate, reward, links)
        if candidate in self._adopted:
            self._adopted.remove(candidate)
        else:
            self.rated.learn(candidate, reward)
        self.rated.take_in(candidate, reward, links)
        if candidate in self._agreed:
            self.credit.give(self._agreed.pop(candidate), reward)

    def offer(self, links: LinkBatch) -> None:
        self.graph.offer(-1, links)
        self.rated.offer(-1, links)

    def drop(self, candidate: int) -> None:
        self.graph.drop(candidate)
        self.rated.drop(candidate)
        self._agreed.pop(candidate, None)

    def give_back(self, candidate: int) -> None:
        self.graph.give_back(candidate)
        self.rated.give_back(candidate)
        self._agreed.pop(candidate, None)

    def set_asleep(self, host: int, asleep: bool) -> None:
        self.graph.set_asleep(host, asleep)
        self.rated.set_asleep(host, asleep)

    def grow(self) -> None:
        self.graph.grow()
        self.rated.grow()

    def restored(self) -> None:
        self.graph.restored()
        self.rated.restored()
