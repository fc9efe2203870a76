"""What every objective must fulfil, whatever it asks for. The tests run it over all that are registered."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from math import isfinite

from sundog.objectives.judge import Objective
from sundog.objectives.memory import Memory
from sundog.objectives.page import Judgement, PageView

NOTHING = PageView("http://nothing.example/", {}, [], {})


def check_objective(objective: Objective, pages: Sequence[PageView]) -> None:
    """Raises AssertionError. Some of the pages should be relevant."""
    judgements = check_rewards(objective, pages)
    check_purity(objective, pages)
    check_recall(objective, pages, judgements)


def check_rewards(objective: Objective, pages: Sequence[PageView]) -> list[Judgement]:
    """Rewards are numbers from 0 on; a page seen again earns the same, or nothing if it is remembered."""
    judge = objective.judge()
    try:
        judgements = [judge(page) for page in pages]
        again = [judge(page) for page in pages]
        judge(NOTHING)
    finally:
        judge.close()
    assert all(isinstance(each.reward, float) for each in judgements)
    assert all(isfinite(each.reward) and each.reward >= 0 for each in judgements)
    assert all(each.reward > 0 for each in judgements if each.answers)
    if not judge.remembers:
        assert again == judgements
    return judgements


def check_purity(objective: Objective, pages: Sequence[PageView]) -> None:
    """Judging remembers nothing by itself."""
    condition, memory = objective.condition, Memory()
    try:
        for each in condition.walk():
            each.begin(memory)
        for page in pages:
            first = condition.reward(page, memory), list(memory.finds)
            memory.finds.clear()
            assert (condition.reward(page, memory), memory.finds) == first
            memory.finds.clear()
    finally:
        memory.close()


def check_recall(objective: Objective, pages: Sequence[PageView], judgements: list[Judgement]) -> None:
    """A judge that recalls the pages before a stop, all or those that earned something, goes on as if there
    had been no stop."""
    paid = [each.reward > 0 for each in judgements]
    for stop in {0, len(pages) // 2, len(pages)}:
        for before in (pages[:stop], list(compress(pages[:stop], paid))):
            judge = objective.judge()
            try:
                judge.recall(before)
                assert [judge(page) for page in pages[stop:]] == judgements[stop:]
            finally:
                judge.close()
