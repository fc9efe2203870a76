"""A world of the pages in WARC and WACZ files."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from sundog.archives.files import ArchiveFile
from sundog.archives.warc import Archived, ArchivedCopy, ArchivedPage, ArchivedRedirect, Unusable
from sundog.engines.archived.page_rows import page_readers, row_of
from sundog.engines.archived.world_builder import PageRow, WorldBuilder, WorldMade
from sundog.engines.live.pages.reader_pool import Readers
from sundog.model import Link
from sundog.urls.identity import identity

ROBOTS = "/robots.txt"
IN_ARREARS = 16  # pages that are read for each process while the first of them is not done
Progress = Callable[[int, int], None]
Waiting = deque[tuple[str, ArchivedPage, asyncio.Task[tuple[PageRow, list[Link]]]]]


def world_from_archives(
    files: Iterable[ArchiveFile],
    out: Path,
    *,
    workers: int | None = None,
    tell: Callable[[str], None] = lambda sentence: None,
    progress: Progress = lambda done, total: None,
) -> WorldMade:
    """Of several captures of a page the first one counts. ``progress`` gets bytes: done, and of all files."""
    listed = list(files)
    return world_from_pages(_all_records(listed, tell, progress), out, workers=workers)


def world_from_pages(found: Iterable[Archived], out: Path, *, workers: int | None = None) -> WorldMade:
    return asyncio.run(_read_all(found, workers)).write(out)


def _all_records(files: list[ArchiveFile], tell: Callable[[str], None], progress: Progress) -> Iterator[Archived]:
    total, done = sum(file.size for file in files), 0
    for file in files:
        for place, found in file.records(tell):
            progress(min(total, done + place), total)
            yield found
        done += file.size


async def _read_all(found: Iterable[Archived], workers: int | None) -> WorldBuilder:
    """Pages are read side by side, and enter the world in the order of the archive."""
    builder, readers, waiting = WorldBuilder(), page_readers(workers), Waiting()
    names: set[str] = set()
    most = IN_ARREARS * readers.most
    try:
        for each in found:
            match each:
                case ArchivedPage():
                    _begin(each, builder, readers, names, waiting)
                case ArchivedRedirect(url, target):
                    builder.redirect(url, target)
                case ArchivedCopy(url, original):
                    builder.copy(url, original or url)
                case Unusable(_, reason):
                    builder.leave_out(reason)
            while len(waiting) > most or (waiting and waiting[0][2].done()):
                await _end(*waiting.popleft(), builder)
            await asyncio.sleep(0)
        while waiting:
            await _end(*waiting.popleft(), builder)
    finally:
        readers.close()
    return builder


def _begin(page: ArchivedPage, builder: WorldBuilder, readers: Readers, names: set[str], waiting: Waiting) -> None:
    name = identity(page.url)
    for other in page.other_urls:
        builder.redirect(other, page.url)
    if name is None or name.endswith(ROBOTS):
        builder.leave_out("no pages of the Web")
    elif name in names:
        builder.leave_out("later captures")
    else:
        names.add(name)
        waiting.append((name, page, asyncio.ensure_future(row_of(page, readers))))


async def _end(
    name: str, page: ArchivedPage, reading: asyncio.Task[tuple[PageRow, list[Link]]], builder: WorldBuilder
) -> None:
    """A page on which its reader fails costs its own row only: it is there, and says nothing."""
    try:
        row, links = await reading
    except Exception:
        builder.leave_out("could not be read")
        row, links = PageRow(page.status, page.content_type[:200], len(page.body), page.seconds, page.at), []
    builder.add(name, row, links)
