"""warc: requests and responses, if the crawl kept them."""

from __future__ import annotations

from pathlib import Path

from sundog.errors import SundogError
from sundog.store.directory import WARC as KEPT
from sundog.store.formats.format import Format
from sundog.store.reader import WARC_LENGTH, CrawlReader
from sundog.store.repair.archive import copy, parts


def write_warc(reader: CrawlReader, out: Path) -> None:
    """The committed part of the file, if all of it can be read."""
    path, length = reader.directory / KEPT, int(reader.state(WARC_LENGTH, 0))
    if not length:
        raise SundogError(f"{reader.directory} has no {KEPT}: the crawl was not asked to keep pages")
    whole = [part for part in parts(path, length) if part.head] if path.is_file() else []
    if missing := length - sum(part.size for part in whole):
        what = f"{path} is damaged: {missing:,} of {length:,} bytes cannot be read"
        raise SundogError(f"{what}; sundog repair {reader.directory} saves the rest")
    copy(path, whole, out)


WARC = Format(
    name="warc",
    file="export.warc.gz",
    media_type="application/gzip",
    title="WARC",
    summary="requests and responses, if the crawl kept them",
    write=write_warc,
)
