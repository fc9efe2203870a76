"""A file that is there while the index is loaded, and that is left behind by a process that died meanwhile.

That may be chance: a crawl is killed now and then. But if it happens twice at the same place, what is to be loaded
kills whoever loads it, and a crawl that tried again and again would never go on.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import orjson

MOST_DEATHS = 2


class LoadingMark:
    """``is_deadly``: two processes died when they loaded what comes after the step ``done``. Then it is forgotten,
    so that the next process tries once more.
    """

    def __init__(self, path: Path, done: int) -> None:
        self._path = path
        self._deaths = self._left_behind(done)
        self.is_deadly = self._deaths >= MOST_DEATHS
        if self.is_deadly:
            self._path.unlink(missing_ok=True)

    @contextmanager
    def held(self, done: int) -> Iterator[None]:
        """While what comes after ``done`` is loaded. That it cannot be written is no reason not to load."""
        with suppress(OSError):
            self._path.write_bytes(orjson.dumps({"done": done, "deaths": self._deaths}))
        try:
            yield
        finally:
            self._deaths = 0
            with suppress(OSError):
                self._path.unlink(missing_ok=True)

    def _left_behind(self, done: int) -> int:
        try:
            left = orjson.loads(self._path.read_bytes())
            return int(left["deaths"]) + 1 if left["done"] == done else 1
        except FileNotFoundError:
            return 0
        except (OSError, ValueError, TypeError, KeyError):  # killed while it was written
            return 1
