"""JSON from strangers, and what JMESPath expressions find in it, as plain values of the kind that is wanted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import orjson
from jmespath.exceptions import JMESPathError

from sundog.fetch.values import Page
from sundog.spec.jmes import compiled

MOST_VALUES = 100_000  # of one answer
LARGEST_SCORE = 1e15  # so that sums of them are numbers


class WrongAnswerError(Exception):
    """What came cannot be read; the text says why."""


class Neighbour(NamedTuple):
    id: str
    score: float | None = None
    text: str = ""


def json_of(page: Page) -> Any:
    if page.truncated:
        raise WrongAnswerError(f"the answer has more than {len(page.body):,} bytes")
    try:
        return orjson.loads(page.body)
    except ValueError as error:
        raise WrongAnswerError(f"the answer is no JSON: {error}"[:200]) from None


def found(expression: str, answer: Any) -> Any:
    """None for an empty expression."""
    search = compiled(expression)
    try:
        return None if search is None else search.search(answer)
    except (JMESPathError, TypeError, RecursionError) as error:
        first = (str(error).splitlines() or [type(error).__name__])[0]
        raise WrongAnswerError(f"{expression}: {first}"[:200]) from None


def texts_in(value: Any) -> list[str]:
    """Every text and number, however they are nested; a bounded number of them.

    >>> texts_in([["a", None], {"b": 2}])
    ['a', '2']
    """
    texts: list[str] = []
    left = [value]
    while left and len(texts) < MOST_VALUES:
        value = left.pop()
        if isinstance(value, dict):
            value = list(value.values())
        if isinstance(value, list):
            left += reversed(value)
        elif isinstance(value, str):
            texts.append(value)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            texts.append(str(value))
    return texts


def score_in(value: Any) -> float:
    """A number from 0 on, within reason; nothing at all is 0.

    >>> score_in(None), score_in(3)
    (0.0, 3.0)
    """
    if value is None:
        return 0.0
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= LARGEST_SCORE:
        raise WrongAnswerError(f"a score is a number from 0 to 1e15, not {str(value)[:40]}")
    return float(value)


def id_in(value: Any) -> str:
    """Empty if it is none.

    >>> id_in(42), id_in("x"), id_in(True), id_in({})
    ('42', 'x', '', '')
    """
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""


def neighbours_in(value: Any) -> Iterator[Neighbour]:
    """Ids, or objects with an ``id`` and perhaps a ``score`` or a ``text``."""
    for each in (value if isinstance(value, list) else [value])[:MOST_VALUES]:
        if isinstance(each, dict):
            score = None if each.get("score") is None else score_in(each["score"])
            yield Neighbour(id_in(each.get("id")), score, " ".join(texts_in(each.get("text"))))
        elif each is not None:
            yield Neighbour(id_in(each))
