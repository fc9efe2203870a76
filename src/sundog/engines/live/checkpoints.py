"""When a crawl keeps its session beside the log: seldom enough to cost little, often enough to resume soon."""

from __future__ import annotations

import logging
from time import perf_counter

from sundog.engines.live.journal import Journal
from sundog.replay.checkpoint import Checkpoint, can_be_kept, write_checkpoint
from sundog.spec import CrawlSpec

FEWEST_STEPS = 5_000  # so many are replayed in a second or two
LONGEST_SHARE = 1 / 30  # of the crawl's time, for writing checkpoints

logger = logging.getLogger(__name__)


class Checkpoints:
    def __init__(self, journal: Journal, spec: CrawlSpec) -> None:
        self._journal, self._spec = journal, spec
        self._can_be_kept = can_be_kept(journal.session)
        self._step = journal.store.steps
        self._not_before = 0.0

    def committed(self) -> None:
        """Called after every commit: the log is all that the session has been told."""
        if perf_counter() >= self._not_before:
            self.keep()

    def keep(self) -> None:
        """One that cannot be written is no reason to fail: the log has everything."""
        journal = self._journal
        step = journal.store.steps
        if not self._can_be_kept or not journal.session_is_as_logged or step - self._step < FEWEST_STEPS:
            return
        began = perf_counter()
        try:
            checkpoint = Checkpoint(step, journal.session, list(journal.open_decisions.values()))
            write_checkpoint(checkpoint, journal.store, self._spec)
        except Exception as error:  # no space, or a policy that cannot be pickled
            logger.info("no checkpoint: %s", error)
        self._step = step
        self._not_before = perf_counter() + (perf_counter() - began) / LONGEST_SHARE
