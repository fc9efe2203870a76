"""What rendering a page costs, in plain pages: by the processor time of both."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time
from typing import Final

USUAL_PRICE: Final = 180.0  # until enough is measured
PAGES_TO_MEASURE, ENOUGH = 5, 64  # to look at a clock takes time, too
WARM_UP: Final = 5  # pages that compile and load what the others use


class MeasuredPrice:
    """A plain page takes what passes between two of them while none is being rendered: then this process works for
    the browser, too."""

    def __init__(self) -> None:
        self._came = 0
        self._pages, self._seconds = 0, 0.0
        self._last: float | None = None
        self._open = 0

    def page_came(self) -> None:
        """One more plain page was read."""
        if self._pages >= ENOUGH:
            return
        now, last = _cpu(), self._last
        self._came += 1
        self._last = None if self._open or self._came <= WARM_UP else now
        if last is not None and not self._open:
            self._pages += 1
            self._seconds += now - last

    @contextmanager
    def rendering(self) -> Iterator[None]:
        self._open += 1
        self._last = None
        try:
            yield
        finally:
            self._open -= 1

    def of(self, browser_seconds: float, rendered: int) -> float:
        if rendered < PAGES_TO_MEASURE or self._pages < PAGES_TO_MEASURE:
            return USUAL_PRICE
        a_page = max(0.0005, self._seconds / self._pages)
        return max(1.0, browser_seconds / rendered / a_page)


def _cpu() -> float:
    """Of this process, and of readers that have ended."""
    return process_time() + resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
