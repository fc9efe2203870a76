"""``novel A``: only for entities that the crawl has not seen before."""

from __future__ import annotations

from sundog.objectives.condition import Condition
from sundog.objectives.entities import Entities
from sundog.objectives.memory import Find, Memory
from sundog.objectives.page import PageView


class Novel(Condition):
    form, example = "novel A", "novel type:schema:Recipe"
    summary = "pages with entities of A that were on no page before; the reward is their number"
    remembers = True

    def __init__(self, wanted: Condition) -> None:
        self.parts = (wanted,)
        self.costly = True

    def __str__(self) -> str:
        return f"novel {self.parts[0]}"

    def reward(self, page: PageView, memory: Memory) -> float:
        subjects = self.parts[0].subjects(page, memory)
        if not subjects:
            return 0.0
        entities = Entities(page)
        new = memory.new(self, map(entities.identity, subjects))
        if new:
            memory.finds.append(Find(self, new, []))
        return float(len(new))
