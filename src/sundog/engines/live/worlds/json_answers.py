"""JSON from strangers: values by JMESPath, and the URL of the next page, by number, cursor, URL or Link header."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import ada_url
import orjson
from jmespath.exceptions import JMESPathError

from sundog.fetch.values import Page
from sundog.spec.api import Api, Template
from sundog.spec.jmespath_expressions import compiled_expression
from sundog.urls.hosts import origin_of

MOST_VALUES = 100_000  # of one answer
LARGEST_SCORE = 1e15  # so that sums of them are numbers
LINK = re.compile(r"<([^<>]*)>([^<>]*)")
IS_NEXT = re.compile(r";\s*rel\s*=\s*(?:\"[^\"]*\bnext\b|next\b)", re.IGNORECASE)
NO_CURSOR = ("0", "-1")  # what some APIs say after the last page


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


def search_answer(expression: str, answer: Any) -> Any:
    """None for an empty expression."""
    search = compiled_expression(expression)
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


class Pages:
    """The URLs of one endpoint for one node; they always end."""

    def __init__(self, api: Api, template: Template, node: str) -> None:
        self._api, self._template, self._node = api, template, node
        self._number, self._asked = api.first_page, 1
        self.first = template.fill(id=node, page=api.first_page, cursor=api.first_cursor)
        self._known = {self.first}

    def after(self, page: Page, answer: Any, entries: int) -> str | None:
        """The next URL, if there is one; ``entries`` is how much this page had. Raises WrongAnswerError."""
        url = self._next(page, answer, entries)
        if url is None:
            return None
        if origin_of(url) != origin_of(self.first or ""):
            raise WrongAnswerError(f"the next page would be elsewhere: {url[:100]}")
        if url in self._known:
            raise WrongAnswerError(f"pages go round in a circle: {url[:100]}")
        if self._asked >= self._api.max_pages:
            raise WrongAnswerError(f"cut: more than {self._api.max_pages} pages")
        self._known.add(url)
        self._asked += 1
        return url

    def _next(self, page: Page, answer: Any, entries: int) -> str | None:
        if "page" in self._template.fields:
            if entries == 0 or entries < self._api.page_size:
                return None
            self._number += 1
            return self._template.fill(id=self._node, page=self._number)
        if not self._api.next:
            return next_link(page)
        cursor = id_in(search_answer(self._api.next, answer))
        if not cursor:
            return None
        if "cursor" in self._template.fields:
            return None if cursor in NO_CURSOR else self._template.fill(id=self._node, cursor=cursor)
        return absolute_url(page.url, cursor)


def next_link(page: Page) -> str | None:
    """What the Link header says."""
    for url, parameters in LINK.findall(page.headers.get("link", "")):
        if IS_NEXT.search(parameters):
            return absolute_url(page.url, url)
    return None


def absolute_url(base: str, reference: str) -> str | None:
    try:
        url: str = ada_url.join_url(base, reference)
    except ValueError:
        return None
    return url.partition("#")[0] if url.startswith(("http://", "https://")) else None
