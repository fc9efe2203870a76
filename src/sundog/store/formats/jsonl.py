"""jsonl: one entity a line, with its page, time and syntax."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sundog.store.entities import as_jsonld, entities, page_texts
from sundog.store.formats.format import JSON_LINES, Format, write_json_lines
from sundog.store.reader import CrawlReader
from sundog.texts import iso_time


def write_jsonl(reader: CrawlReader, out: Path) -> None:
    write_json_lines(out, _lines(reader))


def _lines(reader: CrawlReader) -> Iterator[dict[str, Any]]:
    for page in page_texts(reader):
        about = {"page": page.url, "fetched_at": iso_time(page.at), "syntax": page.syntax}
        for entity in entities(page):
            yield {**about, "entity": as_jsonld(entity)}


JSONL = Format(
    name="jsonl",
    file="export.jsonl",
    media_type=JSON_LINES,
    title="JSON lines",
    summary="one entity a line, with its page, time and syntax",
    write=write_jsonl,
)
