"""Tables of pages, links, entities and records; rows stream from the database into files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import orjson
import pyarrow as pa

from sundog.rdf.namespaces import RDF_TYPE
from sundog.store.database import LATEST
from sundog.store.entities import Entity, about_item, entities, page_texts, text_of
from sundog.store.events import unpacked_links
from sundog.store.reader import CrawlReader
from sundog.syntaxes import STORED
from sundog.urls.iris import local_name

AT_ONCE = 5_000  # rows
PAGES_AT_ONCE = 100
COUNTS = [(name, pa.int64()) for name in STORED]
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
PAGES = f"""SELECT p.*, o.types, o.content_type FROM pages p JOIN outcomes o ON o.candidate = p.id
  WHERE {LATEST}"""
LINKS = f"""SELECT o.candidate, l.data FROM outcomes o JOIN log l ON l.step = o.step
  WHERE l.event = 'fetched' AND {LATEST}"""
MOST_TYPES, MOST_PROPERTIES = 200, 100  # the most frequent ones have tables and columns
MOST_COUNTED = 20_000  # a site can invent any number; rare names are forgotten while counting
ENTITIES_AT_ONCE = 500  # rows of a type
FIXED = [("page", pa.string()), ("fetched_at", TIME), ("syntax", pa.string()), ("id", pa.string())]
Record = Mapping[str, Any]
MOST_COLUMNS = 1_000  # of a table of records


class Table(Protocol):
    suffix: str

    def __init__(self, path: Path, columns: Any) -> None: ...

    def write(self, rows: Sequence[Sequence[Any]]) -> None: ...

    def close(self) -> None: ...


def write_tables(reader: CrawlReader, out: Path, table: type[Table]) -> None:
    out.mkdir()
    write_pages(reader, out, table)
    write_links(reader, out, table)
    write_entities(reader, out / "entities", table)
    write_item_tables(reader, out / "items", table)


def write_pages(reader: CrawlReader, out: Path, table: type[Table]) -> None:
    _write(table(out / f"pages{table.suffix}", PAGE_COLUMNS), _page_rows(reader))


def write_links(reader: CrawlReader, out: Path, table: type[Table]) -> None:
    _write(table(out / f"links{table.suffix}", LINK_COLUMNS), _link_rows(reader))


def _write(table: Table, rows: Iterator[Sequence[Any]]) -> None:
    with closing(table):
        while some := list(islice(rows, AT_ONCE)):
            table.write(some)


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
        text = reader.texts_of(ids.tolist()).get
        for source, batch in batches:
            for target, anchor, path in zip(*(ids.tolist() for ids in batch[:3]), strict=True):
                yield source, target, text(anchor), text(path)


class Shape(NamedTuple):
    """The table of one type: its file and the properties that have columns."""

    file: str
    columns: dict[str, str]  # property -> name of its column


def write_entities(reader: CrawlReader, out: Path, table: type[Table]) -> None:
    """Twice over the statements: first to see which columns there are, then to fill them."""
    out.mkdir()
    shapes = _shapes(reader)
    writers = {name: table(out / f"{shape.file}{table.suffix}", _columns(shape)) for name, shape in shapes.items()}
    waiting: dict[str, list[list[Any]]] = {name: [] for name in shapes}
    for name, entity in _by_type(reader):
        if name in shapes:
            waiting[name].append(_row(entity, shapes[name]))
            if len(waiting[name]) >= ENTITIES_AT_ONCE:
                writers[name].write(waiting[name])
                waiting[name] = []
    for name, writer in writers.items():
        if waiting[name]:
            writer.write(waiting[name])
        writer.close()


def _by_type(reader: CrawlReader) -> Iterator[tuple[str, Entity]]:
    for page in page_texts(reader):
        for entity in entities(page):
            for name in dict.fromkeys(entity.types):
                yield name, entity


def _shapes(reader: CrawlReader) -> dict[str, Shape]:
    types: Counter[str] = Counter()
    properties: Counter[tuple[str, str]] = Counter()
    for name, entity in _by_type(reader):
        types[name] += 1
        properties.update([(name, each) for each in entity.properties if each != RDF_TYPE])
        types, properties = _pruned(types), _pruned(properties)
    columns: dict[str, list[str]] = {name: [] for name, _ in types.most_common(MOST_TYPES)}
    for (name, each), _ in properties.most_common():
        if name in columns and len(columns[name]) < MOST_PROPERTIES:
            columns[name].append(each)
    files = _distinct(list(columns), _file_name)
    return {name: Shape(files[name], _distinct(columns[name], local_name)) for name in columns}


def _pruned(counter: Counter[Any]) -> Counter[Any]:
    return counter if len(counter) < 2 * MOST_COUNTED else Counter(dict(counter.most_common(MOST_COUNTED)))


def _distinct(names: Sequence[str], short: Callable[[str], str]) -> dict[str, str]:
    """Short names for IRIs; numbered where two have the same, whatever the letters' case."""
    taken = {name for name, _ in FIXED}
    found = {}
    for name in names:
        brief = unique = short(name)
        number = 1
        while unique.lower() in taken:
            number += 1
            unique = f"{brief}_{number}"
        taken.add(unique.lower())
        found[name] = unique
    return found


