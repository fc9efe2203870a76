"""What an e-mail at the end of a crawl brings: the file that most people would download, if it is small enough."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import NamedTuple

from sundog.errors import SundogError
from sundog.results.export import best_format
from sundog.results.formats.jsonl import JSONL
from sundog.results.result_document import RESULT
from sundog.store.formats.csv import CsvTable
from sundog.store.formats.format import Format
from sundog.web.results.exports import export_to
from sundog.web.results.reading import reading
from sundog.web.runs.crawls import spec_of
from sundog.web.runs.directories import CrawlDirectory

TO_EXPORT = 300.0  # seconds
PAGES = "relevant-pages.csv"
RELEVANT = "SELECT url, reward, depth, fetched_at FROM pages WHERE relevant ORDER BY reward DESC, id"
ROWS = 1_000  # at once


class Attachment(NamedTuple):
    """``content`` is empty if it is too large; the sentence says so."""

    file: str
    media_type: str
    content: bytes
    sentence: str


def attachment_of(crawl: CrawlDirectory, most: int) -> Attachment | None:
    """None if the crawl has found nothing that could be attached. ``most`` is in bytes."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            path, media_type, what = _written(crawl, Path(folder))
        except SundogError:
            return None
        size = path.stat().st_size
        if not size:
            return None
        if size > most:
            sentence = (
                f"Not attached: {path.name}, {what}; it has {size / 1e6:,.1f} MB. Download it from the site."
            )
            return Attachment(path.name, media_type, b"", sentence)
        return Attachment(path.name, media_type, path.read_bytes(), f"Attached: {path.name}, {what}.")


def _written(crawl: CrawlDirectory, folder: Path) -> tuple[Path, str, str]:
    """The file, its media type, and what it has. Without any entities, the pages are what was found."""
    chosen = RESULT if spec_of(crawl)["patterns"] else best_format(crawl.summary)
    path = _exported(crawl, chosen, folder)
    if chosen is JSONL and not path.stat().st_size:
        return _pages_table(crawl, folder), "text/csv", "the addresses of the relevant pages"
    return path, chosen.files[path.name], chosen.summary


def _exported(crawl: CrawlDirectory, chosen: Format, folder: Path) -> Path:
    with reading(crawl) as reader:
        path = folder / chosen.file_of(reader)
    export_to(path, crawl, chosen, TO_EXPORT)
    return path


def _pages_table(crawl: CrawlDirectory, folder: Path) -> Path:
    """An empty file if there are none."""
    path = folder / PAGES
    path.touch()
    with reading(crawl) as reader:
        rows = reader.connection.execute(RELEVANT)
        if first := rows.fetchmany(ROWS):
            table = CsvTable(path, [(column[0], "text") for column in rows.description])
            while first:
                table.write(first)
                first = rows.fetchmany(ROWS)
            table.close()
    return path
