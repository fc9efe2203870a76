"""An objective: ``language:fr`` asks for pages that say they are in that language."""

from __future__ import annotations

from sundog.objectives.condition import Condition
from sundog.objectives.memory import Memory
from sundog.objectives.page import PageView
from sundog.objectives.tokens import Tokens


class Language(Condition):
    form = "language:CODE"
    summary = "pages whose html element has that language: language:fr also matches fr-CA"
    example = "language:fr"

    def __init__(self, code: str) -> None:
        self.code = code.lower()

    def __str__(self) -> str:
        return f"language:{self.code}"

    @classmethod
    def reads(cls, word: str) -> bool:
        return word.startswith("language:")

    @classmethod
    def read(cls, word: str, tokens: Tokens) -> Condition:
        code = word.removeprefix("language:")
        if not code:
            raise tokens.error("a code is expected after 'language:', e.g. language:fr")
        return cls(code)

    def reward(self, page: PageView, memory: Memory) -> float:
        return float(page.language.lower().split("-")[0] == self.code)
