"""The crawl session: what to fetch next, and what to make of what was fetched. No I/O, no clock.

Engines drive it with two calls::

    next_decision(now)               -> Decision | Wait | Finished
    observe(decision, outcome, now)  -> Step
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from sundog._jit import for_types_of
from sundog.errors import SundogError, UsageError
from sundog.frontier import arrays, thompson
from sundog.frontier.catalog import Catalog
from sundog.frontier.facts import Facts
from sundog.frontier.rng import new_rng
from sundog.learn.files import load_model
from sundog.learn.model import Model, new_model
from sundog.model import Decision, Fetched, Finished, Link, LinkBatch, Outcome, Refused, Step, Wait
from sundog.policies import plan as kinds
from sundog.policies import steps
from sundog.policies.beliefs import new_beliefs
from sundog.policies.choice import PARTS
from sundog.policies.features import MOST_FEATURES, feature_width
from sundog.policies.outside import Oracle, Outside, TreeEstimator
from sundog.policies.presets import DEFAULT, check_parameters, find_policy, make_plan, read_parameters
from sundog.policies.pretrain import sample_as_candidates
from sundog.policies.state import Hierarchy, build_state
from sundog.policies.templates import new_templates, roomy_templates

NO_TEXTS = np.empty(0, np.int32)
BATCH = 1024  # links that one kernel call takes: bounds the room that must be reserved for it
MOVES = 4 * BATCH  # moves of arms that the sampler gets room for at a time


class Source(Protocol):
    """What a session knows of candidates: a growing catalog, or a static world."""

    @property
    def facts(self) -> Facts: ...

    @property
    def size(self) -> int: ...

    @property
    def hosts(self) -> int: ...

    def url(self, candidate: int) -> str: ...

    def host_name(self, host: int) -> str: ...


class CrawlSession:
    """Chooses pages under a budget of fetches and learns from their outcomes.

    >>> from sundog import CrawlSession, Failed, Fetched, Link
    >>> session = CrawlSession(policy="bfs", budget=2)
    >>> session.add(["http://a.example/"])
    1
    >>> decision = session.next_decision()
    >>> decision.url
    'http://a.example/'
    >>> step = session.observe(decision, Fetched(1.0, [Link("http://a.example/b")]))
    >>> step.relevant, step.discovered
    (True, 1)
    >>> session.observe(session.next_decision(), Failed("timeout")).relevant
    False
    >>> session.next_decision()
    Finished(reason='budget')
    """

    def __init__(
        self,
        *,
        policy: str = DEFAULT,
        budget: int,
        seed: int = 0,
        source: Source | None = None,
        truth: Any = None,
        propensities: bool = True,
        **parameters: Any,
    ) -> None:
        """``truth`` gives the reward of every candidate of a static source; only ``oracle`` looks at it.

        Without ``propensities``, those of policies that sample are nan; they take longer than the choice.
        """
        self.policy = find_policy(policy)
        check_parameters(parameters, [self.policy])
        values = {**self.policy.defaults, **read_parameters(parameters, self.policy.accepts)}
        self.budget = budget
        self.fetched, self.relevant, self.reward, self.in_flight = 0, 0, 0.0, 0
        self.source: Source = Catalog() if source is None else source
        self._plan = make_plan(self.policy, values, budget)
        self._rng = new_rng(seed)
        self._features = np.empty(MOST_FEATURES, np.int32)
        self._parts = np.zeros(PARTS)
        sampled = self.policy.samples and propensities
        self._choosing = steps.choose_with_propensity if sampled else steps.choose
        self._sleepers: list[tuple[float, int]] = []
        self._awake_at: dict[int, float] = {}  # a host that is put to sleep again has one entry here, two there
        self._highest_reward = 1.0
        self._frontier = self._grown(arrays.new_frontier(0, 0, 0))
        self._thompson: thompson.Thompson | None = None
        self._moves_left = 0
        if self.policy.samples:
            with_best = self._plan.strategy == kinds.THOMPSON_BEST
            self._thompson = thompson.new_thompson(self.source.hosts, with_best=with_best)
        self._hierarchy = self._new_hierarchy()
        self._make_estimator(values, truth)
        self._refresh_state()

    def _grown(self, frontier: arrays.Frontier) -> arrays.Frontier:
        """The frontier with room for all that the source has now.

        An arm is a host, or a template; of these a page that is not discovered yet makes at most one.
        """
        arms = self.source.hosts
        if self.policy.arms_are_templates:
            found, discovered = frontier.totals[[arrays.ARMS_FOUND, arrays.DISCOVERED]].tolist()
            arms = found + self.source.size - discovered
        return arrays.grown(frontier, self.source.size, arms, self.source.hosts)

    def _new_hierarchy(self) -> Hierarchy | None:
        """Policies that sample have none; the others share kernels, and take as little of it as there can be."""
        if self.policy.samples:
            return None
        templates = new_templates(max(1, len(self._frontier.arms) if self.policy.arms_are_templates else 1))
        return Hierarchy(templates, new_beliefs(), np.zeros(8))

    def _make_estimator(self, values: dict[str, Any], truth: Any) -> None:
        learner = values.get("learner")
        self._outside: Outside | None = None
        if self.policy.name == "oracle":
            if truth is None:
                raise UsageError("policy 'oracle' needs to know every page's reward: it works in simulation only")
            self._outside = Oracle(truth)
        elif learner == "hoeffding-tree":
            self._outside = TreeEstimator(self._features_of, frozen=bool(values.get("frozen")))
        in_kernels = learner if self._plan.estimator in (kinds.BY_LEARNER, kinds.BY_ODDS) else None
        self._model = new_model(in_kernels, feature_width(self._plan.hashes), rate=values.get("rate", 0.1))
        if values.get("pretrain"):
            self._pretrain(values["pretrain"])
        self._model = self._model._replace(frozen=bool(values.get("frozen")))

    # -- what is known -------------------------------------------------------------------------

    @property
    def queued(self) -> int:
        """Candidates that wait to be chosen."""
        return int(self._frontier.totals[arrays.QUEUED_TOTAL])

    @property
    def asleep(self) -> int:
        """Hosts that sleep."""
        return len(self._awake_at)

    @property
    def asleep_for_good(self) -> list[int]:
        """Hosts that sleep until somebody says otherwise."""
        return [host for host, until in self._awake_at.items() if until == math.inf]

    @property
    def hosts_found(self) -> int:
        return int(self._frontier.totals[arrays.HOSTS_FOUND])

    @property
    def model(self) -> Model:
        """What the classifier has learned; its arrays change with every outcome."""
        return self._model

    def estimate(self, candidates: Any) -> Any:
        """The estimator's present word on candidates, by id; changes nothing."""
        ids = np.asarray(candidates, np.int32)
        if self._outside:
            return self._outside.scores(ids)
        out = np.empty(len(ids))
        steps.estimates(self._state, ids, out)
        return out

    def explain(self, candidate: int) -> Decision:
        """What the policy thinks of a page that waits, as parts of a decision that is not made."""
        if self._state_of_candidate(candidate) != arrays.QUEUED:
            raise SundogError(f"{self.source.url(candidate)} does not wait in the frontier")
        steps.explain_queued(self._state, candidate)
        return Decision._make((candidate, self._host_of(candidate), *self._parts.tolist(), self.source))

    # -- the loop ------------------------------------------------------------------------------

    def add(self, urls: Sequence[str]) -> int:
        """Offer seeds; returns how many were new. A URL given twice is one candidate."""
        return self._offer(-1, self.enter([Link(url) for url in urls]))

    def add_known(self, candidates: Any) -> int:
        """Offer seeds of a static source by their ids."""
        return self._offer(-1, LinkBatch(np.asarray(candidates, np.int32), NO_TEXTS, NO_TEXTS))

    def next_decision(self, now: float = 0.0) -> Decision | Wait | Finished:
        """The next page to fetch, leased until ``observe`` or ``give_back`` is told of it."""
        if self._sleepers:
            self._wake(now)
        if self.fetched + self.in_flight >= self.budget:
            return Wait(None) if self.in_flight else Finished("budget")
        self._reserve(1)
        candidate = self._choose(self._state)
        if candidate < 0:
            return self._nothing_ready()
        self.in_flight += 1
        return Decision._make((candidate, self._host_of(candidate), *self._parts.tolist(), self.source))

    def observe(self, decision: Decision, outcome: Outcome, now: float = 0.0) -> Step:
        """Learn from the outcome of a leased decision and offer the page's links."""
        candidate = decision.candidate
        if self._state_of_candidate(candidate) != arrays.LEASED:
            raise SundogError(f"{decision.url} is not leased: it was observed or given back already")
        reward, links = (outcome.reward, outcome.links) if isinstance(outcome, Fetched) else (0.0, ())
        if not 0 <= reward < math.inf:
            raise self._bad_reward(candidate, reward)
        self.in_flight -= 1
        if isinstance(outcome, Refused):
            self._reserve(1)
            steps.drop(self._state, candidate)
            return Step(decision, outcome, False, 0)
        self.fetched += 1
        self.relevant += reward > 0
        self.reward += reward
        return Step(decision, outcome, reward > 0, self._take_in(candidate, reward, links))

    def give_back(self, decision: Decision) -> None:
        """Undo a lease, as if the decision had not been made; costs no budget."""
        if self._state_of_candidate(decision.candidate) != arrays.LEASED:
            raise SundogError(f"{decision.url} is not leased: it was observed or given back already")
        self.in_flight -= 1
        self._reserve(1)
        steps.give_back(self._state, decision.candidate)

    def rest(self, host_id: int, until: float) -> None:
        """Let a host sleep: none of its pages is chosen before ``until``, or before the next word if that is inf.

        Of several words the last one counts: a time that is past wakes the host.
        """
        self._awake_at[host_id] = until
        if until < math.inf:
            heapq.heappush(self._sleepers, (until, host_id))
        self._reserve(1)
        steps.set_asleep(self._state, host_id, True)

    def lease(self, candidate: int) -> Decision:
        """Lease a page that waits and that somebody else has chosen, such as the crawl that this one resumes."""
        if self._state_of_candidate(candidate) != arrays.QUEUED:
            raise SundogError(f"{self.source.url(candidate)} does not wait in the frontier: it cannot be leased")
        self._reserve(1)
        steps.lease_known(self._state, candidate)
        self.in_flight += 1
        return Decision._make((candidate, self._host_of(candidate), *[math.nan] * PARTS, self.source))

    def extend(self, budget: int) -> None:
        """Set another budget, as one does for a crawl that goes on."""
        self.budget = budget
        self._plan = self._plan._replace(budget=budget)
        self._refresh_state()

    def adopt(self, candidate: int, reward: float, links: Sequence[Link] | LinkBatch) -> None:
        """Take in a page that was crawled before this session began: it costs no budget."""
        if not 0 <= reward < math.inf:
            raise self._bad_reward(candidate, reward)
        self._reserve(1)
        steps.lease_known(self._state, candidate)
        self._frontier.totals[arrays.FETCHES] -= 1
        self._take_in(candidate, reward, links)

    # -- behind it -----------------------------------------------------------------------------

    def _nothing_ready(self) -> Wait | Finished:
        if self.queued and self._awake_at:
            return Wait(self._sleepers[0][0] if self._sleepers else None)
        return Wait(None) if self.in_flight else Finished("frontier empty")

    def _wake(self, now: float) -> None:
        while self._sleepers and self._sleepers[0][0] <= now:
            until, host = heapq.heappop(self._sleepers)
            if self._awake_at.get(host) == until:
                del self._awake_at[host]
                self._reserve(1)
                steps.set_asleep(self._state, host, False)

    def _bad_reward(self, candidate: int, reward: float) -> SundogError:
        return SundogError(f"a reward of {reward} for {self.source.url(candidate)}: rewards are numbers from 0 on")

    def _take_in(self, candidate: int, reward: float, links: Sequence[Link] | LinkBatch) -> int:
        """Learn from a page and offer its links; returns how many are new."""
        if reward > self._highest_reward:
            self._highest_reward = reward
        if self._outside:
            self._outside.learn(candidate, reward > 0)
        batch = links if type(links) is LinkBatch else self.enter(links)
        first = batch if len(batch.targets) <= BATCH else batch.part(0, BATCH)
        self._reserve(len(first.targets) + 1)
        known = self._discovered if self._outside else 0
        new = steps.take_in(self._state, candidate, reward, self._highest_reward, *first)
        if self._outside:
            self._rate_outside(first.targets, known)
        return int(new) + (self._offer(candidate, batch, BATCH) if first is not batch else 0)

    def _offer(self, parent: int, batch: LinkBatch, begin: int = 0) -> int:
        """Offer the links from ``begin`` on, so many at a time; returns how many are new."""
        new = 0
        for at in range(begin, len(batch.targets), BATCH):
            part = batch.part(at, at + BATCH)
            self._reserve(len(part.targets))
            known = self._discovered
            new += int(steps.offer(self._state, parent, *part))
            if self._outside:
                self._rate_outside(part.targets, known)
        return new

    @property
    def _discovered(self) -> int:
        return int(self._frontier.totals[arrays.DISCOVERED])

    def _rate_outside(self, targets: Any, known: int) -> None:
        """Give candidates the scores of an estimator that is no kernel: new ones, or if fresh all that wait."""
        if self._outside:
            candidates = self._frontier.candidates[targets]
            rated = candidates["state"] == arrays.QUEUED
            if not self._plan.fresh:
                rated &= candidates["order"] >= known
            scores = np.asarray(self._outside.scores(targets[rated]), float)
            self._reserve(len(scores))
            steps.rescore(self._state, targets[rated], scores)

    def enter(self, links: Sequence[Link]) -> LinkBatch:
        """The links with the ids of their strings, new ones entered into the catalog; nothing is offered yet."""
        if not isinstance(self.source, Catalog):
            raise SundogError("a session over a static world takes its links as a LinkBatch of page ids")
        targets = self.source.add([link.url for link in links])
        anchors = self.source.text_ids([link.anchor for link in links])
        paths = self.source.text_ids([link.tag_path for link in links])
        self._frontier = self._grown(self._frontier)
        if self.policy.arms_are_templates and self._hierarchy:
            templates = roomy_templates(self._hierarchy.templates, len(self._frontier.arms))
            if templates is not self._hierarchy.templates:
                self._hierarchy = self._hierarchy._replace(templates=templates)
        self._moves_left = 0  # there may be more arms than the sampler has room for
        frontier, hierarchy, facts = self._handed
        if self._frontier is not frontier or self._hierarchy is not hierarchy or self.source.facts is not facts:
            self._refresh_state()
        return LinkBatch(targets, anchors, paths)

    def _reserve(self, moves: int) -> None:
        """Make sure that the next kernel call, which may move so many arms, finds room in the sampler."""
        if self._thompson is None:
            return
        self._moves_left -= moves
        if self._moves_left < 0:
            self._moves_left = MOVES - moves
            roomy = thompson.reserve(self._thompson, self.source.hosts, MOVES)
            if roomy is not self._thompson:
                self._thompson = roomy
                self._refresh_state()

    def _refresh_state(self) -> None:
        """Hand the arrays to the kernels anew, for some of them have been replaced by larger ones.

        ``item`` of an array reads one cell several times quicker than indexing does.
        """
        self._handed = self._frontier, self._hierarchy, self.source.facts
        self._states = self._frontier.candidates["state"]
        self._host_of = self.source.facts.host.item
        self._state_of_candidate = self._states.item
        self._state = self._state_of(self._frontier, self._thompson, self.source.facts)
        self._choose = for_types_of(self._choosing, self._state)

    def _state_of(self, frontier: arrays.Frontier, sampler: thompson.Thompson | None, facts: Facts) -> Any:
        return build_state(
            frontier,
            sampler,
            self._hierarchy,
            facts,
            self._model,
            self._plan,
            self._rng,
            self._features,
            self._parts,
        )

    def _features_of(self, candidate: int) -> list[int]:
        count = steps.gather_features(self._state, candidate)
        features: list[int] = self._features[:count].tolist()
        return features

    def _pretrain(self, path: Path) -> None:
        """Learn from a sample as if its pages had been fetched, each with one parent; or take over a model."""
        if path.suffix == ".npz":
            self._model = load_model(path, self._model)
            return
        sample = sample_as_candidates(path)
        state = self._state_of(sample.frontier, None, sample.facts)
        if isinstance(self._outside, TreeEstimator):
            for candidate, label in zip(sample.rows.tolist(), sample.labels.tolist(), strict=True):
                count = steps.gather_features(state, candidate)
                self._outside.tree.learn(self._features[:count].tolist(), label > 0)
        else:
            steps.teach(state, sample.rows, sample.labels)
