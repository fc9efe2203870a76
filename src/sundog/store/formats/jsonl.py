"""sundog.store.formats.jsonl"""

from __future__ import annotations

from pathlib import Path

import orjson

from sundog.store.entities import as_jsonld, entities, iso_time, page_texts
from sundog.store.reader import CrawlReader


def write_jsonl(reader: CrawlReader, out: Path) -> None:
    """One entity a line, with its page, time and syntax."""
    with out.open("wb") as file:
        for page in page_texts(reader):
            about = {"page": page.url, "fetched_at": iso_time(page.at), "syntax": page.syntax}
            for entity in entities(page):
                item = {**about, "entity": as_jsonld(entity)}
                file.write(orjson.dumps(item, option=orjson.OPT_APPEND_NEWLINE))
