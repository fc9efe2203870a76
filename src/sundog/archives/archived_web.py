"""Archived pages behind the interface of the fetcher: a crawl of them is a crawl like any other.

Where a page stands in its file is looked up once, at the beginning. What is not in the archive is a 404.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from types import TracebackType
from typing import BinaryIO, NamedTuple

from sundog.archives.files import ArchiveFile
from sundog.archives.warc import Archived, ArchivedCopy, ArchivedPage, ArchivedRedirect, Unusable, read_warc
from sundog.errors import SundogError
from sundog.fetch.fetch_attempt import FetchAttempt, Redirect
from sundog.fetch.fetcher import Fetcher
from sundog.fetch.target import Target
from sundog.fetch.values import AGENT, Limits, Page, Trouble, trouble
from sundog.media_types import media_type
from sundog.urls.identity import identity

BEGINNINGS = (b"WARC/", b"\x1f\x8b", b"\x28\xb5\x2f\xfd")  # of a record: plain, gzip, zstd


class _Place(NamedTuple):
    file: int
    offset: int


class _Answer(NamedTuple):
    """Of a server that is not there, as far as ``FetchAttempt`` looks at it."""

    status: int
    raw_headers: tuple[tuple[bytes, bytes], ...]


class ArchivedWeb(Fetcher):
    """Answers from archive files. Of several captures of a URL the first one counts."""

    def __init__(
        self,
        files: Sequence[ArchiveFile],
        *,
        limits: Limits | None = None,
        agent: str = AGENT,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(limits=limits, agent=agent, clock=clock, connect_to=("archive.invalid", 1))
        self._files = files
        self._any_type = replace(self.limits, types=None)
        self._places: dict[str, _Place] = {}
        self._originals: dict[str, str] = {}
        self._redirects: dict[str, str] = {}  # that metadata of pages tell
        self._streams: list[BinaryIO] = []
        self._open = ExitStack()

    async def __aenter__(self) -> ArchivedWeb:
        for number, file in enumerate(self._files):
            stream = self._open.enter_context(file.opened())
            self._streams.append(stream)
            offset = 0
            for offset, found in read_warc(stream, file.name, warnings.warn, self._any_type):
                self._note(found, _Place(number, offset))
            stream.seek(offset)
            if offset and not stream.read(5).startswith(BEGINNINGS):
                raise SundogError(f"{file.name} is packed as a whole: unpack it, or pack each record by itself")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def _note(self, found: Archived, place: _Place) -> None:
        name = identity(found.url)
        if name is None:
            return
        if isinstance(found, ArchivedCopy):
            if (original := identity(found.original)) and original != name:
                self._originals.setdefault(name, original)
            return
        self._places.setdefault(name, place)
        if isinstance(found, ArchivedPage):
            for other in found.other_urls:
                if alias := identity(other):
                    self._redirects.setdefault(alias, found.url)

    async def _ask(self, attempt: FetchAttempt, target: Target) -> Page | Trouble | Redirect:
        attempt.begin_hop(target.href, self.clock())
        attempt.answered(self.clock(), "")
        found = self._found(target.href)
        match found:
            case ArchivedRedirect(_, leads_to):
                return Redirect(leads_to, 302)
            case ArchivedPage() if found.status < 400:
                types = attempt.limits.types
                if types is not None and found.content_type and media_type(found.content_type) not in types:
                    return trouble("content-type", found.content_type[:200])
                return self._page(attempt, found)
            case ArchivedPage():
                return Trouble("http-4xx", f"status {found.status} in the archive", status=found.status)
            case Unusable(_, reason):
                return trouble("bad-encoding", reason)
        return Trouble("http-4xx", "not in the archive", status=404)

    def _page(self, attempt: FetchAttempt, page: ArchivedPage) -> Page:
        """It took as long as it had taken, if anybody knows."""
        now = self.clock()
        seconds = page.seconds if page.seconds >= 0 else 0.0
        body = b"" if attempt.extras.head else page.body
        answer = _Answer(page.status, page.headers)
        return attempt.page(answer, now + seconds, page.content_type, body, truncated=page.truncated)  # type: ignore[arg-type]

    def _found(self, url: str) -> Archived | None:
        name = identity(url)
        if name is None:
            return None
        for known in (name, self._originals.get(name, "")):
            if (place := self._places.get(known)) is not None:
                return self._read(place, known)
        leads_to = self._redirects.get(name)
        return ArchivedRedirect(url, leads_to) if leads_to else None

    def _read(self, place: _Place, name: str) -> Archived:
        stream = self._streams[place.file]
        stream.seek(place.offset)
        found = next((each for _, each in read_warc(stream, "", warnings.warn, self._any_type)), None)
        if found is None or identity(found.url) != name:
            raise SundogError(f"{self._files[place.file].name} has changed since the crawl began")
        return found


def first_page(files: Sequence[ArchiveFile]) -> str:
    """Where a crawl of them may begin: the first page."""
    for file in files:
        for _, found in file.records(warnings.warn):
            if isinstance(found, ArchivedPage) and found.status < 400:
                return found.url
    raise SundogError(f"{files[0].name} has no page to begin with")
