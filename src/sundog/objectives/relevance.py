"""How relevant texts are to keywords, from counts that can be added up: over the texts of a page, or of a person.

``log`` is f(x) of all occurrences x, with f(x) = 1 + log x and f(0) = 0, as a live crawl scores pages. ``tf-idf``
weighs each word by how few documents have it: the sum of f(x)·log(N/n) over words, where n of N documents have it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log
from typing import Literal

from sundog.errors import UsageError
from sundog.objectives.grammar import parse_objective
from sundog.objectives.keyword import Keyword, smoothed

RelevanceKind = Literal["log", "tf-idf"]
Counts = tuple[int, ...]


class Relevance:
    """``count`` texts, add counts up, then ``score`` them; of ``tf-idf``, after ``learn`` has seen all of them."""

    def __init__(self, objective: str, kind: RelevanceKind = "log") -> None:
        keyword = parse_objective(objective).condition
        if not isinstance(keyword, Keyword):
            raise UsageError(f"the objective '{objective}' counts no words: say keyword:…")
        self.kind = kind
        self._parts = [keyword] if kind == "log" else [Keyword((word,), keyword.stems) for word in keyword.words]
        self._weights = [1.0] * len(self._parts)

    def count(self, text: str, language: str = "") -> Counts:
        return tuple(part.count(text, language) for part in self._parts)

    def learn(self, documents: Iterable[Counts], number: int) -> None:
        """``documents``: the counts of those that have any of the words; there are so many documents in all."""
        having = [0] * len(self._parts)
        for counts in documents:
            for place, count in enumerate(counts):
                having[place] += count > 0
        if self.kind == "tf-idf":
            self._weights = [log(number / each) if each else 0.0 for each in having]

    def score(self, counts: Sequence[int]) -> float:
        """
        >>> rare = Relevance("keyword:far,breton", "tf-idf")
        >>> rare.learn([(1, 0), (2, 1)], 4)
        >>> round(rare.score((1, 0)), 3), round(rare.score((0, 1)), 3)
        (0.693, 1.386)
        """
        return sum(weight * smoothed(count) for weight, count in zip(self._weights, counts, strict=True))

    def text_score(self, text: str, language: str = "") -> float:
        return self.score(self.count(text, language))


def added(one: Counts, other: Counts) -> Counts:
    return tuple(a + b for a, b in zip(one, other, strict=True))
