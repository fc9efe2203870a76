"""warc: requests and responses, if the crawl kept them."""

from __future__ import annotations

from pathlib import Path

from sundog.errors import SundogError
from sundog.store.directory import WARC as KEPT
from sundog.store.formats.format import Format
from sundog.store.reader import WARC_LENGTH, CrawlReader

CHUNK = 1 << 20


def write_warc(reader: CrawlReader, out: Path) -> None:
    """The committed part of the file."""
    left = int(reader.state(WARC_LENGTH, 0))
    if not left or not (reader.directory / KEPT).is_file():
        raise SundogError(f"{reader.directory} has no {KEPT}: the crawl was not asked to keep pages")
    with (reader.directory / KEPT).open("rb") as source, out.open("wb") as file:
        while left and (data := source.read(min(CHUNK, left))):
            file.write(data)
            left -= len(data)


WARC = Format(
    name="warc",
    file="export.warc.gz",
    media_type="application/gzip",
    title="WARC",
    summary="requests and responses, if the crawl kept them",
    write=write_warc,
)
