"""``any``: structured data in the page itself, but for OpenGraph, which nearly every page has."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sundog.objectives.condition import Condition
from sundog.objectives.entities import subjects_of
from sundog.objectives.memory import Memory
from sundog.objectives.page import PageTable, PageView
from sundog.objectives.tokens import Tokens
from sundog.syntaxes import MARKUP, titles_of


class Markup(Condition):
    form = example = "any"
    summary = f"pages with a statement of {titles_of(MARKUP)}"

    def __str__(self) -> str:
        return self.form

    @classmethod
    def reads(cls, word: str) -> bool:
        return word == "any"

    @classmethod
    def read(cls, word: str, tokens: Tokens) -> Condition:
        return cls()

    def rewards(self, table: PageTable) -> Any:
        return table.has_markup().astype(float)

    def reward(self, page: PageView, memory: Memory) -> float:
        counts = page.counts
        for name in MARKUP:
            if counts.get(name):
                return 1.0
        return 0.0

    def subjects(self, page: PageView, memory: Memory) -> Collection[str]:
        return subjects_of(page, MARKUP)
