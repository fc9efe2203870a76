"""A session as one of several shards: links and learning of the others, and a budget that is leased bit by bit."""

from __future__ import annotations

from collections.abc import Sequence

from sundog.learn.sharing import Learned, LearningDelta
from sundog.model import Link, LinkBatch
from sundog.session.links import TakesLinks
from sundog.session.state import checked_budget


class ShardSession(TakesLinks):
    def extend(self, budget: int, *, horizon: int | None = None) -> None:
        """Set another budget, as one does for a crawl that goes on.

        A shard's budget is what it may spend now. With ``horizon`` it plans for more: for all that it would spend
        if the rest of the whole crawl's budget were its own.
        """
        self.budget = checked_budget(budget)
        self.chooser.extend(self.budget if horizon is None else checked_budget(horizon))

    def take_in_links(self, parent: str | int, relevant: bool, links: Sequence[Link] | LinkBatch) -> int:
        """Offer links of a page that another shard has fetched; returns how many are new.

        ``parent`` is its URL, or of a static source its id. It is known from now on, and will not be chosen here.
        """
        if isinstance(parent, str):
            parent = int(self.intern([Link(self._seed(parent))]).targets[0])
        batch = self._batch(links)
        self._note_found(batch)
        new = self.chooser.offer_from_elsewhere(parent, relevant, batch)
        if self._explorer is not None:
            self._explorer.waiting.discard(parent)
        self._may_be_drawn(batch)
        return new

    def learned(self) -> Learned:
        """What this shard has learned by itself; ``learned().since(before)`` is what others do not know yet."""
        return self.chooser.learned()

    @property
    def shares_learning(self) -> bool:
        return self.chooser.shares_learning

    def learned_by_others(self) -> LearningDelta:
        """The sum of all that was taken in."""
        return self.chooser.learned_by_others()

    def take_in_learning(self, delta: LearningDelta) -> None:
        """Learn what other shards have learned, each delta once. The same calls in the same order have the same
        effect, to the last bit."""
        self.chooser.take_in_learning(delta)
