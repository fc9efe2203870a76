"""``score``: a static world's own column of scores."""

from __future__ import annotations

from typing import Any

from sundog.errors import UsageError
from sundog.objectives.condition import Condition
from sundog.objectives.memory import Memory
from sundog.objectives.page import PageTable
from sundog.objectives.tokens import Tokens


class Score(Condition):
    form = example = "score"
    summary = "the world's own score of a page, in simulations only"

    def __str__(self) -> str:
        return self.form

    @classmethod
    def reads(cls, word: str) -> bool:
        return word == "score"

    @classmethod
    def read(cls, word: str, tokens: Tokens) -> Condition:
        return cls()

    def rewards(self, table: PageTable) -> Any:
        return table.score()

    def begin(self, memory: Memory) -> None:
        raise UsageError(
            "'score' is a column of a simulated world; live pages have none: use e.g. any or keyword:WORD"
        )
