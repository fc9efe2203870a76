"""Crawls Linked Data: URIs in the order in which they were found, those that a model predicts to lead to RDF."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from sundog.errors import UsageError
from sundog.frontier.arrays import DONE
from sundog.frontier.rng import new_rng
from sundog.learn.files import load_model
from sundog.learn.model import KNN, SVM, Model, new_model
from sundog.learn.neighbours import new_examples
from sundog.model import HeadResult, LinkBatch
from sundog.policies.chooser import PARTS, Chooser, Setup, Source
from sundog.policies.linked import fifo, steps
from sundog.policies.linked.features import MOST_FEATURES, MOST_PARTS
from sundog.policies.linked.levenshtein import new_scratch
from sundog.policies.linked.rdf_hints import KnownContentTypes, by_content_type
from sundog.policies.linked.steps import LinkedPlan, Scratch, Texts, build_linked_state
from sundog.policies.parameters import CROSSES, LEARNERS, PROPERTIES, REFERRER, TARGET
from sundog.policies.pretrain import Sample, sample_as_candidates

RATES = {"ftrl-global": 1.0}  # as in the paper; others learn at the usual one
SVM_PASSES = 5  # over a sample that is learned from first
SETS = TARGET | REFERRER | PROPERTIES | CROSSES


class LinkedChooser(Chooser):
    """``values`` are the policy's parameters, ``name`` is for messages.

    Content-Types are known in worlds that have them, once asked for; or whoever drives the session makes HEAD
    requests.
    """

    not_saved = frozenset({"state_of", "_state", "_handed"})

    def __init__(
        self, values: Mapping[str, Any], setup: Setup, *, name: str, by_rule: bool, must_ask_head: bool
    ) -> None:
        self.source = setup.source
        self.parts = np.zeros(PARTS)
        _check(values, setup, name, must_ask_head)
        self._plan = _plan_of(values, setup, by_rule)
        self._known_types = KnownContentTypes() if self._plan.head_requests else None
        self._rng = new_rng(setup.seed)
        self._waiting = fifo.new_waiting()
        self.model: Model = _new_model(values, self._plan.hashes)
        hashes = self._plan.hashes
        self._scratch = Scratch(
            np.zeros(MOST_FEATURES, np.int32),
            np.zeros(MOST_PARTS, np.uint64),
            np.zeros(hashes, np.int32),
            np.zeros(1, np.int64),
            new_scratch(),
            self.parts,
        )
        if values.get("pretrain"):
            self._pretrain(values["pretrain"])
        self.model = self.model._replace(frozen=bool(values.get("frozen")))
        self._handed: Any = None
        self.grow()

    # -- what is known -------------------------------------------------------------------------

    @property
    def queued(self) -> int:
        return int(self._waiting.totals[fifo.QUEUED_TOTAL])

    @property
    def hosts_found(self) -> int:
        return int(self._waiting.totals[fifo.HOSTS_FOUND])

    @property
    def spent(self) -> float:
        """On HEAD requests, in fetches."""
        return float(self._plan.head * self._waiting.totals.item(fifo.HEADS))

    @property
    def moves(self) -> int:
        """How often a URI was taken from where it waited: a choice without result may have put off some."""
        return int(self._waiting.totals[fifo.MOVES])

    def estimate(self, candidates: Any) -> Any:
        ids = np.asarray(candidates, np.int32)
        out = np.empty(len(ids))
        steps.estimates(self._state, ids, out)
        return out

    def explain(self, candidate: int) -> None:
        steps.explain(self._state, candidate)

    def features_of(self, candidate: int) -> Any:
        """The indices of the URI's features, as the model sees it now."""
        return self._scratch.features[: steps.gather_features(self._state, candidate)].copy()

    def is_hard(self, candidate: int) -> bool:
        """Whether the model decides: extension and Content-Type, if that is known, give no hint."""
        return bool(steps.is_hard(self._state, candidate))

    def teach(self, candidates: Any, labels: Any) -> None:
        """Let the model learn from labelled URIs, in order."""
        steps.teach(self._state, candidates, labels)

    # -- candidates come, are leased, and end ----------------------------------------------------

    def choose(self) -> int:
        return int(steps.choose(self._state))

    def lease(self, candidate: int, *, counts: bool) -> None:
        steps.lease_known(self._state, candidate)
        if not counts:
            self._waiting.totals[fifo.FETCHES] -= 1

    def drop(self, candidate: int) -> None:
        self._waiting.nodes["state"][candidate] = DONE
        self._waiting.totals[fifo.HEADS_OPEN] -= self._waiting.nodes["head_open"][candidate]
        self._waiting.nodes["head_open"][candidate] = 0
        self._waiting.totals[fifo.FETCHES] -= 1

    def give_back(self, candidate: int) -> None:
        steps.give_back(self._state, candidate)

    def wants_head(self, candidate: int) -> bool:
        return bool(self._waiting.nodes["head_open"][candidate])

    def observe_head(self, candidate: int, result: HeadResult) -> None:
        """A URI that is there and has no Content-Type is as hard as before."""
        node = self._waiting.nodes[candidate]
        self._waiting.totals[fifo.HEADS] += 1
        if result.refused:
            self._waiting.hosts["refuses_head"][node["host"]] = 1
        failed = result.refused or result.content_type == ""
        node["head_failed" if failed else "head_known"] = 1
        if result.content_type and not failed and self._known_types is not None:
            self._known_types.note(candidate, result.content_type)
        steps.give_back(self._state, candidate)

    def known_reward(self, candidate: int) -> float:
        """A URI is relevant if it leads to RDF, also if that was collected under another URI."""
        return float(self._waiting.nodes["good"][candidate])

    def set_asleep(self, host: int, asleep: bool) -> None:
        steps.set_asleep(self._state, host, asleep)

    def extend(self, budget: int) -> None:
        self._plan = self._plan._replace(budget=budget)
        self._hand_over()

    def take_in(self, candidate: int, reward: float, links: LinkBatch) -> int:
        grouped = self._grouped(links)  # first: it may make the arrays larger
        return int(steps.take_in(self._state, candidate, reward > 0, *grouped))

    def offer(self, parent: int, links: LinkBatch) -> int:
        grouped = self._grouped(links)
        return int(steps.offer(self._state, parent, *grouped))

    def _grouped(self, links: LinkBatch) -> tuple[Any, Any, Any, bool]:
        """Links in order of their groups, if siblings matter: those that they name, else those of one property."""
        if not self._plan.features & CROSSES or not len(links.paths):
            return links.targets, links.paths, links.paths, False
        needed = int(self._waiting.totals[fifo.MEMBERS]) + len(links.targets)
        self._waiting = fifo.grown_waiting(self._waiting, 0, 0, needed)
        self.grow()
        groups = links.paths
        if len(links.groups):
            groups = np.where(links.groups > 0, fifo.FIRST_GROUP + links.groups, links.paths).astype(np.int32)
        order = np.argsort(groups, kind="stable")
        return links.targets[order], links.paths[order], groups[order], True

    # -- arrays ----------------------------------------------------------------------------------

    def grow(self) -> None:
        self._waiting = fifo.grown_waiting(self._waiting, self.source.size, self.source.hosts)
        if self._known_types is not None:
            self._known_types.grow(self.source.size)
        if self._handed is None or any(a is not b for a, b in zip(self._handed, self._arrays(), strict=True)):
            self._hand_over()

    def _arrays(self) -> tuple[Any, ...]:
        types = (self._known_types.codes,) if self._known_types is not None else ()
        return (self._waiting, self.source.facts.host, *self.source.url_bytes, *self.source.text_bytes, *types)

    def _hand_over(self) -> None:
        """Hand the arrays to the kernels anew, for some of them have been replaced by larger ones."""
        self._handed = self._arrays()
        self.state_of = self._waiting.nodes["state"].item
        self._state = self._build_state(self._waiting, _texts_of(self.source, self._known_types))

    def restored(self) -> None:
        self._hand_over()

    def _build_state(self, waiting: fifo.Waiting, texts: Texts) -> Any:
        return build_linked_state(waiting, texts, self.model, self._plan, self._rng, self._scratch)

    # -- what is learned first ---------------------------------------------------------------------

    def _pretrain(self, path: Path) -> None:
        """Learn from a sample as if its URIs had been fetched, or take over a model."""
        if path.suffix == ".npz":
            self.model = load_model(path, self.model)
            return
        sample = sample_as_candidates(path)
        state = self._build_state(_sample_as_nodes(sample), _texts_of(sample.catalog))
        hard = np.array([steps.is_hard(state, row) for row in sample.rows.tolist()])
        rows, labels = sample.rows[hard], sample.labels[hard]
        if self.model.kind == KNN:
            pages = [self._scratch.features[: steps.gather_features(state, row)].copy() for row in rows.tolist()]
            self.model = self.model._replace(examples=new_examples(pages, labels, self._plan.hashes))
            return
        for _ in range(SVM_PASSES if self.model.kind == SVM else 1):
            steps.teach(state, rows, labels)


