"""Parts of large files, on disk or on a server that is asked politely."""

from __future__ import annotations

import asyncio
import io
import threading
from collections.abc import Coroutine
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar
from urllib.parse import urlsplit

from sundog.errors import SundogError, unreadable
from sundog.fetch.fetcher import Fetcher
from sundog.fetch.pace import Manners, Pace
from sundog.fetch.polite import PoliteFetcher, steady_clock
from sundog.fetch.values import TROUBLE_KINDS, Extras, Limits, Page, Trouble

MOST_BYTES = 256_000_000  # of one part
TRIES = 5
LONGEST_WAIT = 120.0  # seconds before the next try
T = TypeVar("T")


class Parts(Protocol):
    """Where files are; names are relative to it."""

    def read(self, name: str, start: int, length: int) -> bytes: ...

    def size(self, name: str) -> int: ...


def is_url(place: str) -> bool:
    return place.startswith(("http://", "https://"))


class LocalParts:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, name: str, start: int, length: int) -> bytes:
        """Names come from an index that others wrote: none leads out of the folder."""
        try:
            with self._path(name).open("rb") as file:
                file.seek(start)
                return file.read(length)
        except (OSError, ValueError) as error:
            raise unreadable(self._folder / name, error) from None

    def size(self, name: str) -> int:
        try:
            return self._path(name).stat().st_size
        except (OSError, ValueError) as error:
            raise unreadable(self._folder / name, error) from None

    def _path(self, name: str) -> Path:
        path = (self._folder / name).resolve()
        if not path.is_relative_to(self._folder.resolve()):
            raise ValueError("it is outside the folder")
        return path


class HttpParts:
    """Range requests, one at a time and ``delay`` seconds apart; what heals is tried again.

    It has a thread with an event loop of its own: whoever reads files does not await.
    """

    def __init__(self, base: str, *, delay: float, allow_private: bool = False) -> None:
        self._base, self._delay, self._allow_private = base, delay, allow_private
        self._limits = Limits(max_bytes=MOST_BYTES, total=600.0, types=None)

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        clock = steady_clock()
        self._fetcher = Fetcher(limits=self._limits, allow_private=self._allow_private, clock=clock)
        self._run(self._fetcher.__aenter__())
        self._polite = PoliteFetcher(self._fetcher, pace=Pace(Manners(delay=self._delay)), robots=None)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._run(self._fetcher.__aexit__(None, None, None))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def read(self, name: str, start: int, length: int) -> bytes:
        page = self._fetched(name, {"Range": f"bytes={start}-{start + length - 1}"})
        if page.status == 206:
            return page.body[:length]
        return page.body[start : start + length]  # a server that knows no ranges sends all of it

    def whole(self, name: str) -> bytes:
        return self._fetched(name, {}).body

    def size(self, name: str) -> int:
        page = self._fetched(name, {"Range": "bytes=0-0"})
        total = page.headers.get("content-range", "").rpartition("/")[2]
        return int(total) if page.status == 206 and total.isdecimal() else len(page.body)

    def _fetched(self, name: str, headers: dict[str, str]) -> Page:
        return self._run(self._ask(f"{self._base}{name}", headers))

    async def _ask(self, url: str, headers: dict[str, str]) -> Page:
        """A wait that the server asks for is the pace's; the rest is ours."""
        result: Page | Trouble | None = None
        for attempt in range(TRIES):
            result = await self._polite.fetch(url, extras=Extras(headers=headers, cookies=False))
            if isinstance(result, Page):
                return result
            if not result.healable or attempt == TRIES - 1:
                break
            await asyncio.sleep(min(LONGEST_WAIT, max(result.retry_after or 0.0, self._delay * 2**attempt)))
        assert isinstance(result, Trouble)
        detail = f" ({result.detail})" if result.detail else ""
        hint = "; --allow-private lets it be asked" if result.kind == "private-address" else ""
        raise SundogError(f"{url} cannot be had: {TROUBLE_KINDS[result.kind].meaning}{detail}{hint}")

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


class PartFile(io.RawIOBase):
    """A file of which only the parts are read that somebody asks for."""

    def __init__(self, parts: Parts, name: str) -> None:
        self._parts, self._name, self._at = parts, name, 0
        self._size = parts.size(name)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        return self._at

    def read(self, size: int = -1) -> bytes:
        left = max(0, self._size - self._at)
        length = left if size < 0 else min(size, left)
        data = self._parts.read(self._name, self._at, length) if length else b""
        self._at += len(data)
        return data


def base_of(url: str) -> tuple[str, str]:
    """The root of a URL's server, and the name of the file there.

    >>> base_of("https://data.example/cc-index/a.parquet")
    ('https://data.example/', 'cc-index/a.parquet')
    """
    parts = urlsplit(url)
    base = f"{parts.scheme}://{parts.netloc}/"
    return base, url[len(base) :]
