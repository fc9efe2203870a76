"""Sends what is to be sent when crawls end, beside everything else; what fails is tried again a few times."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread
from time import monotonic

from sundog.errors import SundogError
from sundog.web.commands import run
from sundog.web.crawls import Crawls
from sundog.web.directories import Home
from sundog.web.errors import NotFoundError
from sundog.web.mail import EmailSettings, message_of, send

MOST_TRIES, SECONDS_BETWEEN = 5, 60.0
TO_EXPORT = 300.0  # seconds

log = logging.getLogger("sundog.web")


class Post:
    """``sent`` is told when there is nothing more to be done for a crawl."""

    def __init__(self, settings: EmailSettings, crawls: Crawls, sent: Callable[[Home], None]) -> None:
        self._settings, self._crawls, self._sent = settings, crawls, sent
        self._lock = Lock()
        self._tries: dict[str, int] = {}
        self._next: dict[str, float] = {}  # when the next try may begin; while one is made, never

    def ended(self, home: Home, address: str) -> None:
        """May be called as often as one likes."""
        with self._lock:
            if monotonic() < self._next.get(home.id, 0.0):
                return
            self._next[home.id] = float("inf")
        Thread(target=self._try, args=(home, address), daemon=True).start()

    def _try(self, home: Home, address: str) -> None:
        tries = self._tries[home.id] = self._tries.get(home.id, 0) + 1
        try:
            send(
                self._settings, message_of(self._settings, address, self._crawls.crawl(home), self._results(home))
            )
        except (OSError, SundogError) as error:
            log.warning("%s: %s", home.id, error)
            if tries < MOST_TRIES:
                self._next[home.id] = monotonic() + SECONDS_BETWEEN
                return
        with suppress(NotFoundError):  # it was deleted meanwhile
            self._sent(home)
        self._tries.pop(home.id, None)
        self._next.pop(home.id, None)

    def _results(self, home: Home) -> bytes | None:
        """None if they are too large, or there are none."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "entities.jsonl"
            try:
                run(
                    ["export", "--format", "jsonl", "--out", str(path), "--", str(home.directory.absolute())],
                    TO_EXPORT,
                )
            except SundogError:
                return None
            return path.read_bytes() if path.stat().st_size <= self._settings.attach else None
