"""Chooses among the arms of a crawl's frontier, hosts or page templates, by kernels over flat arrays."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from sundog._jit import for_types_of
from sundog.errors import UsageError
from sundog.frontier import arrays
from sundog.frontier.facts import Facts
from sundog.frontier.rng import new_rng
from sundog.frontier.thompson import sampling
from sundog.learn.files import load_model
from sundog.learn.model import Model, new_model
from sundog.learn.prior import Prior
from sundog.learn.sharing import Learned, LearningDelta, SharedModel
from sundog.model import LinkBatch, Outlook
from sundog.policies.chooser import PARTS, Chooser, HostQueue, Setup
from sundog.policies.hosts import steps
from sundog.policies.hosts.appraise import CELLS
from sundog.policies.hosts.beliefs import add_sums, new_beliefs, sums_of
from sundog.policies.hosts.estimator import MOST_FEATURES, feature_width
from sundog.policies.hosts.leads import BY_URL
from sundog.policies.hosts.local_model import CELLS as LOCAL_CELLS
from sundog.policies.hosts.local_model import new_local_model
from sundog.policies.hosts.outlook import Waiting, outlook_by_records, outlook_of
from sundog.policies.hosts.plan import BY_LEARNER, BY_ODDS, BY_ORDER, Estimator, make_plan
from sundog.policies.hosts.python_estimators import Oracle, PythonEstimator, TreeEstimator
from sundog.policies.hosts.static_steps import crawl_static
from sundog.policies.hosts.steps import Hierarchy, build_state
from sundog.policies.hosts.strategy import Strategy
from sundog.policies.hosts.templates import MOST_LEADS, new_templates, roomy_templates
from sundog.policies.parameters import TARGET, URL
from sundog.policies.pretrain import sample_as_candidates
from sundog.policies.static_crawl import BATCH, HIGHEST_REWARD, UNFINISHED, Choices, StaticPages

MOVES = 4 * BATCH  # moves of arms that get room at a time
MOST_ARMS = 1 << 16  # that are looked at for an outlook


class HostChooser(Chooser):
    """``values`` are the policy's parameters, ``name`` is for messages."""

    not_saved = frozenset({"state_of", "_state", "_choose", "_handed"})

    def __init__(
        self, estimator: Estimator, strategy: Strategy, values: Mapping[str, Any], setup: Setup, *, name: str
    ) -> None:
        self.source = setup.source
        self.parts = np.zeros(PARTS)
        self._name = name
        self._samples = strategy.samples
        self._plan = make_plan(estimator, strategy, values, setup.budget)
        if self._plan.features & URL:
            self.source.keep_tokens()
        self.scores_are_worths = self._plan.by_templates
        self._rng = new_rng(setup.seed)
        self._features = np.empty(MOST_FEATURES, np.int32)
        self._with_propensity = self._samples and setup.propensities
        self._highest_reward = 1.0
        self._frontier = self._grown(arrays.new_frontier(0, 0, 0))
        self._thompson: sampling.Thompson | None = None
        self._moves_left = 0
        if self._samples:
            self._thompson = sampling.new_thompson(self.source.hosts, with_best=self._plan.times_best)
        self._hierarchy = self._new_hierarchy()
        self._make_estimator(values, foresees=estimator == "truth", truth=setup.truth)
        self._shared: SharedModel | None = None
        self._hand_over()

    def _grown(self, frontier: arrays.Frontier) -> arrays.Frontier:
        """The frontier with room for all that the source has now.

        An arm is a host, or a template; of these a page that is not discovered yet makes at most one, and most
        pages make none.
        """
        arms = self.source.hosts
        if self._plan.by_templates:
            found, discovered = frontier.totals[[arrays.ARMS_FOUND, arrays.DISCOVERED]].tolist()
            arms = found + min(MOVES, self.source.size - discovered)
        return arrays.grown(frontier, self.source.size, arms, self.source.hosts)

    def _new_hierarchy(self) -> Hierarchy | None:
        """None for policies that sample. The others share kernels that take one, if only a tiny one."""
        if self._samples:
            return None
        templates = new_templates(max(1, len(self._frontier.arms) if self._plan.by_templates else 1))
        local = new_local_model(LOCAL_CELLS if self._plan.use_local else 1)
        return Hierarchy(templates, new_beliefs(), local, np.zeros(CELLS), np.zeros(0, np.float32))

    def _make_estimator(self, values: Mapping[str, Any], *, foresees: bool, truth: Any) -> None:
        learner = values.get("learner")
        if self._plan.features >= TARGET:
            raise UsageError(f"feature sets t, r, p and x are those of 'ldcoc', not of '{self._name}'")
        if learner == "knn":
            raise UsageError(f"learner=knn is for 'ldcoc' with a sample, not for '{self._name}'")
        self._python_estimator: PythonEstimator | None = None
        if foresees:
            self._python_estimator = Oracle(truth)
        elif learner == "hoeffding-tree":
            self._python_estimator = TreeEstimator(self._features_of, frozen=bool(values.get("frozen")))
        in_kernels = learner if self._plan.estimator in (BY_LEARNER, BY_ODDS) else None
        self.model: Model = new_model(in_kernels, feature_width(self._plan.hashes), rate=values.get("rate", 0.1))
        if values.get("pretrain"):
            self._pretrain(values["pretrain"])
        self.model = self.model._replace(frozen=bool(values.get("frozen")))

    # -- what is known -------------------------------------------------------------------------

    @property
    def queued(self) -> int:
        return int(self._frontier.totals[arrays.QUEUED_TOTAL])

    @property
    def hosts_found(self) -> int:
        return int(self._frontier.totals[arrays.HOSTS_FOUND])

    def estimate(self, candidates: Any) -> Any:
        ids = np.asarray(candidates, np.int32)
        if self._python_estimator:
            return self._python_estimator.scores(ids)
        out = np.empty(len(ids))
        steps.estimates(self._state, ids, out)
        return out

    def explain(self, candidate: int) -> None:
        steps.explain_queued(self._state, candidate)

    def leads(self, candidate: int) -> list[tuple[int, float]]:
        arms, pages = np.zeros(BY_URL * MOST_LEADS, np.int64), np.zeros(BY_URL * MOST_LEADS)
        count = steps.leads(self._state, candidate, arms, pages)
        known = self._frontier.candidates[: self.source.size]
        found, which = np.unique(arms[:count], return_inverse=True)
        expected = np.bincount(which, pages[:count], len(found))
        examples = [np.flatnonzero((known["arm"] == arm) & (known["state"] != arrays.UNKNOWN)) for arm in found]
        return [(int(of[0]), float(n)) for of, n in zip(examples, expected, strict=True) if len(of)]

    def chances(self, candidates: Any) -> Any:
        if not self._plan.by_templates:
            return None
        explained, out = self.parts.copy(), np.empty(len(candidates))
        steps.chances(self._state, candidates, out)
        self.parts[:] = explained
        return out

    def worth(self, host: int) -> float:
        if not self._plan.by_templates:
            return math.nan
        return float(steps.worth_of_host(self._state, host))

    def longest_queues(self, most: int) -> list[HostQueue]:
        """Hosts with most relevant pages first, then those with most that wait."""
        hosts = self._frontier.hosts[: self.source.hosts]
        best = np.lexsort((-hosts["queued"], -hosts["good"]))[:most]
        return [HostQueue(int(host), int(hosts["queued"][host])) for host in best if hosts["known"][host]]

    # -- one of several shards ---------------------------------------------------------------------

    def share_learning(self) -> None:
        if isinstance(self._python_estimator, TreeEstimator):
            raise UsageError("trees cannot be added up")
        if self._shared is None:
            self._shared = SharedModel(self.model, self._belief_sums)

    def learned(self) -> Learned:
        return self._sharing.learned(self.model, self._belief_sums, self._highest_reward)

    @property
    def shares_learning(self) -> bool:
        return self._shared is not None

    def learned_by_others(self) -> LearningDelta:
        return self._sharing.taken()

    def take_in_learning(self, delta: LearningDelta) -> None:
        more = self._sharing.take_in(self.model, delta)
        self._highest_reward = max(self._highest_reward, delta.highest_reward)
        if self._plan.by_templates and self._hierarchy:
            add_sums(self._hierarchy.beliefs, more)
            steps.settle_learning(self._state)

    def begin_with(self, prior: Prior) -> None:
        width = feature_width(self._plan.hashes)
        if self._hierarchy is None or not self._plan.use_local:
            super().begin_with(prior)
        elif len(prior.features) and not 0 <= prior.features[0] <= prior.features[-1] < width:
            raise UsageError("what an earlier crawl has learned is of another size: give the same hashes=")
        else:
            self._hierarchy = self._hierarchy._replace(prior=prior.dense(width))
            self._hand_over()

    def outlook(self) -> Outlook:
        f = self._frontier
        arms = int(f.totals[arrays.ARMS_FOUND]) if self._plan.by_templates else self.source.hosts
        stride = -(-arms // MOST_ARMS) or 1
        worths, ranks, found = np.empty(MOST_ARMS), np.empty(MOST_ARMS), np.empty(MOST_ARMS, np.int64)
        count = steps.worths(self._state, arms, stride, worths, ranks, found)
        chosen = f.arms[found[:count]]
        pages, hosts = stride * chosen["size"].astype(np.int64), f.hosts[chosen["host"]]
        if self._samples or self._plan.uniform or self._plan.estimator == BY_ORDER:
            return outlook_of(np.zeros(count), pages, pages, np.full(count, np.inf))
        waiting = Waiting(chosen["host"], worths[:count], pages, hosts["tried"], hosts["good"] > 0, ranks[:count])
        return outlook_by_records(waiting, int(self._plan.budget - f.totals[arrays.FETCHES]))

    def offer_from_elsewhere(self, parent: int, relevant: bool, links: LinkBatch) -> int:
        if self.state_of(parent) == arrays.UNKNOWN:
            self._frontier.candidates["state"][parent] = arrays.DONE
            self._frontier.candidates["good"][parent] = relevant
        return self.offer(parent, links)

    @property
    def _sharing(self) -> SharedModel:
        if self._shared is None:
            raise UsageError("a session that is to share what it learns must be told so before it begins")
        return self._shared

    @property
    def _belief_sums(self) -> Any:
        if self._plan.by_templates and self._hierarchy:
            return sums_of(self._hierarchy.beliefs)
        return np.empty(0)

    # -- candidates come, are leased, and end ----------------------------------------------------

    def choose(self) -> int:
        self._reserve(1)
        candidate: int = self._choose(self._state)
        return candidate

    def lease(self, candidate: int, *, counts: bool) -> None:
        self._reserve(1)
        steps.lease_known(self._state, candidate)
        if not counts:
            self._frontier.totals[arrays.FETCHES] -= 1

    def drop(self, candidate: int) -> None:
        self._reserve(1)
        steps.drop(self._state, candidate)

    def give_back(self, candidate: int) -> None:
        self._reserve(1)
        steps.give_back(self._state, candidate)

    def set_asleep(self, host: int, asleep: bool) -> None:
        self._reserve(1)
        steps.set_asleep(self._state, host, asleep)

    def extend(self, budget: int) -> None:
        self._plan = self._plan._replace(budget=budget)
        self._hand_over()

    def charge(self, candidate: int, cost: float) -> None:
        if self._plan.by_templates:
            steps.charge(self._state, candidate, cost)

    def take_in(self, candidate: int, reward: float, links: LinkBatch) -> int:
        return self._take_in(candidate, reward, 0.0, links)

    def take_in_near_miss(self, candidate: int, near: float, links: LinkBatch) -> int:
        return self._take_in(candidate, 0.0, near, links)

    def _take_in(self, candidate: int, reward: float, near: float, links: LinkBatch) -> int:
        if reward > self._highest_reward:
            self._highest_reward = reward
        if self._python_estimator:
            self._python_estimator.learn(candidate, reward > 0)
        first = links if len(links.targets) <= BATCH else links.part(0, BATCH)
        self._reserve(len(first.targets) + 1)
        known = self._discovered if self._python_estimator else 0
        new = steps.take_in(self._state, candidate, reward, self._highest_reward, near, *first[:3])
        if self._python_estimator:
            self._rescore_in_python(first.targets, known)
        return int(new) + (self._offer_from(BATCH, candidate, links) if first is not links else 0)

    def crawls_static(self) -> bool:
        return self._python_estimator is None

    def crawl_static(self, pages: StaticPages, choices: Choices, sums: Any, begin: int, end: int) -> int:
        self._reserve(MOVES)
        sums[HIGHEST_REWARD], sums[UNFINISHED] = self._highest_reward, -1
        done = int(crawl_static(self._state, pages, choices, sums, begin, end, MOVES))
        self._highest_reward = sums.item(HIGHEST_REWARD)
        if sums[UNFINISHED] >= 0:
            page = int(sums[UNFINISHED])
            which = slice(int(pages.starts[page]), int(pages.starts[page + 1]))
            self._offer_from(
                BATCH, page, LinkBatch(pages.targets[which], pages.anchors[which], pages.paths[which])
            )
        return done

    def offer(self, parent: int, links: LinkBatch) -> int:
        return self._offer_from(0, parent, links)

    def _offer_from(self, begin: int, parent: int, links: LinkBatch) -> int:
        """The links from ``begin`` on, a batch at a time."""
        new = 0
        for at in range(begin, len(links.targets), BATCH):
            part = links.part(at, at + BATCH)
            self._reserve(len(part.targets))
            known = self._discovered
            new += int(steps.offer(self._state, parent, *part[:3]))
            if self._python_estimator:
                self._rescore_in_python(part.targets, known)
        return new

    @property
    def _discovered(self) -> int:
        return int(self._frontier.totals[arrays.DISCOVERED])

    def _rescore_in_python(self, targets: Any, known: int) -> None:
        """Give candidates the scores of an estimator that is no kernel: new ones, or if fresh all that wait."""
        if self._python_estimator:
            candidates = self._frontier.candidates[targets]
            rated = candidates["state"] == arrays.QUEUED
            if not self._plan.fresh:
                rated &= candidates["order"] >= known
            scores = np.asarray(self._python_estimator.scores(targets[rated]), float)
            self._reserve(len(scores))
            steps.rescore(self._state, targets[rated], scores)

    # -- arrays ----------------------------------------------------------------------------------

    def grow(self) -> None:
        self._frontier = self._grown(self._frontier)
        if self._plan.by_templates and self._hierarchy:
            templates = roomy_templates(self._hierarchy.templates, len(self._frontier.arms))
            if templates is not self._hierarchy.templates:
                self._hierarchy = self._hierarchy._replace(templates=templates)
        self._moves_left = 0  # there may be more arms than there is room for
        frontier, hierarchy, facts = self._handed
        if self._frontier is not frontier or self._hierarchy is not hierarchy or self.source.facts is not facts:
            self._hand_over()

    def _reserve(self, moves: int) -> None:
        """Make sure that the next kernel call, which may move or make so many arms, finds room for them."""
        self._moves_left -= moves
        if self._moves_left >= 0:
            return
        if self._plan.by_templates:
            self.grow()
        elif self._thompson is not None:
            roomy = sampling.reserve(self._thompson, self.source.hosts, MOVES)
            if roomy is not self._thompson:
                self._thompson = roomy
                self._hand_over()
        self._moves_left = MOVES - moves

    def _hand_over(self) -> None:
        """Hand the arrays to the kernels anew, for some of them have been replaced by larger ones.

        ``item`` of an array reads one cell several times quicker than indexing does.
        """
        self._handed = self._frontier, self._hierarchy, self.source.facts
        self.state_of = self._frontier.candidates["state"].item
        self._state = self._build_state(self._frontier, self._thompson, self.source.facts)
        choosing = steps.choose_with_propensity if self._with_propensity else steps.choose
        self._choose = for_types_of(choosing, self._state)

    def restored(self) -> None:
        self._hand_over()

    def _build_state(self, frontier: arrays.Frontier, sampler: sampling.Thompson | None, facts: Facts) -> Any:
        return build_state(
            frontier,
            sampler,
            self._hierarchy,
            facts,
            self.model,
            self._plan,
            self._rng,
            self._features,
            self.parts,
        )

    def _features_of(self, candidate: int) -> list[int]:
        count = steps.gather_features(self._state, candidate)
        features: list[int] = self._features[:count].tolist()
        return features

    def _pretrain(self, path: Path) -> None:
        """Learn from a sample as if its pages had been fetched, each with one parent; or take over a model."""
        if path.suffix == ".npz":
            self.model = load_model(path, self.model)
            return
        sample = sample_as_candidates(path)
        state = self._build_state(sample.frontier, None, sample.catalog.facts)
        if isinstance(self._python_estimator, TreeEstimator):
            for candidate, label in zip(sample.rows.tolist(), sample.labels.tolist(), strict=True):
                count = steps.gather_features(state, candidate)
                self._python_estimator.tree.learn(self._features[:count].tolist(), label > 0)
        else:
            steps.teach(state, sample.rows, sample.labels)
