"""What shards have learned, carried between their actors by the driver; and kept of those that are no more."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sundog.engines.cluster.learning_exchange import LearningExchange, pause_after
from sundog.engines.cluster.messages import Report
from sundog.files import write_whole
from sundog.learn.sharing import LearningDelta, merged
from sundog.replay import restore
from sundog.spec.crawl import parse_spec
from sundog.store import open_readonly
from sundog.store.directory import LEARNED

SECONDS_TO_ANSWER = 60.0  # after which nobody waits for a statement any more


class Lessons:
    """Call ``exchange`` as often as you like: it never waits."""

    def __init__(self, ray: Any, retired: Sequence[Path], shards: int) -> None:
        known = [delta for path in retired if (delta := _kept(path)) is not None]
        self._exchange = LearningExchange(shards, merged(known) if known else None)
        self._ray, self._is_alone = ray, shards == 1 and not known
        self._asked: dict[Any, int] = {}
        self._asked_at = 0.0

    def exchange(self, actors: Sequence[Any], reports: Mapping[int, Report], elapsed: float) -> None:
        """``elapsed``: seconds that the crawl has run."""
        if self._is_alone:
            return
        now = time.monotonic()
        self._listen()
        if self._asked and now - self._asked_at < SECONDS_TO_ANSWER:
            return
        if now - self._asked_at < pause_after(elapsed):
            return
        self._asked_at = now
        running = [(number, report) for number, report in reports.items() if report.is_running]
        self._asked = {
            actors[number].learn.remote(self._exchange.lesson(number, report.incarnation)): number
            for number, report in running
        }

    def _listen(self) -> None:
        if not self._asked:
            return
        ready, _ = self._ray.wait(list(self._asked), num_returns=len(self._asked), timeout=0)
        for reference in ready:
            number = self._asked.pop(reference)
            try:
                statement = self._ray.get(reference)
            except self._ray.exceptions.RayError:  # its process is lost; it will say all when it is back
                continue
            if statement is not None:
                self._exchange.hear(number, statement)


def keep_learned(directory: Path) -> None:
    """Of a shard that is there no more, what it has learned by itself: the others have it, and shall keep it."""
    with open_readonly(directory) as reader:
        session, _ = restore(reader, parse_spec(reader.spec_text), is_shard=True)
    if session.shares_learning:
        write_whole(directory / LEARNED, session.learned().since(None).packed())


def _kept(directory: Path) -> LearningDelta | None:
    path = directory / LEARNED
    return LearningDelta.unpacked(path.read_bytes()) if path.is_file() else None