def _file_name(iri: str) -> str:
    """
    >>> _file_name("http://schema.org/Product")
    'schema.org_Product'
    """
    return re.sub(r"[^A-Za-z0-9.-]+", "_", iri.partition("://")[2] or iri).strip("_.")[:80] or "type"


def _columns(shape: Shape) -> Any:
    return pa.schema([*FIXED, *[(column, pa.list_(pa.string())) for column in shape.columns.values()]])


def _row(entity: Entity, shape: Shape) -> list[Any]:
    page, values = entity.page, entity.properties
    known = [page.url, datetime.fromtimestamp(page.at, UTC), page.syntax, text_of(entity.subject)]
    return [*known, *[[text_of(term) for term in values.get(name, ())] for name in shape.columns]]


def write_item_tables(reader: CrawlReader, out: Path, table: type[Table]) -> None:
    """A table for each data pattern."""
    by_pattern: dict[str, list[Record]] = {}
    for each in reader.items() if reader.knows_patterns else ():
        by_pattern.setdefault(each.pattern, []).append({**about_item(each), **each.item})
    for pattern, records in by_pattern.items():
        out.mkdir(exist_ok=True)
        write_records(records, out / f"{pattern}{table.suffix}", table)


def write_records(records: Sequence[Record], path: Path, table: type[Table]) -> None:
    """Items within items become JSON. A table needs a column, so one without records has an empty one."""
    names = list(dict.fromkeys(name for record in records for name in record))[:MOST_COLUMNS] or ["id"]
    types = {name: _type(record.get(name) for record in records) for name in names}
    schema = pa.schema([(name, types[name]) for name in names])
    out = table(path, schema)
    try:
        for begin in range(0, len(records), AT_ONCE):
            some = records[begin : begin + AT_ONCE]
            out.write([[_cell(record.get(name), types[name]) for name in names] for record in some])
    finally:
        out.close()


def _type(values: Iterable[Any]) -> Any:
    """
    >>> [str(_type(values)) for values in ([1, None], [1, 2.5], ["a", 1], [["a"], []], [{"b": 1}], [1 << 63])]
    ['int64', 'double', 'string', 'list<item: string>', 'string', 'string']
    """
    known = [value for value in values if value is not None]
    kinds = {type(value) for value in known}
    if kinds == {bool}:
        return pa.bool_()
    if kinds and kinds <= {int, float} and all(_fits(value) for value in known):
        return pa.int64() if kinds == {int} else pa.float64()
    return pa.list_(pa.string()) if kinds == {list} else pa.string()


def _fits(value: float) -> bool:
    """Whether it is no whole number of more than 64 bits: Parquet has none, and a float would round it."""
    return isinstance(value, float) or -(1 << 63) <= value < 1 << 63


def _cell(value: Any, kind: Any) -> Any:
    if value is None:
        return None
    if pa.types.is_list(kind):
        return [_text(each) for each in value]
    return _text(value) if pa.types.is_string(kind) else value


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return str(value) if type(value) is int else orjson.dumps(value).decode()  # which stops at 64 bits
