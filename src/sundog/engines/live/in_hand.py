"""Which page the crawl's own process has in hand, in a file that outlives it, and how often that killed it.

Whoever is killed cannot say by what. So the URL is written down before the process touches a page, and wiped out
after it. If it is still there when the crawl is resumed, the process died with that page in hand. That may have
been chance, so the page gets another try, in which a process of its own reads it. After the second death it is
given up. The counts are in the database.

Pages that were merely in flight are not blamed, however often a crawl is killed.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sundog.errors import unwritable
from sundog.fetch.values import Trouble, trouble
from sundog.model import INTERNAL
from sundog.store import CrawlStore
from sundog.store.directory import IN_HAND
from sundog.store.reader import DEATHS

SIZE = mmap.PAGESIZE
MOST_DEATHS = 2


class InHand:
    """Of one crawl that is open for writing."""

    def __init__(self, store: CrawlStore) -> None:
        self._file = _mapped(store.directory / IN_HAND)
        self._deaths: dict[str, int] = store.state(DEATHS, {})
        if url := self._read():
            self._deaths[url] = self.deaths(url) + 1
            store.save(DEATHS, self._deaths)
            store.commit()
            self._write("")

    @contextmanager
    def holding(self, url: str) -> Iterator[None]:
        """Within it, the process works on this page and on no other."""
        self._write(url)
        try:
            yield
        finally:
            self._write("")

    def deaths(self, url: str) -> int:
        return self._deaths.get(url, 0) if self._deaths else 0

    def objection(self, url: str) -> Trouble | None:
        """Why a page is not to be fetched once more."""
        deaths = self.deaths(url)
        if deaths < MOST_DEATHS:
            return None
        return trouble(INTERNAL, f"killed the reader: the crawl's process died {deaths} times with it in hand")

    def close(self) -> None:
        self._file.close()

    def _write(self, url: str) -> None:
        """The text first, then its length: so what is there is whole. It costs one copy in memory."""
        text = url.encode("utf-8", "replace")[: SIZE - 2]
        self._file[2 : 2 + len(text)] = text
        self._file[:2] = len(text).to_bytes(2, "big")

    def _read(self) -> str:
        length = int.from_bytes(self._file[:2], "big")
        return self._file[2 : 2 + length].decode("utf-8", "replace")


def _mapped(path: Path) -> mmap.mmap:
    """With its bytes on disk already: a full disk would end a process that writes to memory without."""
    try:
        with path.open("ab") as file:
            file.write(bytes(max(0, SIZE - file.tell())))
        with path.open("r+b") as file:
            return mmap.mmap(file.fileno(), SIZE)
    except OSError as error:
        raise unwritable(path, error) from None
