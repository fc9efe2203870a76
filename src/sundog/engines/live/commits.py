"""How often a crawl commits and shows its progress (``Commits``), and what it has cost so far (``Spending``).

A full disk ends no crawl: it pauses, keeps what was not written, and writes it when there is space again.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from sundog.engines.live.disk_space import DiskSpace
from sundog.engines.live.progress import Tally
from sundog.errors import NoSpaceError
from sundog.fetch.pace import Pace
from sundog.store import CrawlStore
from sundog.store.reader import SPENT

STEPS_A_COMMIT = 32
SECONDS_A_COMMIT = 0.25
SECONDS_A_SNAPSHOT = 0.25
SECONDS_BETWEEN_ATTEMPTS = 1.0  # while there is too little space


class Commits:
    """Commits after some steps or some time; ``show`` is called a few times a second.

    ``pause`` says why nothing more is to be fetched for now: there is too little space, or none. Commits go on.
    """

    def __init__(
        self,
        store: CrawlStore,
        pace: Pace,
        spending: Spending,
        disk: DiskSpace,
        show: Callable[[float], None],
        clock: Callable[[], float],
        on_commit: Callable[[], None] = lambda: None,
    ) -> None:
        self._store, self._pace, self._spending, self._show, self._clock = store, pace, spending, show, clock
        self._disk, self._on_commit = disk, on_commit
        self._changed_hosts: set[str] = set()  # whose pace has changed since the last commit
        self._steps = 0
        self._commit_at, self._show_at = math.inf, clock()
        self._pause(disk.shortage(), clock())

    @property
    def due(self) -> float:
        return min(self._commit_at, self._show_at)

    def host_changed(self, host: str) -> None:
        self._changed_hosts.add(host)

    def observed(self) -> None:
        self._steps += 1
        self.soon()

    def soon(self) -> None:
        """There is something to commit, within ``SECONDS_A_COMMIT``."""
        if self._commit_at == math.inf:
            self._commit_at = self._clock() + SECONDS_A_COMMIT

    def commit_if_due(self) -> None:
        now = self._clock()
        if now >= self._commit_at or (self._steps >= STEPS_A_COMMIT and not self.pause):
            self._commit_or_pause(now)
        if now >= self._show_at:
            if not self.pause:
                self._advance_index_or_pause(now)
            self._show_now(now)

    def finish(self) -> None:
        """The last commit. If there is no space for it, what came since the last one is asked again some day."""
        self._write()
        self._show_now(self._clock())

    def _commit_or_pause(self, now: float) -> None:
        try:
            self._write()
        except NoSpaceError as error:
            self._pause(str(error), now)
        else:
            self._pause(self._disk.shortage(), now)

    def _advance_index_or_pause(self, now: float) -> None:
        try:
            self._store.advance_index()
        except NoSpaceError as error:
            self._pause(str(error), now)

    def _write(self) -> None:
        for host in self._changed_hosts:
            self._store.save_host(host, self._pace.state(host))
        self._changed_hosts.clear()
        self._spending.save()
        self._store.commit()
        self._steps = 0
        self._on_commit()

    def _pause(self, reason: str, now: float) -> None:
        """While there is a reason, space is looked for again and again."""
        self.pause = reason
        self._spending.paused(bool(reason))
        self._commit_at = now + SECONDS_BETWEEN_ATTEMPTS if reason else math.inf

    def _show_now(self, now: float) -> None:
        self._show(now)
        self._show_at = now + SECONDS_A_SNAPSHOT


class Spending:
    """What a crawl has cost, also before it was resumed; time counts from when this object is made.

    It is saved with every commit, so that a run that is killed counts like any other.
    """

    def __init__(self, store: CrawlStore, tally: Tally, clock: Callable[[], float]) -> None:
        self.tally = tally
        self._store, self._clock = store, clock
        self._before = store.state(SPENT, {})
        self._began = clock()
        self._paused_since: float | None = None
        self._paused = 0.0

    @property
    def seconds(self) -> float:
        before: float = self._before.get("seconds", 0.0)
        return before + self._clock() - self._began

    @property
    def bytes(self) -> int:
        """Of the bodies of pages that came, and of what their scripts asked for."""
        before: int = self._before.get("bytes", 0)
        return before + self.tally.bytes

    @property
    def so_far(self) -> dict[str, Any]:
        found = {
            "seconds": round(self.seconds, 3),
            "bytes": self.bytes,
            "retries": self._before.get("retries", 0) + self.tally.retries,
            **({"paused_seconds": round(self.paused_seconds, 3)} if self.paused_seconds else {}),
        }
        contexts = self._before.get("contexts", 0) + self.tally.contexts
        return {**found, "contexts": contexts} if contexts else found

    @property
    def paused_seconds(self) -> float:
        """How long there was too little space on the disk."""
        before: float = self._before.get("paused_seconds", 0.0)
        since = 0.0 if self._paused_since is None else self._clock() - self._paused_since
        return before + self._paused + since

    def paused(self, is_paused: bool) -> None:
        """Whether it is, from now on."""
        now = self._clock()
        if self._paused_since is not None:
            self._paused += now - self._paused_since
        self._paused_since = now if is_paused else None

    def save(self) -> None:
        """Part of the next commit."""
        self._store.save(SPENT, self.so_far)
