"""Tables, as Parquet or CSV: of pages and of links. Rows stream from the database into the file."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from sundog.store.csv_text import as_text
from sundog.store.entities import iso_time
from sundog.store.events import SYNTAXES
from sundog.store.log import unpacked_links
from sundog.store.reader import CrawlReader

AT_ONCE = 5_000  # rows
PAGES_AT_ONCE = 100
COUNTS = [(name, pa.int64()) for name in SYNTAXES]
TIME = pa.timestamp("us", "UTC")
PAGE_COLUMNS = pa.schema(
    [
        *[("id", pa.int64()), ("url", pa.string()), ("host", pa.string()), ("status", pa.int64())],
        *[("fetched_at", TIME), ("depth", pa.int64()), ("parent", pa.int64()), ("relevant", pa.bool_())],
        *[("reward", pa.float64()), ("score", pa.float64()), *COUNTS, ("fault", pa.string())],
        *[("types", pa.list_(pa.string())), ("content_type", pa.string())],
    ]
)
LINK_COLUMNS = (
    pa.schema([(name, pa.int64()) for name in ("src", "dst")])
    .append(pa.field("anchor", pa.string()))
    .append(pa.field("tag_path", pa.string()))
)
PAGES = """SELECT p.*, o.types, o.content_type FROM pages p JOIN outcomes o ON o.candidate = p.id
  WHERE NOT EXISTS (SELECT 1 FROM outcomes later WHERE later.candidate = p.id AND later.step > o.step)"""

LINKS = """SELECT o.candidate, l.data FROM outcomes o JOIN log l ON l.step = o.step WHERE l.event = 'fetched'
  AND NOT EXISTS (SELECT 1 FROM outcomes later WHERE later.candidate = o.candidate AND later.step > o.step)"""
TEXTS = "SELECT id, text FROM texts WHERE id IN (SELECT value FROM json_each(?))"


class Table(Protocol):
    suffix: str

    def __init__(self, path: Path, columns: Any) -> None: ...

    def write(self, rows: Sequence[Sequence[Any]]) -> None: ...

    def close(self) -> None: ...


class ParquetTable:
    suffix = ".parquet"

    def __init__(self, path: Path, columns: Any) -> None:
        self._columns = columns
        self._writer = pq.ParquetWriter(path, columns, compression="zstd")

    def write(self, rows: Sequence[Sequence[Any]]) -> None:
        arrays = [
            pa.array(values, field.type)
            for values, field in zip(zip(*rows, strict=True), self._columns, strict=True)
        ]
        self._writer.write_table(pa.Table.from_arrays(arrays, schema=self._columns))

    def close(self) -> None:
        self._writer.close()


class CsvTable:
    """Several values in one cell stand in lines of their own; times are ISO 8601; nothing is a formula."""

    suffix = ".csv"

    def __init__(self, path: Path, columns: Any) -> None:
        self._file = path.open("w", encoding="utf-8", newline="")
        self._writer = csv.writer(self._file)
        self._writer.writerow([as_text(name) for name in columns.names])

    def write(self, rows: Sequence[Sequence[Any]]) -> None:
        self._writer.writerows([[_cell(value) for value in row] for row in rows])

    def close(self) -> None:
        self._file.close()


def _cell(value: Any) -> Any:
    if isinstance(value, str):
        return as_text(value)
    if isinstance(value, list):
        return as_text("\n".join(value))
    if isinstance(value, datetime):
        return iso_time(value.timestamp())
    return int(value) if isinstance(value, bool) else value


def write_pages(reader: CrawlReader, out: Path, table: type[Table]) -> None:
    _write(table(out / f"pages{table.suffix}", PAGE_COLUMNS), _page_rows(reader))


def write_links(reader: CrawlReader, out: Path, table: type[Table]) -> None:
    _write(table(out / f"links{table.suffix}", LINK_COLUMNS), _link_rows(reader))


def _write(table: Table, rows: Iterator[Sequence[Any]]) -> None:
    while some := list(islice(rows, AT_ONCE)):
        table.write(some)
    table.close()


def _page_rows(reader: CrawlReader) -> Iterator[Sequence[Any]]:
    at, relevant = PAGE_COLUMNS.names.index("fetched_at"), PAGE_COLUMNS.names.index("relevant")
    types = PAGE_COLUMNS.names.index("types")
    for found in reader.connection.execute(PAGES):
        row = list(found)
        row[at] = datetime.fromtimestamp(row[at], UTC)
        row[relevant] = bool(row[relevant])
        row[types] = orjson.loads(row[types]) if row[types] else []
        yield row


def _link_rows(reader: CrawlReader) -> Iterator[Sequence[Any]]:
    """What the view ``links`` gives, several times as quickly: texts are looked up for many pages at once."""
    found = reader.connection.execute(LINKS)
    while pages := found.fetchmany(PAGES_AT_ONCE):
        batches = [(source, unpacked_links(blob)) for source, blob in pages]
        ids = np.unique(np.concatenate([texts for _, batch in batches for texts in batch[1:]]))
        rows = reader.connection.execute(TEXTS, (orjson.dumps(ids, option=orjson.OPT_SERIALIZE_NUMPY).decode(),))
        text = dict(rows.fetchall()).get
        for source, batch in batches:
            for target, anchor, path in zip(*(ids.tolist() for ids in batch[:3]), strict=True):
                yield source, target, text(anchor), text(path)
