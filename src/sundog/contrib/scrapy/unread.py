"""Pages that have come, and whose callbacks are not through: what they teach is not known yet.

Scrapy 2.13 waits a tenth of a second before each callback and takes its output bit by bit; callbacks of any
version may wait for something. A server that answers at once would be asked for dozens of pages meanwhile, chosen
without what the last ones teach. So no page is chosen while as many are unread as may be fetched at once. That
never takes long: a callback may run for minutes, or wait for another page, and is not waited for then.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable

PATIENCE = 1.0  # seconds that a page is waited for


class UnreadPages:
    def __init__(self) -> None:
        self._since: dict[Hashable, float] = {}  # the oldest first
        self._when_read: Callable[[], None] | None = None

    def add(self, page: Hashable, now: float) -> None:
        self._since[page] = now

    def remove(self, page: Hashable) -> None:
        if self._since.pop(page, None) is not None and self._when_read:
            when_read, self._when_read = self._when_read, None
            when_read()

    def wait(self, most: int, now: float, when_read: Callable[[], None]) -> float:
        """Until when; minus infinity if fewer than ``most`` are unread.

        ``when_read`` is called if one is read before.
        """
        for page, since in list(self._since.items()):
            if since + PATIENCE > now:
                break
            del self._since[page]
        if len(self._since) < most:
            return -math.inf
        self._when_read = when_read
        return next(iter(self._since.values())) + PATIENCE
