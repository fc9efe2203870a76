"""Pages that wait, as patterns see them: the first found first.

Invariant: it is a function of the session, so that a resumed crawl knows what it would have known.
"""

from __future__ import annotations

from sundog.engines.live.journal import Journal

MOST_WAITING = 1_000  # that a pattern sees


class LiveFrontier:
    """Visits that are done are looked at once, so that a crawl costs no more than all its visits."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._open: dict[int, None] = {}  # found, and not known to be done
        self._known = 0

    @property
    def size(self) -> int:
        return self._journal.session.queued

    def first(self, most: int) -> list[int]:
        """Those that are under way are not among them; they may come back."""
        session, found = self._journal.session, self._journal.catalog.size
        self._open.update(dict.fromkeys(range(self._known, found)))
        self._known = found
        waiting: list[int] = []
        done: list[int] = []
        for visit in self._open:
            if session.is_waiting(visit):
                waiting.append(visit)
                if len(waiting) == most:
                    break
            elif session.is_done(visit):
                done.append(visit)
        for visit in done:
            del self._open[visit]
        return waiting
