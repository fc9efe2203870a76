"""What ``sundog`` believes of the web as a whole, learned while it crawls.

* the base rate: how likely a page of a host never visited is relevant, and how likely it comes near
* a strength for each of the four views: how many fetches the record of the group above is worth
* trust: how far the classifier counts on hosts never visited
* shares of scales: how many times what a host's own model says counts

Strengths and trust are those of a small grid with the least log-loss on the outcomes so far; scales are mixed.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from sundog._jit import inner
from sundog.policies.hosts.templates import VIEWS

GRID = np.array([0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0])
TRUSTS = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
SCALES = np.array([0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0])  # 0: the records alone
LEAST_SHARE = 1e-9  # of a scale in the mixture; what has less is not worth computing
FIRST_STRENGTH = 2.0  # two fetches of a group outweigh what was thought of it before
FIRST_DOUBT = 0.5  # nats against each quarter of trust: a young classifier has seen few hosts
CHANGE_OF_MIND = 2.0  # nats: all hosts never visited are ranked anew when trust changes

# cells of Beliefs.numbers
RATES, VISITED, BASE_ODDS, TRUST = range(4)
RICH, RICH_FOUND = 4, 5  # hosts with a relevant page, and how many pages of theirs were found
NEAR_RATES, NEAR_ODDS, HIT_IF_NEAR = 6, 7, 8  # the chance of coming near, times this one, is the base rate
COST, CHARGED = 9, 10  # what fetches have cost, and how many of them that is known of
NUMBERS = 11
# sums over outcomes; the other cells follow from these
SUMS = [RATES, VISITED, RICH, RICH_FOUND, NEAR_RATES, COST, CHARGED]


class Beliefs(NamedTuple):
    numbers: Any  # float64
    strengths: Any  # float64[VIEWS]
    strength_losses: Any  # float64[VIEWS, len(GRID)]
    trust_losses: Any  # float64[len(TRUSTS)]
    scale_losses: Any  # float64[len(SCALES)]
    scale_shares: Any  # float64[len(SCALES)]: what follows from these


def new_beliefs() -> Beliefs:
    prior = 0.5 * np.log(GRID / FIRST_STRENGTH) ** 2
    numbers = np.zeros(NUMBERS)
    numbers[HIT_IF_NEAR] = 1.0
    return Beliefs(
        numbers,
        np.full(VIEWS, FIRST_STRENGTH),
        np.tile(prior, (VIEWS, 1)),
        FIRST_DOUBT * np.arange(len(TRUSTS), dtype=float),
        np.zeros(len(SCALES)),
        np.full(len(SCALES), 1.0 / len(SCALES)),
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
def mixed(b: Any, by_records: float, local: float) -> float:
    """Bayes' mixture over the scales of what the host's own model adds, in log-odds, to the records' estimate.

    Over any outcomes its log-loss is at most the logarithm of the number of scales above that of the best one.
    """
    odds, p = log_odds(by_records), b.scale_shares[0] * by_records
    for i in range(1, len(SCALES)):
        if b.scale_shares[i] > 0.0:
            p += b.scale_shares[i] * sigmoid(odds + SCALES[i] * local)
    return p


@inner
def learn_scales(b: Any, by_records: float, local: float, outcome: float) -> None:
    odds = log_odds(by_records)
    for i in range(len(SCALES)):
        b.scale_losses[i] += loss(sigmoid(odds + SCALES[i] * local), outcome)
    share_scales(b)


@inner
def share_scales(b: Any) -> None:
    """Each scale's share follows from its loss."""
    least, total = b.scale_losses[0], 0.0
    for i in range(1, len(SCALES)):
        least = min(least, b.scale_losses[i])
    for i in range(len(SCALES)):
        share = math.exp(least - b.scale_losses[i])
        b.scale_shares[i] = share if share > LEAST_SHARE else 0.0
        total += b.scale_shares[i]
    for i in range(len(SCALES)):
        b.scale_shares[i] /= total


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
    return np.concatenate([b.numbers[SUMS], b.strength_losses.ravel(), b.trust_losses, b.scale_losses])


def add_sums(b: Beliefs, sums: Any) -> None:
    """``settle_beliefs`` must follow."""
    ends = np.cumsum([len(SUMS), b.strength_losses.size, b.trust_losses.size])
    numbers, losses, trusts, scales = np.split(sums, ends)
    b.numbers[SUMS] += numbers
    b.strength_losses[:] += losses.reshape(b.strength_losses.shape)
    b.trust_losses[:] += trusts
    b.scale_losses[:] += scales


@inner
def settle_beliefs(b: Any) -> None:
    """All that follows from the sums."""
    learn_base(b, 0.0, 0.0, False)
    choose_trust(b)
    share_scales(b)
    for view in range(VIEWS):
        choose_strength(b, view)
