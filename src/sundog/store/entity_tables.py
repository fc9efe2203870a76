"""For each type a table of its entities, flattened: a column a property. In bounded memory."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from sundog.store.entities import TYPE, Entity, entities, page_texts, text_of
from sundog.store.reader import CrawlReader
from sundog.store.tables import TIME, Table

MOST_TYPES, MOST_PROPERTIES = 200, 100  # the most frequent ones have tables and columns
MOST_COUNTED = 20_000  # a site can invent any number; rare names are forgotten while counting
AT_ONCE = 500  # rows of a type
FIXED = [("page", pa.string()), ("fetched_at", TIME), ("syntax", pa.string()), ("id", pa.string())]


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
            if len(waiting[name]) >= AT_ONCE:
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
        properties.update([(name, each) for each in entity.properties if each != TYPE])
        types, properties = _pruned(types), _pruned(properties)
    columns: dict[str, list[str]] = {name: [] for name, _ in types.most_common(MOST_TYPES)}
    for (name, each), _ in properties.most_common():
        if name in columns and len(columns[name]) < MOST_PROPERTIES:
            columns[name].append(each)
    files = _distinct(list(columns), _file_name)
    return {name: Shape(files[name], _distinct(columns[name], _last_part)) for name in columns}


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


def _last_part(iri: str) -> str:
    return re.split(r"[/#:]", iri.rstrip("/#:"))[-1] or iri


def _columns(shape: Shape) -> Any:
    return pa.schema([*FIXED, *[(column, pa.list_(pa.string())) for column in shape.columns.values()]])


def _row(entity: Entity, shape: Shape) -> list[Any]:
    page, values = entity.page, entity.properties
    known = [page.url, datetime.fromtimestamp(page.at, UTC), page.syntax, text_of(entity.subject)]
    return [*known, *[[text_of(term) for term in values.get(name, ())] for name in shape.columns]]
