"""The grammar of objectives on a table of four pages."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sundog.errors import UsageError
from sundog.objectives import Objective, PageView, parse_objective
from sundog.objectives.grammar import DEEPEST

COUNTS = {"jsonld": [0, 0, 1, 0], "microdata": [0, 2, 4, 0], "opengraph": [0, 0, 0, 5]}


class Table:
    """Pages: nothing; 2 microdata; 1 JSON-LD and 4 microdata; only OpenGraph."""

    def count(self, syntax: str) -> Any:
        return np.array(COUNTS.get(syntax, [0, 0, 0, 0]))

    def score(self) -> Any:
        return np.array([0.0, 0.25, 3.0, 0.0])

    def has_type(self, names: tuple[str, ...]) -> Any:
        return np.array(["https://schema.org/Recipe" in names] * 2 + [False] * 2)

    def has_markup(self) -> Any:
        return np.array([False, True, True, False])


@pytest.mark.parametrize(
    ("text", "rewards"),
    [
        ("any", [0, 1, 1, 0]),
        ("jsonld", [0, 0, 1, 0]),
        ("opengraph", [0, 0, 0, 1]),
        ("rdfa", [0, 0, 0, 0]),
        ("microdata>=2", [0, 1, 1, 0]),
        ("microdata>2", [0, 0, 1, 0]),
        ("microdata >= 5", [0, 0, 0, 0]),
        ("jsonld+microdata>=5", [0, 0, 1, 0]),
        ("jsonld + microdata", [0, 1, 1, 0]),
        ("microdata>=0", [1, 1, 1, 1]),
        ("score", [0, 0.25, 3, 0]),
        ("type:schema:Recipe", [1, 1, 0, 0]),
        ("type:https://schema.org/Recipe", [1, 1, 0, 0]),
        ("type:http://schema.org/Recipe", [1, 1, 0, 0]),
        ("not any", [1, 0, 0, 1]),
        ("not not any", [0, 1, 1, 0]),
        ("microdata and jsonld", [0, 0, 1, 0]),
        ("microdata or opengraph", [0, 1, 1, 1]),
        ("opengraph or microdata and jsonld", [0, 0, 1, 1]),
        ("(opengraph or microdata) and not jsonld", [0, 1, 0, 1]),
        ("not (opengraph or microdata)", [1, 0, 0, 0]),
        ("score and jsonld", [0, 0, 1, 0]),
        ("score or opengraph", [0, 0.25, 3, 1]),
    ],
)
def test_rewards(text: str, rewards: list[float]) -> None:
    objective = parse_objective(text)
    assert objective.text == text
    assert objective.rewards(Table()).tolist() == rewards


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "an objective such as"),
        ("   ", "an objective such as"),
        ("jsonl", "unknown word 'jsonl'; did you mean 'jsonld'"),
        ("xyzzy", "unknown word 'xyzzy'; sundog objectives lists what there is"),
        ("tpye:schema:Recipe", "unknown word 'tpye:schema:Recipe'; did you mean 'type:'"),
        ("any any", "'any' is not expected there"),
        ("microdata>=", "whole number is expected"),
        ("microdata>=many", "not 'many'"),
        ("microdata>=-1", "not '-1'"),
        ("microdata>=²", "not '²'"),
        ("jsonld+", "an objective such as"),
        ("jsonld+score", "'score' cannot be added"),
        ("and", "an objective such as"),
        ("any or", "an objective such as"),
        ("not", "an objective such as"),
        ("(any", r"a '\)' is missing"),
        ("any)", r"'\)' is not expected there"),
        ("()", "an objective such as"),
        ("type:shema:Recipe", "unknown prefix 'shema'; did you mean 'schema'"),
        ("type:", "a prefix and a name are expected, e.g. type:schema:Product"),
        ("type:Recipe", "a prefix and a name are expected, e.g. type:schema:Recipe"),
        ("(" * 1000 + "any" + ")" * 1000, f"more than {DEEPEST} levels deep"),
        ("not " * 1000 + "any", f"more than {DEEPEST} levels deep"),
    ],
)
def test_what_cannot_be_read_is_named(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_objective(text)


COUNTED = [
    PageView(f"http://a.example/{row}", {name: found[row] for name, found in COUNTS.items()}, [], {})
    for row in range(4)
]
ATOMS = ["any", "jsonld", "microdata>=2", "microdata>3", "jsonld+microdata>=5", "opengraph", "rdfa", "rdf>=0"]
TREES = st.recursive(
    st.sampled_from(ATOMS),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(lambda parts: f"({' '.join(parts)})"),
        inner.map(lambda text: f"not {text}"),
    ),
    max_leaves=12,
)


@given(TREES)
def test_a_live_page_earns_what_it_earns_in_a_table(text: str) -> None:
    objective = parse_objective(text)
    judge = objective.judge()
    assert [judge(page).reward for page in COUNTED] == objective.rewards(Table()).tolist()


@given(TREES, TREES)
def test_the_laws_of_and_or_not(left: str, right: str) -> None:
    def found(text: str) -> list[float]:
        return [parse_objective(text).judge()(page).reward for page in COUNTED]

    assert found(f"not ({left} and {right})") == found(f"not {left} or not {right}")
    assert found(f"{left} and {right}") == found(f"{right} and {left}")
    assert found(f"not not {left}") == found(left)


@given(
    st.lists(st.sampled_from([*ATOMS, "and", "or", "not", "(", ")", "novel", ">=", "+", "7", '"', "type:", "é"]))
)
def test_any_words_are_an_objective_or_one_sentence(words: list[str]) -> None:
    objective = parsed(" ".join(words))
    if objective is not None:
        assert all(objective.judge()(page).reward >= 0 for page in COUNTED)


@given(st.text())
def test_any_text_is_an_objective_or_one_sentence(text: str) -> None:
    parsed(text)


def parsed(text: str) -> Objective | None:
    try:
        return parse_objective(text)
    except UsageError:
        return None
