"""The kernels that ``HostChooser`` calls: ``choose`` and ``take_in`` for each step of a crawl, and small ones.

They take one argument, a ``State`` with all arrays. Passing some forty arrays to a compiled function costs more
than the function itself; a structref costs one microsecond, however much it holds.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import types
from numba.experimental import structref

from sundog._jit import inner, int64, njit
from sundog._view import view
from sundog.frontier import queues
from sundog.frontier.arrays import QUEUED
from sundog.learn.model import learn
from sundog.policies.chooser import ESTIMATE
from sundog.policies.hosts.beliefs import TRUST, Beliefs, settle_beliefs
from sundog.policies.hosts.choice import (
    choose_next,
    choose_next_with_propensity,
    end_lease,
    explain,
    lease,
    nominate_next,
    return_lease,
)
from sundog.policies.hosts.costs import charge as enter_cost
from sundog.policies.hosts.estimator import estimate, gather
from sundog.policies.hosts.intake import absorb, offer_links
from sundog.policies.hosts.leads import expected_leads
from sundog.policies.hosts.ranking import best_worth, rank_hitless, settle, settle_host, worths_of_arms
from sundog.policies.hosts.templates import Templates


class Hierarchy(NamedTuple):
    """What ``sundog`` alone uses. Policies that sample have None for it, others an empty one."""

    templates: Templates
    beliefs: Beliefs
    local: Any  # local_model.CELL: what tells the pages of visited hosts apart
    appraisal: Any  # float64: scratch of ``appraise``
    prior: Any  # float32: the weights that each host's model begins with; empty: with none


FIELDS = ["f", "t", "h", "facts", "model", "plan", "rng", "features", "parts"]


@structref.register
class StateType(types.StructRef):  # type: ignore[misc]
    """The fields' types are those of what ``build_state`` was given."""


class State(structref.StructRefProxy):  # type: ignore[misc]
    """Frontier, Thompson or None, Hierarchy, Facts, Model, Plan, and three scratch arrays."""


structref.define_proxy(State, StateType, FIELDS)


@njit
def build_state(
    f: Any, t: Any, h: Any, facts: Any, model: Any, plan: Any, rng: Any, features: Any, parts: Any
) -> Any:
    return State(f, t, h, facts, model, plan, rng, features, parts)


@njit
def choose(s: Any) -> int:
    """Lease the next candidate and explain it in ``s.parts``; -1 if no arm is ready.

    The propensity of a policy that samples is nan: it takes longer than the choice itself.
    """
    return choose_next(view(s))


@njit
def nominate(s: Any) -> int:
    """The candidate that ``choose`` would lease, explained in ``s.parts``; -1 if no arm is ready."""
    return nominate_next(view(s))


@njit
def choose_with_propensity(s: Any) -> int:
    """The same for a policy that samples, with the propensity."""
    return choose_next_with_propensity(view(s))


@njit
def take_in(
    s: Any,
    candidate: int,
    reward: float,
    highest_reward: float,
    near: float,
    targets: Any,
    anchors: Any,
    paths: Any,
) -> int:
    """Learn from the outcome of a leased candidate, then offer its links; return how many are new."""
    v = view(s)
    absorb(v, candidate, reward, highest_reward, near)
    return offer_links(v, candidate, targets, anchors, paths)


@njit
def offer(s: Any, parent: int, targets: Any, anchors: Any, paths: Any) -> int:
    """Make candidates of seeds (parent -1), or of more links of a page; return how many are new."""
    return offer_links(view(s), parent, targets, anchors, paths)


@njit
def charge(s: Any, candidate: int, cost: float) -> None:
    """What the fetch of a candidate that is done has cost."""
    v = view(s)
    enter_cost(v.f, v.h, candidate, cost)


@njit
def rescore(s: Any, candidates: Any, scores: Any) -> None:
    """Set the scores that an estimator in Python has given to queued candidates."""
    _rescore(view(s), candidates, scores)


@njit
def give_back(s: Any, candidate: int) -> None:
    """Undo a lease: the candidate is queued as before."""
    return_lease(view(s), candidate)


@njit
def drop(s: Any, candidate: int) -> None:
    """End a lease without an outcome: the candidate was refused and teaches nothing."""
    end_lease(view(s), candidate)


