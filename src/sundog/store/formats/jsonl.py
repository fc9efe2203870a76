"""jsonl: one entity a line, with its page, time and syntax."""

from __future__ import annotations

from pathlib import Path

import orjson

from sundog.store.entities import as_jsonld, entities, iso_time, page_texts
from sundog.store.formats.format import Format
from sundog.store.reader import CrawlReader


def write_jsonl(reader: CrawlReader, out: Path) -> None:
    with out.open("wb") as file:
        for page in page_texts(reader):
            about = {"page": page.url, "fetched_at": iso_time(page.at), "syntax": page.syntax}
            for entity in entities(page):
                item = {**about, "entity": as_jsonld(entity)}
                file.write(orjson.dumps(item, option=orjson.OPT_APPEND_NEWLINE))


JSONL = Format(
    name="jsonl",
    file="export.jsonl",
    media_type="application/x-ndjson",
    title="JSON lines",
    summary="one entity a line, with its page, time and syntax",
    write=write_jsonl,
)
