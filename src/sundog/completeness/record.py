"""What must be remembered of a crawl so that it can be said how much is left, whatever its policy keeps.

Every call takes as long as the page has links. The same calls give the same record: a crawl that is resumed says
what it would have said.
"""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np

from sundog.completeness.estimate import Pages
from sundog.frontier.arrays import longer
from sundog.frontier.facts import COARSE, FINE, Facts

UNKNOWN, SEED = -2, -1  # in the place of the fetch that has found a candidate


class CrawlRecord:
    def __init__(self) -> None:
        self._fetched, self._wanted = array("i"), array("b")
        self._found_by = np.empty(0, np.int32)
        self._is_done = np.empty(0, bool)

    def found(self, targets: Any, size: int) -> None:
        """Candidates that no fetch has brought: seeds, and what others have sent; of ``size`` that have an id."""
        self._note(targets, SEED, size)

    def fetched(self, candidate: int, wanted: bool, targets: Any, size: int) -> None:
        self._note(targets, len(self._fetched), size)
        self._fetched.append(candidate)
        self._wanted.append(wanted)
        self._is_done[candidate] = True

    def refused(self, candidate: int) -> None:
        """It will not be fetched, and says nothing of others."""
        self._is_done[candidate] = True

    def _note(self, targets: Any, finder: int, size: int) -> None:
        before = len(self._found_by)
        if size > before:
            self._found_by = longer(self._found_by, size)
            self._found_by[before:] = UNKNOWN
            self._is_done = longer(self._is_done, len(self._found_by))
        if len(targets):
            self._found_by[targets[self._found_by[targets] == UNKNOWN]] = finder

    @property
    def waiting(self) -> Any:
        """Candidates that were found, and neither fetched nor refused; what is in flight is among them."""
        return np.flatnonzero((self._found_by > UNKNOWN) & ~self._is_done).astype(np.int32)

    def pages(self, facts: Facts, waiting: Any, chances: Any) -> Pages:
        shape = facts.shape
        return Pages(
            np.frombuffer(self._fetched, np.int32).copy(),
            np.frombuffer(self._wanted, np.int8).astype(bool),
            waiting,
            chances,
            self._found_by,
            facts.host,
            shape[:, COARSE],
            shape[:, FINE],
        )
