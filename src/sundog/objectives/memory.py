"""What one crawl has seen. A page is judged first and remembered afterwards, and only for what it was paid."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, NamedTuple

MOST_SEEN = 10_000_000  # keys of one condition; about a gigabyte


class Find(NamedTuple):
    """Something new on the page at hand, kept if the page is paid for it."""

    condition: Hashable
    keys: list[bytes]
    answers: list[Any]


class Memory:
    """Invariant: judging a page changes nothing but ``finds`` and ``faults``; ``keep`` is what remembers."""

    def __init__(self) -> None:
        self.finds: list[Find] = []
        self.faults: list[tuple[str, str]] = []
        self.processes: dict[Hashable, Any] = {}  # by condition; each can be closed
        self._seen: dict[Hashable, set[bytes]] = {}
        self._unsettled: list[Find] | None = None  # what was kept since ``begin``

    def new(self, condition: Hashable, keys: Iterable[bytes]) -> list[bytes]:
        """Those that no page before this one was paid for, each once."""
        seen = self._seen.setdefault(condition, set())
        if len(seen) >= MOST_SEEN:
            self.faults.append((str(condition), f"{MOST_SEEN:,} were found: nothing counts as new any more"))
            return []
        return [key for key in dict.fromkeys(keys) if key not in seen]

    def keep(self) -> tuple[Any, ...]:
        """Remember the finds; the answers among them."""
        answers: list[Any] = []
        for find in self.finds:
            self._seen.setdefault(find.condition, set()).update(find.keys)
            answers += find.answers
        if self._unsettled is not None:
            self._unsettled += self.finds
        self.finds.clear()
        return tuple(answers)

    def begin(self) -> None:
        """What is kept from now on may be taken back, until ``settle``."""
        self._unsettled = []

    def settle(self) -> None:
        self._unsettled = None

    def take_back(self) -> None:
        """Forget what was kept since ``begin``: all of it was new then."""
        for find in self._unsettled or ():
            self._seen[find.condition].difference_update(find.keys)
        self.settle()

    def close(self) -> None:
        for process in self.processes.values():
            process.close()
