"""Any graph that a program can expand, explored under a budget: people behind an API, words of a search form.

The user's function answers for one node at a time. What it raises is an outcome, and the exploration goes on; what
it says of scores is checked, for one that is not a number would spoil all estimates.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from sundog.errors import SundogError, UsageError
from sundog.model import FRONTIER_EMPTY, Decision, Failed, Fetched, Link, Outcome
from sundog.policies.parameters import PolicyParameters
from sundog.policies.presets import AnyPolicy, find_policy
from sundog.session import CrawlSession
from sundog.short_repr import ShortRepr

DEFAULT = "ensemble"  # names of nodes mean nothing, while `sundog` learns from URLs

Links = Iterable[str | tuple[str, float]] | Mapping[str, float]
Expand = Callable[[str], tuple[float, Links]]


@dataclass(frozen=True)
class Visit:
    """A node that was expanded: its score, what was expected of it, and why it failed if it did."""

    node: str
    score: float
    estimate: float
    failed: str | None = None


@dataclass(frozen=True, repr=False)
class Exploration(ShortRepr):
    """What a budget has bought: the nodes in the order of their visits, and their scores' sum."""

    visits: tuple[Visit, ...]
    stopped: str

    def _shown(self) -> dict[str, Any]:
        found = {"visits": len(self.visits), "relevant": self.relevant, "reward": self.reward}
        return {**found, "stopped": self.stopped}

    @property
    def reward(self) -> float:
        return sum(visit.score for visit in self.visits)

    @property
    def relevant(self) -> int:
        return sum(visit.score > 0 for visit in self.visits)


def explore(
    expand: Expand,
    seeds: Sequence[str],
    *,
    budget: int,
    policy: AnyPolicy = DEFAULT,
    seed: int = 0,
    **parameters: Unpack[PolicyParameters],
) -> Exploration:
    """Explore a graph from some of its nodes, expanding at most ``budget`` of them.

    Args:
        expand: gives a node's score and its links: names of nodes, pairs of name and link score, or a dict of
            them. Links of a node to itself are left out; of several to one node the largest score counts.
        seeds: the nodes that are known at the beginning; they cost budget like all others.
        policy: any but an oracle, by name or as an object; those of scored graphs are made for this.
        parameters: the policy's own, as ``--set``.

    An exception of ``expand`` makes a visit that failed; it costs budget, and the exploration goes on.

    >>> friends = {"ada": ["bob", "cy"], "bob": ["ada"], "cy": {"dee": 1.5, "cy": 1.0}, "dee": []}
    >>> def expand(person):
    ...     return float(len(friends[person])), friends[person]
    >>> found = explore(expand, ["ada"], budget=4, policy="bfs")
    >>> [(visit.node, visit.score) for visit in found.visits], found.reward, found.stopped
    ([('ada', 2.0), ('bob', 1.0), ('cy', 2.0), ('dee', 0.0)], 5.0, 'budget')
    """
    if budget < 1:
        raise UsageError(f"budget {budget}: a budget is at least 1 node")
    find_policy(policy).check_foresight()
    session = CrawlSession(policy=policy, budget=budget, seed=seed, normalise=False, **parameters)
    session.add(_names(seeds))
    visits = []
    while isinstance(decision := session.next_decision(), Decision):
        node = decision.url
        outcome = _outcome(expand, node)
        session.observe(decision, outcome)
        visits.append(_visit(node, decision.estimate, outcome))
    return Exploration(tuple(visits), getattr(decision, "reason", FRONTIER_EMPTY))


def _names(seeds: Sequence[str]) -> Sequence[str]:
    if isinstance(seeds, str) or not all(isinstance(one, str) for one in seeds):
        raise UsageError("seeds are a list of strings, one a node")
    if not seeds:
        raise UsageError("there are no seeds: an exploration begins at one node or more")
    return seeds


def _visit(node: str, estimate: float, outcome: Outcome) -> Visit:
    if isinstance(outcome, Fetched):
        return Visit(node, outcome.reward, estimate)
    return Visit(node, 0.0, estimate, outcome.reason)


def _outcome(expand: Expand, node: str) -> Outcome:
    try:
        answer = expand(node)
        if not isinstance(answer, tuple) or len(answer) != 2:
            raise _MalformedError(f"gave {answer!r}; a pair of score and links is expected")
        score, links = answer
        listed = list(links.items() if isinstance(links, Mapping) else links)  # a generator may fail, too
        return Fetched(_checked(score, "score"), _as_links(node, listed))
    except _MalformedError as error:
        raise SundogError(f"expand({node!r}) {error}") from None
    except Exception as error:
        return Failed(f"{type(error).__name__}: {error}")


class _MalformedError(Exception):
    """What ``expand`` gave is not what it should be: a mistake in the program, not an accident of one node."""


def _checked(score: Any, what: str) -> float:
    try:
        number = float(score)
    except (TypeError, ValueError):
        raise _MalformedError(f"gave the {what} {score!r}; scores are numbers from 0 on") from None
    if not 0 <= number < math.inf:
        raise _MalformedError(f"gave the {what} {number}; scores are numbers from 0 on")
    return number


def _as_links(node: str, listed: list[Any]) -> list[Link]:
    """One link a target, none to the node itself."""
    scores: dict[str, float] = {}
    for link in listed:
        target, score = (link, 0.0) if isinstance(link, str) else _pair(link)
        if target != node:
            scores[target] = max(scores.get(target, 0.0), _checked(score, f"link score to {target!r}"))
    return [Link(target, score=score) for target, score in scores.items()]


def _pair(link: Any) -> tuple[str, Any]:
    if not isinstance(link, tuple) or len(link) != 2 or not isinstance(link[0], str):
        raise _MalformedError(f"gave the link {link!r}; a name, or a pair of name and score, is expected")
    return link
