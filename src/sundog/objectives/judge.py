"""An objective, and the judge that applies it to the pages of one crawl."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sundog.objectives.condition import Condition
from sundog.objectives.memory import Memory
from sundog.objectives.page import Judgement, PageTable, PageView

TextScore = Callable[[str, str], float]  # of a text and its language


@dataclass(frozen=True)
class Objective:
    """What is wanted. ``files`` are the texts of the files that it names."""

    text: str
    condition: Condition
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def needs_text(self) -> bool:
        """Whether a page's visible text is looked at."""
        return any(each.needs_text for each in self.condition.walk())

    @property
    def text_score(self) -> TextScore | None:
        """Scores a link by the text around it; None if the objective cannot. It can be pickled."""
        return self.condition.text_score if self.condition.scores_links else None

    def rewards(self, table: PageTable) -> Any:
        """Of all pages of a static world: above 0 where a page is relevant."""
        return self.condition.rewards(table)

    def near_misses(self, table: PageTable) -> Any:
        """How near every page of a static world comes, from 0 to 1; None if the objective cannot tell."""
        return self.condition.near_misses(table)

    def judge(self) -> Judge:
        """For one live crawl; raises UsageError if the objective cannot be judged in one."""
        return Judge(self.condition)


class Judge:
    """Judges pages in the order in which they came, for what is new depends on it."""

    def __init__(self, condition: Condition) -> None:
        self._condition = condition
        self._memory = Memory()
        self.remembers = any(each.remembers for each in condition.walk())
        for each in condition.walk():
            each.begin(self._memory)

    def __call__(self, page: PageView) -> Judgement:
        memory = self._memory
        memory.finds.clear()  # a page that raised may have left some
        memory.faults.clear()
        reward = self._condition.reward(page, memory)
        near = 0.0 if reward > 0 else self._condition.near_miss(page) or 0.0
        if not (memory.finds or memory.faults):
            return Judgement(reward, near=near)
        answers = memory.keep() if reward > 0 else ()
        return Judgement(reward, answers, tuple(memory.faults), near)

    def begin(self) -> None:
        """A page is to be judged and stored. What is remembered of it can be taken back, until it is settled."""
        self._memory.begin()

    def settle(self) -> None:
        """It was stored."""
        self._memory.settle()

    def take_back(self) -> None:
        """It could not be stored: nothing of it was seen."""
        self._memory.take_back()

    def recall(self, pages: Iterable[PageView]) -> None:
        """Pages that were judged before a crawl was resumed, in their order: what they had is not new.

        Pages that earned nothing may be left out, for nothing of them was remembered.
        """
        for page in pages:
            self(page)

    def close(self) -> None:
        """End the processes that were started; the judge can be used again, and starts them again."""
        self._memory.close()
