"""Graphs given by a function: what it says, what it raises, and what it may not say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from sundog import SundogError, explore
from sundog.errors import UsageError
from sundog.policies.presets import POLICIES


def chain(node: str) -> tuple[float, list[str]]:
    return float(node), [str(int(node) + 1), node]


@pytest.mark.parametrize("policy", [name for name, policy in POLICIES.items() if not policy.foresees])
def test_every_policy_explores_nodes_that_are_no_urls(policy: str) -> None:
    found = explore(chain, ["0"], budget=5, policy=policy)
    assert [visit.node for visit in found.visits] == ["0", "1", "2", "3", "4"]
    assert (found.reward, found.relevant, found.stopped) == (10.0, 4, "budget")


def test_names_may_be_any_strings() -> None:
    names = ["", "jazz & blues", "ü", "http://a.example/?q=1#x", "a\nb", "node:1"]
    found = explore(lambda node: (1.0, [*names, node]), [names[0]], budget=100, policy="bfs")
    assert sorted(visit.node for visit in found.visits) == sorted(names)
    assert found.stopped == "frontier empty"


def test_what_expand_raises_is_an_outcome_and_costs_budget() -> None:
    def expand(node: str) -> tuple[float, Any]:
        if node == "bad":
            raise TimeoutError("no answer")
        return 1.0, broken_off() if node == "late" else ["bad", "late", "good"]

    def broken_off() -> Iterator[str]:
        yield "never"
        raise ValueError("page 2 is broken")

    found = explore(expand, ["a"], budget=4, policy="bfs")
    assert {visit.node: visit.failed for visit in found.visits} == {
        "a": None,
        "bad": "TimeoutError: no answer",
        "late": "ValueError: page 2 is broken",
        "good": None,
    }
    assert found.reward == 2.0


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ((float("nan"), []), r"expand\('a'\) gave the score nan; scores are numbers from 0 on"),
        ((-1, []), "gave the score -1.0"),
        (("much", []), "gave the score 'much'"),
        ((1.0, [("b", float("inf"))]), "gave the link score to 'b' inf"),
        ((1.0, {"b": -2}), "gave the link score to 'b' -2.0"),
        ((1.0, [7]), "gave the link 7; a name"),
        ((1.0, [("b", 1, 2)]), "gave the link"),
        (1.0, "gave 1.0; a pair of score and links"),
    ],
)
def test_what_is_no_answer_is_an_error_that_names_the_node(answer: Any, message: str) -> None:
    with pytest.raises(SundogError, match=message):
        explore(lambda node: answer, ["a"], budget=3, policy="bfs")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seeds": []}, "no seeds"),
        ({"seeds": "abc"}, "a list of strings"),
        ({"seeds": [1]}, "a list of strings"),
        ({"budget": 0}, "at least 1"),
        ({"policy": "oracle"}, "works in simulation only"),
        ({"policy": "bsf"}, "did you mean 'bfs'"),
    ],
)
def test_wrong_requests_are_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        explore(chain, **{"seeds": ["0"], "budget": 3, "policy": "bfs", **arguments})
