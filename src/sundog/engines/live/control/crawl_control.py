"""A crawl that runs in another thread: stopped, cancelled, given another budget; from any thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sundog.engines.live.control.budget_request import request_budget
from sundog.engines.live.loop import LiveCrawl
from sundog.model import INTERRUPTED
from sundog.spec.tables import check_number


class CrawlControl:
    """Give it to ``crawl`` or ``resume`` in another thread; what is asked before the crawl begins counts, too.

    ``stop`` lets the crawl finish what is in flight, ``cancel`` does not wait for that. Either way the crawl ends
    with a summary, ``stopped`` is "interrupted", and it can be resumed.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked: list[Callable[[LiveCrawl], Any]] = []
        self._running: tuple[LiveCrawl, asyncio.AbstractEventLoop] | None = None

    def stop(self) -> None:
        self._ask(lambda live: live.stop(INTERRUPTED))

    def cancel(self) -> None:
        def cancel(live: LiveCrawl) -> None:
            live.stop(INTERRUPTED)
            live.cancel_in_flight()

        self._ask(cancel)

    def set_budget(self, budget: int) -> None:
        """For the whole crawl. Less than what is spent by then means: that is enough."""
        check_number("budget", budget)

        def ask(live: LiveCrawl) -> None:
            request_budget(live.journal.store.directory, budget)
            live.wake()

        self._ask(ask)

    def _ask(self, change: Callable[[LiveCrawl], Any]) -> None:
        with self._lock:
            if self._running is None:
                self._asked.append(change)
            else:
                live, loop = self._running
                loop.call_soon_threadsafe(change, live)

    @contextmanager
    def over(self, live: LiveCrawl) -> Iterator[None]:
        """While the crawl runs, in its event loop."""
        with self._lock:
            for change in self._asked:
                change(live)
            self._asked.clear()
            self._running = live, asyncio.get_running_loop()
        try:
            yield
        finally:
            with self._lock:
                self._running = None
