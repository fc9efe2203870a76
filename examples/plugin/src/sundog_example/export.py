"""An export format: the URLs of relevant pages, one a line."""

from __future__ import annotations

from pathlib import Path

from sundog.store.formats.format import Format
from sundog.store.reader import CrawlReader


def write_urls(reader: CrawlReader, out: Path) -> None:
    with out.open("w", encoding="utf-8", newline="\n") as file:
        for (url,) in reader.connection.execute("SELECT url FROM pages WHERE relevant ORDER BY id"):
            file.write(f"{url}\n")


URLS = Format(
    name="urls",
    file="relevant-urls.txt",
    media_type="text/plain",
    title="URLs",
    summary="the URLs of relevant pages, one a line",
    write=write_urls,
)
