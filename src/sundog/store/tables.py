"""Tables of pages, links and records; rows stream from the database into files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import numpy as np
import orjson

from sundog.store.database import LATEST, PROMISED
from sundog.store.events import unpacked_links
from sundog.store.formats.columns import Columns
from sundog.store.reader import CrawlReader
from sundog.syntaxes import STORED

AT_ONCE = 5_000  # rows
PAGES_AT_ONCE = 100
PAGE_COLUMNS: Columns = [
    *[("id", "integer"), ("url", "text"), ("host", "text"), ("status", "integer")],
    *[("fetched_at", "time"), ("depth", "integer"), ("parent", "integer"), ("relevant", "boolean")],
    *[("reward", "number"), ("score", "number"), *((name, "integer") for name in STORED[:PROMISED])],
    *[("fault", "text"), *((name, "integer") for name in STORED[PROMISED:])],
    *[("types", "text[]"), ("content_type", "text")],
]
LINK_COLUMNS: Columns = [
    *[("src", "integer"), ("dst", "integer"), ("anchor", "text"), ("tag_path", "text"), ("score", "number")]
]
PAGES = f"""SELECT {", ".join(f"p.{name}" for name, _ in PAGE_COLUMNS[:-2])}, o.types, o.content_type
  FROM pages p JOIN outcomes o ON o.candidate = p.id WHERE {LATEST}"""
LINKS = f"""SELECT o.candidate, l.data FROM outcomes o JOIN log l ON l.step = o.step
  WHERE l.event IN ('fetched', 'revisited') AND {LATEST}"""
Record = Mapping[str, Any]
MOST_COLUMNS = 1_000  # of a table of records


class Table(Protocol):
    suffix: str

    def __init__(self, out: Path | BinaryIO, columns: Columns) -> None: ...

    def write(self, rows: Sequence[Sequence[Any]]) -> None: ...

    def close(self) -> None: ...


def write_pages(reader: CrawlReader, out: Path, table: type[Table]) -> None:
    write_rows(table(out / f"pages{table.suffix}", PAGE_COLUMNS), page_rows(reader))


def write_links(reader: CrawlReader, out: Path, table: type[Table]) -> None:
    write_rows(table(out / f"links{table.suffix}", LINK_COLUMNS), _link_rows(reader))


def write_rows(table: Table, rows: Iterator[Sequence[Any]]) -> None:
    with closing(table):
        while some := list(islice(rows, AT_ONCE)):
            table.write(some)


def page_rows(reader: CrawlReader) -> Iterator[Sequence[Any]]:
    places = {name: place for place, (name, _) in enumerate(PAGE_COLUMNS)}
    at, relevant = places["fetched_at"], places["relevant"]
    types, reward, score = places["types"], places["reward"], places["score"]
    for found in reader.connection.execute(PAGES):
        row = list(found)
        row[at] = datetime.fromtimestamp(row[at], UTC)
        row[relevant] = bool(row[relevant])
        row[score] = row[reward]  # a world's score is the page's own, not what a policy expected of it
        row[types] = orjson.loads(row[types]) if row[types] else []
        yield row


def _link_rows(reader: CrawlReader) -> Iterator[Sequence[Any]]:
    """What the view ``links`` gives, several times as quickly: texts are looked up for many pages at once."""
    found = reader.connection.execute(LINKS)
    while pages := found.fetchmany(PAGES_AT_ONCE):
        batches = [(source, unpacked_links(blob)) for source, blob in pages]
        ids = np.unique(np.concatenate([texts for _, batch in batches for texts in batch[1:3]]))
        text = reader.texts_of(ids.tolist()).get
        for source, batch in batches:
            scores = batch.scores.tolist() if len(batch.scores) else [0.0] * len(batch.targets)
            for target, anchor, path, score in zip(*(ids.tolist() for ids in batch[:3]), scores, strict=True):
                yield source, target, text(anchor), text(path), score


def write_item_tables(reader: CrawlReader, out: Path, table: type[Table]) -> None:
    """A table for each data pattern."""
    by_pattern: dict[str, list[Record]] = {}
    for each in reader.items() if reader.knows_patterns else ():
        by_pattern.setdefault(each.pattern, []).append({**each.about(), **each.item})
    for pattern, records in by_pattern.items():
        out.mkdir(exist_ok=True)
        write_records(records, out / f"{pattern}{table.suffix}", table)


def write_records(records: Sequence[Record], path: Path, table: type[Table]) -> None:
    """Items within items become JSON. A table needs a column, so one without records has an empty one."""
    names = list(dict.fromkeys(name for record in records for name in record))[:MOST_COLUMNS] or ["id"]
    types = {name: _type(record.get(name) for record in records) for name in names}
    out = table(path, list(types.items()))
    try:
        for begin in range(0, len(records), AT_ONCE):
            some = records[begin : begin + AT_ONCE]
            out.write([[_cell(record.get(name), types[name]) for name in names] for record in some])
    finally:
        out.close()


def _type(values: Iterable[Any]) -> str:
    """
    >>> [_type(values) for values in ([1, None], [1, 2.5], ["a", 1], [["a"], []], [{"b": 1}], [1 << 63])]
    ['integer', 'number', 'text', 'text[]', 'text', 'text']
    """
    known = [value for value in values if value is not None]
    kinds = {type(value) for value in known}
    if kinds == {bool}:
        return "boolean"
    if kinds and kinds <= {int, float} and all(_fits(value) for value in known):
        return "integer" if kinds == {int} else "number"
    return "text[]" if kinds == {list} else "text"


def _fits(value: float) -> bool:
    """Whether it is no whole number of more than 64 bits: Parquet has none, and a float would round it."""
    return isinstance(value, float) or -(1 << 63) <= value < 1 << 63


def _cell(value: Any, kind: str) -> Any:
    if value is None:
        return None
    if kind == "text[]":
        return [_text(each) for each in value]
    return _text(value) if kind == "text" else value


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return str(value) if type(value) is int else orjson.dumps(value).decode()  # which stops at 64 bits
