"""Pages of Common Crawl: found by host in its columnar index, and fetched as parts of its WARC files.

The index is Parquet with a row for each capture, sorted by host: of most groups of rows only statistics are read.
Each capture is one gzip member of a WARC file, named by the file, where it begins and how long it is.
"""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from sundog.archives.ranges import HttpParts, LocalParts, PartFile, Parts, base_of, is_url
from sundog.archives.warc import Archived, Unusable, read_warc
from sundog.arrow import pa, pc, pq
from sundog.errors import SundogError, UsageError, unreadable
from sundog.media_types import PAGE_TYPES, media_type

PREFIX = "cc:"
DATA = "https://data.commoncrawl.org/"
HOST, FILE, START, LENGTH = "url_host_name", "warc_filename", "warc_record_offset", "warc_record_length"
MIME = "content_mime_type"  # as the server said; a column that may be missing
LONGEST_RECORD = 20_000_000  # bytes, packed


class Capture(NamedTuple):
    file: str
    start: int
    length: int
    mime: str = ""


class CommonCrawl:
    """``index``: a Parquet file, a folder of them, or a list of such files (``*.paths``, ``*.paths.gz``), on disk
    or on a server. ``data``: where the WARC files are."""

    def __init__(self, index: str, *, data: str = "", delay: float = 1.0, allow_private: bool = False) -> None:
        self._index, self._delay, self._allow_private = index, delay, allow_private
        self._data = data or (base_of(index)[0] if is_url(index) else DATA)

    def pages(
        self, hosts: Sequence[str], progress: Callable[[int, int], None] = lambda done, total: None
    ) -> Iterator[Archived]:
        with ExitStack() as opened:
            captures = sorted(set(self.captures(hosts, opened)))
            if not captures:
                raise SundogError(f"{self._index} has no page of {', '.join(hosts)}")
            data = self._parts(self._data, opened)
            for done, capture in enumerate(captures, 1):
                yield from _records_of(capture, data)
                progress(done, len(captures))

    def captures(self, hosts: Sequence[str], opened: ExitStack) -> Iterator[Capture]:
        """Of all files of the index."""
        wanted = sorted({host.lower() for host in hosts})
        for parts, name in self._index_files(opened):
            try:
                file = PartFile(parts, name)
                yield from _captures_in(pq.ParquetFile(pa.PythonFile(file, mode="r")), wanted, name)
            except (pa.ArrowException, OSError) as error:
                raise unreadable(name, error) from None

    def _parts(self, place: str, opened: ExitStack) -> Parts:
        if is_url(place):
            base = place if place.endswith("/") else f"{place}/"
            return opened.enter_context(HttpParts(base, delay=self._delay, allow_private=self._allow_private))
        return LocalParts(Path(place))

    def _index_files(self, opened: ExitStack) -> Iterator[tuple[Parts, str]]:
        """Each file, and where it is. Lists name files from the root of their server, or from their own folder."""
        if not is_url(self._index):
            yield from _local_index(Path(self._index))
            return
        base, name = base_of(self._index)
        parts = opened.enter_context(HttpParts(base, delay=self._delay, allow_private=self._allow_private))
        for each in _listed(parts.whole(name)) if _is_list(name) else [name]:
            yield parts, each


def hosts_in(source: str) -> list[str]:
    """
    >>> hosts_in("cc:www.a.example,b.example")
    ['www.a.example', 'b.example']
    """
    hosts = [host.strip() for host in source.removeprefix(PREFIX).split(",")]
    if not all(hosts):
        raise UsageError(f"'{source}': cc:HOST or cc:HOST,HOST is expected")
    return hosts


def _is_list(name: str) -> bool:
    return name.endswith((".paths", ".paths.gz"))


def _listed(data: bytes) -> list[str]:
    text = gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
    return [line.strip() for line in text.decode("utf-8", "replace").splitlines() if line.strip()]


def _local_index(path: Path) -> Iterator[tuple[Parts, str]]:
    if path.is_dir():
        found = [str(each.relative_to(path)) for each in sorted(path.rglob("*.parquet"))]
        folder = path
    elif _is_list(path.name):
        try:
            found, folder = _listed(path.read_bytes()), path.parent
        except OSError as error:
            raise unreadable(path, error) from None
    else:
        found, folder = [path.name], path.parent
    if not found:
        raise SundogError(f"{path} has no Parquet files: the columnar index of Common Crawl is expected")
    yield from ((LocalParts(folder), name) for name in found)


def _captures_in(file: Any, hosts: list[str], name: str) -> Iterator[Capture]:
    names = file.schema_arrow.names
    if missing := [column for column in (HOST, FILE, START, LENGTH) if column not in names]:
        raise SundogError(f"{name} has no column '{missing[0]}': it is no index of Common Crawl")
    columns = [HOST, FILE, START, LENGTH, *([MIME] if MIME in names else [])]
    place = file.schema.names.index(HOST)
    for group in range(file.num_row_groups):
        if not _may_have(file.metadata.row_group(group).column(place).statistics, hosts):
            continue
        table = file.read_row_group(group, columns=columns)
        for row in table.filter(pc.is_in(table[HOST], value_set=pa.array(hosts, table[HOST].type))).to_pylist():
            yield Capture(row[FILE], row[START], row[LENGTH], row.get(MIME) or "")


def _may_have(statistics: Any, hosts: list[str]) -> bool:
    if statistics is None or not statistics.has_min_max:
        return True
    return any(statistics.min <= host <= statistics.max for host in hosts)


def _records_of(capture: Capture, data: Parts) -> Iterator[Archived]:
    """What is no page by its type is not fetched at all."""
    if capture.mime and media_type(capture.mime) not in PAGE_TYPES:
        yield Unusable("", "other type")
        return
    if not 0 < capture.length <= LONGEST_RECORD or capture.start < 0:
        yield Unusable("", "damaged")
        return
    part = io.BytesIO(data.read(capture.file, capture.start, capture.length))
    damaged: list[str] = []
    found = [each for _, each in read_warc(part, capture.file, damaged.append)]
    yield from found or [Unusable("", "damaged")]
