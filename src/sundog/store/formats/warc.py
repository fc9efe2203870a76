"""sundog.store.formats.warc"""

from __future__ import annotations

from pathlib import Path

from sundog.errors import SundogError
from sundog.store.directory import WARC
from sundog.store.reader import CrawlReader

CHUNK = 1 << 20


def write_warc(reader: CrawlReader, out: Path) -> None:
    """The committed part of the file."""
    left = int(reader.state("warc", 0))
    if not left or not (reader.directory / WARC).is_file():
        raise SundogError(f"{reader.directory} has no {WARC}: the crawl was not asked to keep pages")
    with (reader.directory / WARC).open("rb") as source, out.open("wb") as file:
        while left and (data := source.read(min(CHUNK, left))):
            file.write(data)
            left -= len(data)
