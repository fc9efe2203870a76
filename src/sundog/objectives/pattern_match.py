"""``patterns``, ``pattern:NAME``: data patterns of the spec match."""

from __future__ import annotations

from sundog.objectives.condition import Condition
from sundog.objectives.memory import Memory
from sundog.objectives.page import PageView
from sundog.objectives.tokens import Tokens

ANY, ONE = "patterns", "pattern:"


class PatternMatch(Condition):
    form = "patterns, pattern:NAME"
    summary = "any data pattern of the spec matches, or the one of that name"
    example = "pattern:city"

    def __init__(self, name: str = "") -> None:
        self.name = name

    def __str__(self) -> str:
        return f"{ONE}{self.name}" if self.name else ANY

    @classmethod
    def reads(cls, word: str) -> bool:
        return word == ANY or word.startswith(ONE)

    @classmethod
    def read(cls, word: str, tokens: Tokens) -> Condition:
        name = word.partition(":")[2]
        if word != ANY and not name:
            raise tokens.error("the name of a data pattern is missing after 'pattern:'")
        return cls(name)

    def reward(self, page: PageView, memory: Memory) -> float:
        return float(page.matched.get(self.name, 0) > 0 if self.name else any(page.matched.values()))
