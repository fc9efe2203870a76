"""jsonl, ndjson and json: entities as trees, with where they were found; or rows of a type's table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from sundog.entities.reading import Selected, all_entities
from sundog.results.formats.selected import selected_entities, selected_table
from sundog.store.formats.format import JSON_LINES, Format, Selection, opened, write_json_lines
from sundog.store.reader import CrawlReader

Write = Callable[[Path | BinaryIO, Iterable[Any]], None]


def write_entities(write: Write, reader: CrawlReader, out: Path | BinaryIO, selection: Selection) -> None:
    selection.check()
    with selected_entities(reader, selection) as selected:
        write(out, _entities(selected, selection))


def _entities(selected: Selected, selection: Selection) -> Iterator[dict[str, Any]]:
    if not selection.type:
        return all_entities(selected.database)
    table = selected_table(selected, selection)
    return table.records(selection.columns) if selection.columns else table.entities()


def write_json_array(out: Path | BinaryIO, items: Iterable[Any]) -> None:
    """As one document, with a line for each."""
    between = b"[\n"
    with opened(out) as file:
        for item in items:
            file.write(between + orjson.dumps(item))
            between = b",\n"
        file.write(b"\n]\n" if between == b",\n" else b"[]\n")


def _format(
    name: str, title: str, summary: str, write: Write = write_json_lines, media_type: str = JSON_LINES
) -> Format:
    return Format(
        name=name,
        file=f"export.{name}",
        media_type=media_type,
        title=title,
        summary=summary,
        select=partial(write_entities, write),
    )


JSONL = _format("jsonl", "JSON lines", "one entity a line, as a tree, with the pages that describe it")
NDJSON = _format("ndjson", "NDJSON", "the same as jsonl, by its other name")
JSON = _format("json", "JSON", "the same as one document, a list", write_json_array, "application/json")
