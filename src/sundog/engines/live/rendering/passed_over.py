"""Pages that were fetched plainly before it was known that their template needs a browser.

When a page of a template gives more, those before it are worth a second visit. So whatever a look comes too late
for is not lost, and looks need not hurry. A template of which all pages came before the crawl could afford a look
is looked at later, by a second visit of one of them.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable
from typing import Final

from sundog.engines.live.rendering.records import Plain

MOST_AT_ONCE: Final = 1_000  # the rest comes with the next page that gives more
A_TURN: Final = 8  # templates that are asked about at a time


class PassedOver:
    """By template, the numbers of pages."""

    def __init__(self) -> None:
        self._pages: dict[tuple[str, bool], array[int]] = {}
        self._never_looked_at: deque[Plain] = deque()

    def add(self, page: Plain, number: int) -> None:
        if page.key not in self._pages:
            self._pages[page.key] = array("l")
            self._never_looked_at.append(page)
        self._pages[page.key].append(number)

    def like(self, page: Plain) -> list[int]:
        """Those of its template, first come first."""
        return self._pages.get(page.key, array("l"))[:MOST_AT_ONCE].tolist()

    def take(self, page: Plain) -> None:
        """They will be visited again."""
        if page.key in self._pages:
            del self._pages[page.key][:MOST_AT_ONCE]

    def worth_a_look(self, may_look: Callable[[Plain], bool], looks: Callable[[Plain], float]) -> list[int]:
        """One page of each template that was never looked at, and may be now. They are asked about in turn."""
        found = []
        for _ in range(min(A_TURN, len(self._never_looked_at))):
            page = self._never_looked_at.popleft()
            if looks(page) or not self._pages[page.key]:
                continue
            if may_look(page):
                found.append(self._pages[page.key].pop(0))
            else:
                self._never_looked_at.append(page)
        return found
