"""``and``, ``or``, ``not``: the smaller reward, the larger one, and 1 where there is none."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import inf
from typing import Any

import numpy as np

from sundog.objectives.condition import Condition
from sundog.objectives.memory import Memory
from sundog.objectives.page import PageTable, PageView


class Joined(Condition):
    """Several conditions; of the scores of texts, those of the parts that have some count."""

    def text_scores(self, text: str, language: str) -> list[float]:
        return [part.text_score(text, language) for part in self.parts if part.scores_links]

    def known_near_misses(self, table: PageTable) -> list[Any]:
        """Those of the parts that can tell."""
        return [found for part in self.parts if (found := part.near_misses(table)) is not None]

    def known_near_miss(self, page: PageView) -> list[float]:
        return [found for part in self.parts if (found := part.near_miss(page)) is not None]


class All(Joined):
    form, example = "A and B", "any and jsonld"
    summary = "pages relevant for both; the smaller reward counts"

    def __init__(self, parts: Sequence[Condition]) -> None:
        # The order changes no reward, and a cheap condition often makes a costly one needless.
        self.parts = tuple(sorted(parts, key=lambda part: part.costly))
        self.costly = any(part.costly for part in parts)
        self.scores_links = any(part.scores_links for part in parts)

    def rewards(self, table: PageTable) -> Any:
        return reduce(np.minimum, [part.rewards(table) for part in self.parts])

    def reward(self, page: PageView, memory: Memory) -> float:
        before = len(memory.finds)
        smallest = inf
        for part in self.parts:
            reward = part.reward(page, memory)
            if reward <= 0:
                del memory.finds[before:]
                return 0.0
            smallest = min(smallest, reward)
        return smallest

    def near_misses(self, table: PageTable) -> Any:
        known = self.known_near_misses(table)
        return reduce(np.minimum, known) if known else None

    def near_miss(self, page: PageView) -> float | None:
        return min(self.known_near_miss(page), default=None)

    def text_score(self, text: str, language: str = "") -> float:
        return min(self.text_scores(text, language))


class Either(Joined):
    form, example = "A or B", "microdata or jsonld"
    summary = "pages relevant for one of them; the larger reward counts"

    def __init__(self, parts: Sequence[Condition]) -> None:
        self.parts = tuple(parts)
        self.costly = any(part.costly for part in parts)
        self.scores_links = any(part.scores_links for part in parts)

    def rewards(self, table: PageTable) -> Any:
        return reduce(np.maximum, [part.rewards(table) for part in self.parts])

    def reward(self, page: PageView, memory: Memory) -> float:
        return max([part.reward(page, memory) for part in self.parts])

    def near_misses(self, table: PageTable) -> Any:
        known = self.known_near_misses(table)
        return reduce(np.maximum, known) if known else None

    def near_miss(self, page: PageView) -> float | None:
        return max(self.known_near_miss(page), default=None)

    def text_score(self, text: str, language: str = "") -> float:
        return max(self.text_scores(text, language))


class Not(Condition):
    """What is denied is nowhere kept: ``not FILE.rq`` asks whether there are rows, not whether they are new."""

    form, example = "not A", "not opengraph"
    summary = "pages that are not relevant for A"

    def __init__(self, denied: Condition) -> None:
        self.parts = (denied,)
        self.costly = denied.costly

    def rewards(self, table: PageTable) -> Any:
        return (self.parts[0].rewards(table) <= 0).astype(float)

    def reward(self, page: PageView, memory: Memory) -> float:
        before = len(memory.finds)
        reward = self.parts[0].reward(page, memory)
        del memory.finds[before:]
        return 0.0 if reward > 0 else 1.0
