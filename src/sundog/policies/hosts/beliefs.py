"""What ``sundog`` believes of the web as a whole, learned while it crawls.

* the base rate: how likely a page of a host never visited is relevant, and how likely it comes near
* a strength for each of the four views: how many fetches the record of the group above is worth
* trust: how far the classifier counts on hosts never visited

Strengths and trust are the values of a small grid with the least log-loss on the outcomes so far.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from sundog._jit import inner
from sundog.policies.hosts.templates import VIEWS

GRID = np.array([0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0])
TRUSTS = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
FIRST_STRENGTH = 2.0  # two fetches of a group outweigh what was thought of it before
FIRST_DOUBT = 0.5  # nats against each quarter of trust: a young classifier has seen few hosts
CHANGE_OF_MIND = 2.0  # nats: all hosts never visited are ranked anew when trust changes

# cells of Beliefs.numbers
RATES, VISITED, BASE_ODDS, TRUST = range(4)
RICH, RICH_FOUND = 4, 5  # hosts with a relevant page, and how many pages of theirs were found
NEAR_RATES, NEAR_ODDS, HIT_IF_NEAR = 6, 7, 8  # the chance of coming near, times this one, is the base rate
RECORDS_LOSS, LOCAL_LOSS = 9, 10  # log-losses of the records alone, and of records and the hosts' own models
COST, CHARGED = 11, 12  # what fetches have cost, and how many of them that is known of
NUMBERS = 13
# sums over outcomes; the other cells follow from these
SUMS = [RATES, VISITED, RICH, RICH_FOUND, NEAR_RATES, RECORDS_LOSS, LOCAL_LOSS, COST, CHARGED]


class Beliefs(NamedTuple):
    numbers: Any  # float64
    strengths: Any  # float64[VIEWS]
    strength_losses: Any  # float64[VIEWS, len(GRID)]
    trust_losses: Any  # float64[len(TRUSTS)]


def new_beliefs() -> Beliefs:
    prior = 0.5 * np.log(GRID / FIRST_STRENGTH) ** 2
    numbers = np.zeros(NUMBERS)
    numbers[HIT_IF_NEAR] = 1.0
    return Beliefs(
        numbers,
        np.full(VIEWS, FIRST_STRENGTH),
        np.tile(prior, (VIEWS, 1)),
        FIRST_DOUBT * np.arange(len(TRUSTS), dtype=float),
    )


@inner
def sigmoid(odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-odds))


@inner
def log_odds(p: float) -> float:
    p = min(max(p, 1e-4), 1.0 - 1e-4)
    return math.log(p / (1.0 - p))


@inner
def doublings(count: int) -> int:
    """0, then 1 for 1, 2 from 2 on, 3 from 4 on: whoever looks at this needs another look only now and then."""
    step = 0
    while count >= 1 << step:
        step += 1
    return step


@inner
def loss(p: float, outcome: float) -> float:
    """The log-loss of the estimate ``p``; an outcome may be graded."""
    p = min(max(p, 1e-3), 1.0 - 1e-3)
    if outcome == 0.0:
        return -math.log(1.0 - p)
    if outcome == 1.0:
        return -math.log(p)
    return -outcome * math.log(p) - (1.0 - outcome) * math.log(1.0 - p)


@inner
def mixed(b: Any, by_records: float, by_local: float) -> float:
    """Bayes' mixture of two estimates: over any outcomes its log-loss is at most ln 2 above the better one's."""
    ahead = b.numbers[RECORDS_LOSS] - b.numbers[LOCAL_LOSS]
    share = 1.0 / (1.0 + math.exp(min(max(-ahead, -500.0), 500.0)))
    return by_records + share * (by_local - by_records)


@inner
def learn_mixture(b: Any, by_records: float, by_local: float, outcome: float) -> None:
    b.numbers[RECORDS_LOSS] += loss(by_records, outcome)
    b.numbers[LOCAL_LOSS] += loss(by_local, outcome)


@inner
def learn_strengths(b: Any, nodes: Any, ids: Any, priors: Any, outcome: float) -> None:
    """Score every strength by how well the group's record would have been weighed with it."""
    for view in range(VIEWS):
        if ids[view] < 0:
            continue
        tried, reward = nodes[ids[view]].tried, nodes[ids[view]].reward
        for i in range(len(GRID)):
            p = (reward + GRID[i] * priors[view]) / (tried + GRID[i])
            b.strength_losses[view, i] += loss(p, outcome)
        choose_strength(b, view)


@inner
def choose_strength(b: Any, view: int) -> None:
    best = 0
    for i in range(len(GRID)):
        if b.strength_losses[view, i] < b.strength_losses[view, best]:
            best = i
    b.strengths[view] = GRID[best]


@inner
def learn_trust(b: Any, odds: float, outcome: float) -> None:
    """From the first page of a host: would the classifier have been right about it?"""
    for i in range(len(TRUSTS)):
        b.trust_losses[i] += loss(sigmoid(b.numbers[BASE_ODDS] + TRUSTS[i] * odds), outcome)
    choose_trust(b)


@inner
def choose_trust(b: Any) -> None:
    best, now = 0, 0
    for i in range(len(TRUSTS)):
        if b.trust_losses[i] < b.trust_losses[best]:
            best = i
        if TRUSTS[i] == b.numbers[TRUST]:
            now = i
    if b.trust_losses[best] < b.trust_losses[now] - CHANGE_OF_MIND:
        b.numbers[TRUST] = TRUSTS[best]


@inner
def learn_base(b: Any, rate_gain: float, near_gain: float, first: bool) -> None:
    """Base rates are means over hosts of their rates: large hosts count no more than small ones."""
    b.numbers[RATES] += rate_gain
    b.numbers[NEAR_RATES] += near_gain
    b.numbers[VISITED] += first
    base, near = _mean_rate(b, b.numbers[RATES]), _mean_rate(b, b.numbers[NEAR_RATES])
    b.numbers[BASE_ODDS], b.numbers[NEAR_ODDS] = log_odds(base), log_odds(near)
    b.numbers[HIT_IF_NEAR] = base / near


@inner
def _mean_rate(b: Any, rates: float) -> float:
    return min(max((rates + 0.5) / (b.numbers[VISITED] + 1.0), 0.01), 0.99)


# -- what other shards of a crawl have learned -----------------------------------------------------


def sums_of(b: Beliefs) -> Any:
    """All that is a sum over outcomes, as one array."""
    return np.concatenate([b.numbers[SUMS], b.strength_losses.ravel(), b.trust_losses])


def add_sums(b: Beliefs, sums: Any) -> None:
    """``settle_beliefs`` must follow."""
    numbers, losses, trusts = np.split(sums, [len(SUMS), len(SUMS) + b.strength_losses.size])
    b.numbers[SUMS] += numbers
    b.strength_losses[:] += losses.reshape(b.strength_losses.shape)
    b.trust_losses[:] += trusts


@inner
def settle_beliefs(b: Any) -> None:
    """All that follows from the sums."""
    learn_base(b, 0.0, 0.0, False)
    choose_trust(b)
    for view in range(VIEWS):
        choose_strength(b, view)
