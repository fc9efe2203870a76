"""A condition is one word of the grammar, or several joined. To add one: a class in a file of its own, listed in
``registry.py``; ``checks.py`` says what every one of them must fulfil."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from sundog.errors import UsageError
from sundog.objectives.memory import Memory
from sundog.objectives.page import PageTable, PageView

if TYPE_CHECKING:
    from sundog.objectives.tokens import Tokens


class Condition:
    """``form`` is how it is written, ``example`` an instance that can be read anywhere."""

    form: ClassVar[str]
    summary: ClassVar[str]
    example: ClassVar[str]
    needs_text = False
    scores_links = False  # whether it can score a link by the text around it
    remembers = False
    costly = False  # joined by "and", it is asked only where the others are met
    parts: tuple[Condition, ...] = ()

    @classmethod
    def reads(cls, word: str) -> bool:
        """Whether the word is the beginning of such a condition."""
        raise NotImplementedError

    @classmethod
    def read(cls, word: str, tokens: Tokens) -> Condition:
        """The condition; may take more tokens. Raises UsageError."""
        raise NotImplementedError

    def rewards(self, table: PageTable) -> Any:
        """An array of floats, one a page of a static world."""
        raise UsageError(f"'{self}' needs the pages themselves; a static world has only counts, types and scores")

    def near_misses(self, table: PageTable) -> Any:
        """How near each page of a static world comes, from 0 to 1 for one that is as good as relevant; None if
        there is nothing between relevant and not."""
        return None

    def near_miss(self, page: PageView) -> float | None:
        """The same for a page of a live crawl."""
        return None

    def begin(self, memory: Memory) -> None:
        """A live crawl starts; raises UsageError if this cannot be judged in one."""

    def reward(self, page: PageView, memory: Memory) -> float:
        """0 or more for a page of a live crawl; what is new goes to ``memory.finds``."""
        raise NotImplementedError

    def text_score(self, text: str, language: str = "") -> float:
        """What a text earns by itself, such as the one around a link; asked only if it ``scores_links``."""
        raise NotImplementedError

    def subjects(self, page: PageView, memory: Memory) -> Collection[str]:
        """The entities that earn the reward: what ``novel`` counts."""
        raise NotImplementedError

    def walk(self) -> Iterator[Condition]:
        """This one and all within it."""
        yield self
        for part in self.parts:
            yield from part.walk()


def can_be_novel(condition: Condition) -> bool:
    return type(condition).subjects is not Condition.subjects
