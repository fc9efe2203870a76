"""``microdata>=5``: statements of one syntax, or of several together."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any

import numpy as np

from sundog.objectives.condition import Condition
from sundog.objectives.entities import subjects_of
from sundog.objectives.memory import Memory
from sundog.objectives.page import PageTable, PageView
from sundog.objectives.tokens import Tokens
from sundog.syntaxes import STORED


class Counts(Condition):
    form = "SYNTAX, SYNTAX>=N, SYNTAX+SYNTAX>=N"
    summary = f"pages with at least N statements (1) in these syntaxes together: {', '.join(STORED)}"
    example = "jsonld+microdata>=3"

    def __init__(self, syntaxes: tuple[str, ...], least: int) -> None:
        self.syntaxes, self.least = syntaxes, least

    def __str__(self) -> str:
        return f"{'+'.join(self.syntaxes)}>={self.least}"

    @classmethod
    def reads(cls, word: str) -> bool:
        return word in STORED

    @classmethod
    def read(cls, word: str, tokens: Tokens) -> Condition:
        syntaxes = [word]
        while tokens.take("+"):
            syntaxes.append(tokens.word())
            if syntaxes[-1] not in STORED:
                raise tokens.error(f"'{syntaxes[-1]}' cannot be added; there are {', '.join(STORED)}")
        least = 1
        if tokens.take(">="):
            least = tokens.number()
        elif tokens.take(">"):
            least = tokens.number() + 1
        return cls(tuple(syntaxes), least)

    def rewards(self, table: PageTable) -> Any:
        return (sum(table.count(name) for name in self.syntaxes) >= self.least).astype(float)

    def reward(self, page: PageView, memory: Memory) -> float:
        count, counts = 0, page.counts
        for name in self.syntaxes:
            count += counts.get(name, 0)
        return 1.0 if count >= self.least else 0.0

    def near_misses(self, table: PageTable) -> Any:
        """The square root of the share of the statements that are asked for: a first one says most."""
        if self.least <= 1:
            return None
        return np.sqrt(np.minimum(1.0, sum(table.count(name) for name in self.syntaxes) / self.least))

    def near_miss(self, page: PageView) -> float | None:
        if self.least <= 1:
            return None
        return math.sqrt(min(1.0, sum(page.counts.get(name, 0) for name in self.syntaxes) / self.least))

    def subjects(self, page: PageView, memory: Memory) -> Collection[str]:
        return subjects_of(page, self.syntaxes) if self.reward(page, memory) else ()
