"""sundog.store.formats.items"""

from __future__ import annotations

from pathlib import Path

import orjson

from sundog.store.entities import about_item
from sundog.store.reader import CrawlReader


def write_items(reader: CrawlReader, out: Path) -> None:
    """One item a line, with its page and the pattern that found it."""
    with out.open("wb") as file:
        for each in reader.items() if reader.knows_patterns else ():
            item = {**about_item(each), "item": each.item}
            file.write(orjson.dumps(item, option=orjson.OPT_APPEND_NEWLINE))