def _can_ask_head(setup: Setup) -> bool:
    return setup.head_requests or setup.source.content_types is not None


def _check(values: Mapping[str, Any], setup: Setup, name: str, must_ask_head: bool) -> None:
    if values.get("features", 0) & ~SETS:
        raise UsageError(f"policy '{name}' has the feature sets t, r, p and x, joined by +")
    if must_ask_head and not _can_ask_head(setup):
        raise UsageError("head= needs a live crawl, or a world whose pages have a content_type")


def _plan_of(values: Mapping[str, Any], setup: Setup, by_rule: bool) -> LinkedPlan:
    head = values["head"] if _can_ask_head(setup) else 0.0
    return LinkedPlan(
        features=values.get("features", 0),
        hashes=values.get("hashes", 16),
        tau=values.get("tau", 0.5),
        epsilon=values.get("epsilon", 1.0),
        similar=values.get("similar", 0.5),
        head=head,
        head_requests=setup.head_requests and head > 0.0,
        by_rule=by_rule,
        budget=setup.budget,
    )


def _new_model(values: Mapping[str, Any], width: int) -> Model:
    learner: str | None = values.get("learner")
    if learner == "knn" and str(values.get("pretrain", ".npz")).endswith(".npz"):
        raise UsageError("learner=knn learns nothing while crawling: give it a sample with pretrain=FILE")
    if learner == "hoeffding-tree":
        others = ", ".join(each for each in LEARNERS if each != learner)
        raise UsageError(f"learner=hoeffding-tree is none of this policy's; there are {others}")
    if learner == "ftrl" and values["rates"] == "global":
        learner = "ftrl-global"
    return new_model(
        learner, width, rate=values.get("rate", RATES.get(learner or "", 0.1)), lasso=values.get("l1", 0.0)
    )


def _texts_of(source: Source, known: KnownContentTypes | None = None) -> Texts:
    if known is not None:
        return Texts(*source.url_bytes, *source.text_bytes, source.facts.host, known.codes, known.hints)
    types = source.content_types
    codes, names = (types.codes, types.names) if types else (np.zeros(0, np.int32), ())
    hints = np.array([by_content_type(name) for name in names], np.int64)
    return Texts(*source.url_bytes, *source.text_bytes, source.facts.host, codes, hints)


def _sample_as_nodes(sample: Sample) -> fifo.Waiting:
    waiting = fifo.grown_waiting(fifo.new_waiting(), sample.catalog.size, sample.catalog.hosts)
    waiting.nodes["parent"][sample.rows] = sample.referrers
    for place, field in enumerate(("first_property", "second_property", "third_property")):
        waiting.nodes[field][sample.rows] = sample.properties[:, place]
    return waiting
