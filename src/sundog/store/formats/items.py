"""items: what data patterns found, one a line."""

from __future__ import annotations

from pathlib import Path

import orjson

from sundog.store.entities import about_item
from sundog.store.formats.format import Format
from sundog.store.reader import CrawlReader


def write_items(reader: CrawlReader, out: Path) -> None:
    """Each with its page and the pattern that found it."""
    with out.open("wb") as file:
        for each in reader.items() if reader.knows_patterns else ():
            item = {**about_item(each), "item": each.item}
            file.write(orjson.dumps(item, option=orjson.OPT_APPEND_NEWLINE))


ITEMS = Format(
    name="items",
    file="items.jsonl",
    media_type="application/x-ndjson",
    title="Items",
    summary="what data patterns found, one a line",
    write=write_items,
    of_patterns=True,
)
