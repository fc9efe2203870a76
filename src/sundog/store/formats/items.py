"""items: what data patterns found, one a line."""

from __future__ import annotations

from pathlib import Path

from sundog.store.formats.format import JSON_LINES, Format, write_json_lines
from sundog.store.reader import CrawlReader


def write_items(reader: CrawlReader, out: Path) -> None:
    """Each with its page and the pattern that found it."""
    found = reader.items() if reader.knows_patterns else ()
    write_json_lines(out, ({**each.about(), "item": each.item} for each in found))


ITEMS = Format(
    name="items",
    file="items.jsonl",
    media_type=JSON_LINES,
    title="Items",
    summary="what data patterns found, one a line",
    write=write_items,
    of_patterns=True,
)