@njit
def set_asleep(s: Any, host: int, asleep: bool) -> None:
    """Let a host sleep, or wake it."""
    _set_asleep(view(s), host, asleep)


@njit
def estimates(s: Any, candidates: Any, out: Any) -> None:
    """The present estimate of each candidate; changes nothing but ``out``."""
    _estimates(view(s), candidates, out)


@njit
def chances(s: Any, candidates: Any, out: Any) -> None:
    """The probability of relevance that each queued candidate has now; changes nothing but ``out``."""
    _chances(view(s), candidates, out)


@njit
def lease_known(s: Any, candidate: int) -> None:
    """Lease a given queued candidate: one that was crawled before."""
    _lease_known(view(s), candidate)


@njit
def explain_queued(s: Any, candidate: int) -> None:
    """Explain in ``s.parts`` what a queued candidate is worth now."""
    explain(view(s), candidate)


@njit
def leads(s: Any, candidate: int, arms: Any, pages: Any) -> int:
    """Which arms a page is expected to lead to, and to how many pages of them; some stand there twice."""
    v = view(s)
    if v.h is None or not v.plan.looks_ahead:
        return 0
    return expected_leads(v.h.templates, int64(v.f.candidates[candidate].arm), arms, pages)


@njit
def worth_of_host(s: Any, host: int) -> float:
    """What the best page of a visited host is worth now, if the strategy is that of worth."""
    v = view(s)
    return best_worth(v.f, v.h, v.plan, host)


@njit
def worths(s: Any, arms: int, stride: int, out: Any, ranks: Any, found: Any) -> int:
    """Fill in what some of the arms are worth, how first visits rank, and which these are; return how many."""
    v = view(s)
    return worths_of_arms(v.f, v.h, v.plan, arms, stride, out, ranks, found)


@njit
def settle_learning(s: Any) -> None:
    """Sums of the beliefs have grown by what other shards have learned: follow."""
    _settle_learning(view(s), view(s).h)


@njit
def gather_features(s: Any, candidate: int) -> int:
    """Write the candidate's feature indices to ``s.features``; return how many there are."""
    return _gather_features(view(s), candidate)


@njit
def teach(s: Any, candidates: Any, labels: Any) -> None:
    """Learn from labelled candidates, in order."""
    _teach(view(s), candidates, labels)


# -- what they are made of ------------------------------------------------------------------------


@inner
def _rescore(s: Any, candidates: Any, scores: Any) -> None:
    f, t, h, plan = s.f, s.t, s.h, s.plan
    for i in range(len(candidates)):
        candidate = int64(candidates[i])
        if f.candidates[candidate].state == QUEUED:
            f.candidates[candidate].score = scores[i]
            queues.reorder(f, candidate)
            settle(f, t, h, plan, int64(f.candidates[candidate].arm))


@inner
def _set_asleep(s: Any, host: int, asleep: bool) -> None:
    f, t, h, plan = s.f, s.t, s.h, s.plan
    f.hosts[host].asleep = asleep
    settle_host(f, t, h, plan, host)


@inner
def _estimates(s: Any, candidates: Any, out: Any) -> None:
    for i in range(len(candidates)):
        out[i] = estimate(s.f, s.facts, s.model, s.plan, int64(candidates[i]), s.features)


@inner
def _chances(s: Any, candidates: Any, out: Any) -> None:
    for i in range(len(candidates)):
        explain(s, int64(candidates[i]))
        out[i] = s.parts[ESTIMATE]


@inner
def _settle_learning(s: Any, h: Any) -> None:
    if h is None:
        return
    trust = h.beliefs.numbers[TRUST]
    settle_beliefs(h.beliefs)
    if h.beliefs.numbers[TRUST] != trust:
        rank_hitless(s.f, h, s.plan)


@inner
def _lease_known(s: Any, candidate: int) -> None:
    lease(s.f, s.t, s.h, s.facts, s.plan, candidate)


@inner
def _gather_features(s: Any, candidate: int) -> int:
    return gather(s.f, s.facts, s.plan, candidate, s.features)


@inner
def _teach(s: Any, candidates: Any, labels: Any) -> None:
    for i in range(len(candidates)):
        count = gather(s.f, s.facts, s.plan, int64(candidates[i]), s.features)
        learn(s.model, s.features, count, labels[i], 1.0)
