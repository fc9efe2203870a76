"""Entities by type, in a database beside the crawl: how it is filled, and tables out of it.

It grows with the crawl, and can be deleted and made anew at any time.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any

import orjson

from sundog.errors import SundogError
from sundog.rdf.namespaces import RDF_TYPE, shortened, with_http
from sundog.store import open_readonly
from sundog.store.directory import DATABASE
from sundog.store.entities import Entity, PageText, entities, text_of
from sundog.store.reader import StatementRow
from sundog.store.statements import ids_of_steps, step_of
from sundog.urls.iris import local_name
from sundog.web.errors import NotFoundError
from sundog.web.results.reading import like
from sundog.web.runs.directories import CrawlDirectory

FILE = "entities.db"
SCHEMA = """
CREATE TABLE IF NOT EXISTS entities(id INTEGER PRIMARY KEY, page INTEGER NOT NULL, url TEXT NOT NULL,
  syntax TEXT NOT NULL, subject TEXT NOT NULL, content TEXT NOT NULL, words TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS entities_by_page ON entities(page);
CREATE TABLE IF NOT EXISTS types(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS typed(type INTEGER, entity INTEGER, PRIMARY KEY(type, entity)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS properties(type INTEGER, name TEXT, number INTEGER, PRIMARY KEY(type, name))
  WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS progress(crawl TEXT PRIMARY KEY, statements INTEGER NOT NULL) WITHOUT ROWID;
"""
MOST_ENTITIES = 10_000  # of a page in one syntax; an entity's id is its place, behind the id of its statements
AT_ONCE = 100  # rows a transaction
SECONDS = 0.7  # that a request spends on what is new
MOST_VALUES, LONGEST = 10, 500  # of a property, characters of a value
MOST_PROPERTIES = 60  # of an entity
MOST_TYPES = 20  # of an entity
NAMES = (
    "name",
    "headline",
    "title",
    "label",
    "fn",
)  # by which things are called; scripts get them too
TYPES = """SELECT t.name, count(*) FROM typed JOIN types t ON t.id = typed.type GROUP BY typed.type
  ORDER BY 2 DESC, 1 LIMIT 500"""
COLUMNS = "SELECT name FROM properties WHERE type = ? ORDER BY number DESC, name LIMIT ?"
ROWS = "FROM typed JOIN entities e ON e.id = typed.entity WHERE typed.type = ?"
MOST_COLUMNS = 30


class EntityIndex:
    """Several threads may ask; one at a time brings it up to date."""

    def __init__(self, crawl: CrawlDirectory) -> None:
        self._crawl = crawl
        self._path = crawl.site_folder / FILE
        self._lock = Lock()

    @contextmanager
    def reading(self) -> Iterator[tuple[sqlite3.Connection, int]]:
        """The index, and how many pages it is behind after a moment's work."""
        try:
            behind = self._update()
        except sqlite3.DatabaseError:  # a crash has damaged it
            self._path.unlink(missing_ok=True)
            behind = self._update()
        with closing(sqlite3.connect(f"file:{self._path}?mode=ro", uri=True)) as connection:
            yield connection, behind

    def _update(self) -> int:
        if not self._crawl.has_database:  # nothing is there yet
            _open_index(self._path).close()
            return 0
        found = (self._crawl.path / DATABASE).stat()
        crawl = f"{found.st_dev}-{found.st_ino}"
        with (
            self._lock,
            open_readonly(self._crawl.path) as reader,
            closing(_open_index(self._path)) as connection,
        ):
            last = _progress(connection, crawl)
            if last is None:  # the index is another crawl's
                connection.close()
                self._path.unlink()
                connection = _open_index(self._path)
                last = 0
            end = monotonic() + SECONDS
            while rows := reader.statements_after(last, AT_ONCE):
                last = rows[-1].id
                with connection:
                    _insert(connection, rows)
                    connection.execute("REPLACE INTO progress VALUES (?, ?)", (crawl, last))
                if monotonic() > end:
                    break
            return reader.pages_with_statements_since(last + 1)


def _open_index(path: Path) -> sqlite3.Connection:
    try:
        path.parent.mkdir(exist_ok=True)
        connection = sqlite3.connect(path)
    except (OSError, sqlite3.OperationalError) as error:
        raise SundogError(f"{path} cannot be made: {error}") from None
    connection.executescript(f"PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; {SCHEMA}")
    return connection


def _progress(connection: sqlite3.Connection, crawl: str) -> int | None:
    rows = dict(connection.execute("SELECT crawl, statements FROM progress").fetchall())
    return rows.get(crawl) if rows else 0


def _insert(connection: sqlite3.Connection, rows: list[StatementRow]) -> None:
    kinds: dict[str, int] = {}
    properties: Counter[tuple[int, str]] = Counter()
    for number, candidate, url, at, syntax, triples in rows:
        _delete_earlier(connection, candidate, step_of(number))
        found = list(entities(PageText(url, url, at, syntax, triples)))
        names = {text_of(entity.subject): name_of(entity) for entity in found}
        for place, entity in enumerate(found):
            if not entity.types or place >= MOST_ENTITIES:
                continue
            key = number * MOST_ENTITIES + place
            content = content_of(entity, names)
            words = " ".join([url, *(value for values in content.values() for value in values)]).lower()
            connection.execute(
                "REPLACE INTO entities VALUES (?, ?, ?, ?, ?, ?, ?)",
                (key, candidate, url, syntax, text_of(entity.subject), orjson.dumps(content).decode(), words),
            )
            for name in dict.fromkeys(entity.types[:MOST_TYPES]):
                kind = kinds.get(name) or _type_id(connection, name)
                kinds[name] = kind
                connection.execute("INSERT OR IGNORE INTO typed VALUES (?, ?)", (kind, key))
                properties.update((kind, each) for each in content)
    connection.executemany(
        "INSERT INTO properties VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET number = number + excluded.number",
        [(kind, name, count) for (kind, name), count in properties.items()],
    )


def _delete_earlier(connection: sqlite3.Connection, candidate: int, step: int) -> None:
    """Of a page that was fetched again, only the latest statements count."""
    first, _ = ids_of_steps(step, step)
    old = "SELECT id FROM entities WHERE page = ? AND id < ?"
    found = connection.execute(old, (candidate, first * MOST_ENTITIES)).fetchall()
    connection.executemany("DELETE FROM typed WHERE entity = ?", found)
    connection.executemany("DELETE FROM entities WHERE id = ?", found)


def _type_id(connection: sqlite3.Connection, name: str) -> int:
    connection.execute("INSERT OR IGNORE INTO types(name) VALUES (?)", (name,))
    ((number,),) = connection.execute("SELECT id FROM types WHERE name = ?", (name,))
    return int(number)


def content_of(entity: Entity, names: Mapping[str, str]) -> dict[str, list[str]]:
    """Texts by property; types have a place of their own. schema.org's names have http, as everywhere.

    Things without an address of their own, such as a recipe's author, appear by their ``names``.
    """
    found: dict[str, list[str]] = {}
    for name, values in list(entity.properties.items())[:MOST_PROPERTIES]:
        if name != RDF_TYPE:
            texts = found.setdefault(with_http(name), [])
            new = [text_of(term) for term in values[: MOST_VALUES - len(texts)]]
            texts += [(names.get(text) or text if text.startswith("_:") else text)[:LONGEST] for text in new]
    return found


def name_of(entity: Entity) -> str:
    """What it is called, or else a few of its values."""
    texts = {local_name(name): text_of(values[0]) for name, values in entity.properties.items()}
    called = next((texts[name] for name in NAMES if name in texts), "")
    values = [text for name, text in texts.items() if name != "type" and not text.startswith("_:")]
    return called or ", ".join(values[:3])


def entity_types(connection: sqlite3.Connection) -> list[dict[str, Any]]:
    return [
        {"type": name, "short": shortened(name), "entities": count} for name, count in connection.execute(TYPES)
    ]


def entity_table(
    connection: sqlite3.Connection,
    kind: str,
    *,
    search: str,
    sort: str,
    descending: bool,
    offset: int,
    limit: int,
    column: str = "",
    contains: str = "",
) -> dict[str, Any]:
    """``sort`` is the name of a column, or empty for the order in which entities came.

    ``search`` is for all values, ``contains`` for those of one column.
    """
    found = connection.execute("SELECT id FROM types WHERE name = ?", (kind,)).fetchone()
    if found is None:
        raise NotFoundError(f"there is no entity of the type '{kind[:200]}'")
    columns = _columns(connection, found[0])
    where, values = ROWS, [found[0]]
    if search:
        where += " AND e.words LIKE ? ESCAPE '\\'"
        values.append(like(search.lower()))
    if column and contains:
        where += " AND lower(json_extract(e.content, ?)) LIKE ? ESCAPE '\\'"
        values += [_path(columns, column), like(contains.lower())]
    ((total,),) = connection.execute(f"SELECT count(*) {where}", values)
    order, path = _order(columns, sort, descending)
    rows = connection.execute(
        f"SELECT e.page, e.url, e.syntax, e.subject, e.content {where} {order} LIMIT ? OFFSET ?",
        (*values, *path, limit, offset),
    )
    return {
        "type": kind,
        "short": shortened(kind),
        "total": total,
        "columns": [{"property": iri, "name": name} for iri, name in columns.items()],
        "rows": [_row(row, columns) for row in rows],
    }


def _columns(connection: sqlite3.Connection, kind: int) -> dict[str, str]:
    """By property, names that are short and distinct."""
    taken: dict[str, str] = {}
    for (iri,) in connection.execute(COLUMNS, (kind, MOST_COLUMNS)):
        brief = name = local_name(iri)
        number = 1
        while name in taken.values():
            number += 1
            name = f"{brief} {number}"
        taken[iri] = name
    return taken


def _order(columns: dict[str, str], sort: str, descending: bool) -> tuple[str, list[str]]:
    """Numbers by their size, then texts; what has no value comes last."""
    way = "DESC" if descending else "ASC"
    if sort in ("", "page"):
        return f"ORDER BY {'e.url' if sort else 'e.id'} {way}", []
    value = "json_extract(e.content, ?)"
    number = f"CASE WHEN {value} GLOB '[0-9]*' OR {value} GLOB '-[0-9]*' THEN CAST({value} AS REAL) END"
    order = f"ORDER BY {value} IS NULL, {number} IS NULL, {number} {way}, {value} {way}, e.id"
    return order, [f"{_path(columns, sort)}[0]"] * order.count("?")


def _path(columns: dict[str, str], column: str) -> str:
    """Where a column's values stand in an entity's content."""
    iri = next((iri for iri, name in columns.items() if name == column and not set(iri) & set('"\\')), None)
    if iri is None:
        raise NotFoundError(f"there is no column '{column[:100]}'")
    return f'$."{iri}"'


def _row(row: tuple[Any, ...], columns: dict[str, str]) -> dict[str, Any]:
    page, url, syntax, subject, content = row
    values = orjson.loads(content)
    return {
        "page": page,
        "url": url,
        "syntax": syntax,
        "id": subject,
        "values": {name: values[iri] for iri, name in columns.items() if iri in values},
    }
