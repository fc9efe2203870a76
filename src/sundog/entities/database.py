"""``entities.db``: the things of a crawl's pages, and which of them are one entity.

It is made from ``crawl.db`` and can be deleted at any time. It knows up to which statement it has read, and goes
on from there when somebody asks; a page that was fetched again replaces what it said before. Everything that grows
with the crawl is in SQLite, not in memory.

An entity is a group of things that share a key (``same.py``). Its number is that of its first thing. A group whose
things change is merged anew, and its rows are written again.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from time import monotonic
from typing import Any, Final

import orjson

from sundog.entities.grouping import Described, Grouping, Page, described
from sundog.entities.merge import merged, merged_types, not_in
from sundog.entities.tables import MOST_TYPES, About, TypeTables
from sundog.entities.tables import SCHEMA as TABLES
from sundog.entities.things import PageStatements, Tree, name_of, things_of
from sundog.errors import SundogError
from sundog.store import CrawlReader, open_readonly
from sundog.store.directory import ENTITIES
from sundog.store.reader import StatementRow
from sundog.urls.hosts import host_of

VERSION: Final = 2
SCHEMA: Final = f"""
CREATE TABLE IF NOT EXISTS progress(crawl TEXT PRIMARY KEY, statements INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS pages(id INTEGER PRIMARY KEY, url TEXT NOT NULL, host TEXT NOT NULL, at REAL NOT NULL);
CREATE TABLE IF NOT EXISTS things(id INTEGER PRIMARY KEY, page INTEGER NOT NULL, entity INTEGER NOT NULL,
  rank INTEGER NOT NULL, alone INTEGER NOT NULL, nested INTEGER NOT NULL, syntax TEXT NOT NULL,
  reason TEXT NOT NULL, tree TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS things_of_pages ON things(page);
CREATE INDEX IF NOT EXISTS things_of_entities ON things(entity, rank);
CREATE TABLE IF NOT EXISTS keys(hash INTEGER, entity INTEGER, PRIMARY KEY(hash, entity)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS keys_of_entities ON keys(entity);
CREATE TABLE IF NOT EXISTS entities(id INTEGER PRIMARY KEY, profile TEXT NOT NULL, things INTEGER NOT NULL,
  types TEXT, name TEXT, host TEXT, page TEXT, at REAL, syntax TEXT, tree TEXT, sources TEXT);
CREATE TABLE IF NOT EXISTS dirty(entity INTEGER PRIMARY KEY);
{TABLES}
PRAGMA user_version = {VERSION};
"""
MERGED: Final = """UPDATE entities SET types = ?, name = ?, host = ?, page = ?, at = ?, syntax = ?, tree = ?,
  sources = ? WHERE id = ?"""
TO_MERGE: Final = """SELECT d.entity, e.types, coalesce(e.things, 0)
  FROM dirty d LEFT JOIN entities e ON e.id = d.entity ORDER BY d.entity LIMIT ?"""
SOURCES: Final = """SELECT t.tree, t.syntax, t.reason, p.url, p.host, p.at
  FROM things t JOIN pages p ON p.id = t.page WHERE t.entity = ? ORDER BY t.rank, t.id LIMIT ?"""
SOURCES_OF_SOME: Final = """SELECT t.entity, t.tree, t.syntax, t.reason, p.url, p.host, p.at
  FROM things t JOIN pages p ON p.id = t.page WHERE t.entity IN (SELECT value FROM json_each(?))
  ORDER BY t.entity, t.rank, t.id"""
TYPES_OF_THINGS: Final = """SELECT entity, json_extract(CAST(tree AS TEXT), '$."@type"') FROM things
  ORDER BY entity, rank, id"""
ROWS_AT_ONCE: Final = 400  # of statements, in a transaction
THINGS_AT_ONCE: Final = 1_000
ENTITIES_AT_ONCE: Final = 2_000
MOST_SOURCES: Final = 100  # that are merged and listed
WAIT_MS: Final = 30_000
Progress = Callable[[int, int], None]  # done, of how many


class EntityDatabase:
    """Made with ``open_entities``. Several processes may have one open; one at a time writes."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.tables = TypeTables(connection)
        self._grouping = Grouping(connection, self.tables)
        self._seen = self._data_version()

    @classmethod
    def create(cls, connection: sqlite3.Connection) -> EntityDatabase:
        """An empty one, where nothing is."""
        connection.executescript(SCHEMA)
        return cls(connection)

    def close(self) -> None:
        self.connection.close()

    def state(self) -> tuple[Any, ...]:
        """Differs from that of any other database, and from what it was before anything has changed."""
        file = next(path for _, name, path in self.connection.execute("PRAGMA database_list") if name == "main")
        ((left,),) = self.connection.execute("SELECT count(*) FROM dirty")
        read = self.connection.execute("SELECT crawl, statements FROM progress").fetchall()
        return file, left, *read

    def page_of(self, entity: int) -> int:
        """The id of the page that describes it best."""
        sql = "SELECT page FROM things WHERE entity = ? ORDER BY rank, id LIMIT 1"
        return int(self.connection.execute(sql, (entity,)).fetchone()[0])

    def numbers_by_type(self) -> list[tuple[str, int]]:
        """How many entities each type has, the most frequent first; also of those that are not merged yet."""
        if not self.connection.execute("SELECT 1 FROM dirty LIMIT 1").fetchone():
            return [(table.iri, table.number) for table in self.tables.listed()]
        numbers: Counter[str] = Counter()
        for _, rows in groupby(self.connection.execute(TYPES_OF_THINGS), key=itemgetter(0)):
            of_things = [orjson.loads(types) for _, types in islice(rows, MOST_SOURCES) if types]
            numbers.update(merged_types(of_things))
        return sorted(islice(numbers.items(), MOST_TYPES), key=lambda each: (-each[1], each[0]))

    # -- bringing it up to date --------------------------------------------------------------------

    def update(
        self,
        reader: CrawlReader,
        *,
        seconds: float = float("inf"),
        progress: Progress | None = None,
        merge: bool = True,
    ) -> int:
        """Read what is new, for so many seconds. How many pages are left, or 1 if things are to be merged and are
        not."""
        end = monotonic() + seconds
        crawl = _crawl_of(reader)
        total = reader.pages_with_statements_since(0) if progress else 0
        done = 0
        more = True
        while more and monotonic() < end:
            with self._writing():
                last = self._last(crawl)
                rows = reader.statements_after(last, ROWS_AT_ONCE)
                rows = _whole_pages(rows, ROWS_AT_ONCE)
                more = bool(rows)
                if rows:
                    done += self._read(rows)
                    self._set_last(crawl, rows[-1].id)
            if progress and more:
                progress(min(done, total), total)
        left = reader.pages_with_statements_since(self._last(crawl) + 1)
        if not merge:
            return left
        self._merge(end, progress)
        return left or self.connection.execute("SELECT count(*) FROM (SELECT 1 FROM dirty LIMIT 1)").fetchone()[0]

    @contextmanager
    def _writing(self) -> Iterator[None]:
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            version = self._data_version()
            if version != self._seen:  # another process has written
                self.tables.reload()
                self._seen = version
            self._grouping.begin()
            yield
            self._grouping.end()
            self.tables.save()
            self.connection.execute("COMMIT")
        except BaseException:
            self.connection.execute("ROLLBACK")
            self.tables.reload()
            raise

    def _data_version(self) -> int:
        return int(self.connection.execute("PRAGMA data_version").fetchone()[0])

    def _last(self, crawl: str) -> int:
        rows = dict(self.connection.execute("SELECT crawl, statements FROM progress").fetchall())
        if rows and crawl not in rows:
            raise _OtherCrawlError
        return int(rows.get(crawl, 0))

    def _set_last(self, crawl: str, statement: int) -> None:
        self.connection.execute("REPLACE INTO progress VALUES (?, ?)", (crawl, statement))

    def _read(self, rows: list[StatementRow]) -> int:
        """Replace what these pages have said by what they say now; returns how many pages they are."""
        latest: dict[int, list[StatementRow]] = {}
        for _, group in groupby(rows, key=lambda row: (row.id // 8, row.candidate)):
            page = list(group)
            latest[page[0].candidate] = page
        self._grouping.forget_pages(latest)
        for pages in _some_at_a_time(latest):
            self._grouping.add_pages(pages)
        return len(latest)

    # -- merging -----------------------------------------------------------------------------------

    def _merge(self, end: float, progress: Progress | None) -> None:
        """Entities whose things have changed, and their rows."""
        ((total,),) = self.connection.execute("SELECT count(*) FROM dirty")
        done = 0
        while monotonic() < end:
            with self._writing():
                some = self.connection.execute(TO_MERGE, (ENTITIES_AT_ONCE,)).fetchall()
                for rows in _with_few_things(some):
                    self._merge_some(rows)
                if some:
                    self.connection.execute("DELETE FROM dirty WHERE entity <= ?", (some[-1][0],))
            done += len(some)
            if not some:
                return
            if progress:
                progress(min(done, total), total)

    def _merge_some(self, entities: list[tuple[int, bytes | None, int]]) -> None:
        """By number, with the types that they had, and how many things they have."""
        for entity, types, _ in entities:
            if types:
                self.tables.remove(orjson.loads(types), entity)
        few = orjson.dumps([entity for entity, _, things in entities if things <= MOST_SOURCES]).decode()
        found = {
            entity: [row[1:] for row in rows]
            for entity, rows in groupby(self.connection.execute(SOURCES_OF_SOME, (few,)), key=itemgetter(0))
        }
        merged_rows = []
        for entity, _, things in entities:
            sources = found.get(entity)
            if things > MOST_SOURCES:
                sources = self.connection.execute(SOURCES, (entity, MOST_SOURCES)).fetchall()
            if sources:
                merged_rows.append(self._merge_one(entity, things, sources))
            else:
                self.connection.execute("DELETE FROM entities WHERE id = ?", (entity,))
        self.connection.executemany(MERGED, merged_rows)

    def _merge_one(self, entity: int, things: int, sources: list[tuple[Any, ...]]) -> tuple[Any, ...]:
        """Puts it into the tables of its types; returns what is known of it as a whole."""
        trees = [orjson.loads(row[0]) for row in sources]
        tree = merged(trees) if len(trees) > 1 else trees[0]
        told = [_source(row, not_in(tree, each)) for row, each in zip(sources, trees, strict=True)]
        _, _, _, url, host, at = sources[0]
        syntax = ", ".join(dict.fromkeys(name for row in sources for name in row[1].split(", ")))
        types = tree.get("@type", [])
        self.tables.put(types, tree, About(entity, url, at, syntax, tree.get("@id"), host, things))
        about = orjson.dumps(types), name_of(tree), host, url, at, syntax
        return *about, orjson.dumps(tree), orjson.dumps(told), entity


def _source(row: tuple[Any, ...], other: Tree) -> dict[str, Any]:
    """A description that an entity was made of. ``other``: what it says and the entity does not."""
    _, syntax, reason, url, *_ = row
    source = {"page": url, "syntax": syntax, **({"reason": reason} if reason else {})}
    return {**source, "other": other} if other else source


class _OtherCrawlError(Exception):
    """The database was made from another crawl."""


def _whole_pages(rows: list[StatementRow], asked: int) -> list[StatementRow]:
    """Without the last page, of which there may be more; unless it is the only one."""
    if len(rows) < asked:
        return rows
    last = rows[-1].id // 8
    whole = [row for row in rows if row.id // 8 != last]
    return whole or rows


def _some_at_a_time(latest: Mapping[int, list[StatementRow]]) -> Iterator[list[tuple[Page, list[Described]]]]:
    """Pages with what they describe, as much of it as may be in memory."""
    pages: list[tuple[Page, list[Described]]] = []
    things = 0
    for candidate, rows in latest.items():
        page = Page(candidate, rows[0].url, host_of(rows[0].url), rows[0].at)
        texts = {row.syntax: row.triples for row in rows}
        found = [described(thing, page) for thing in things_of(PageStatements(page.url, texts))]
        pages.append((page, found))
        things += len(found)
        if things >= THINGS_AT_ONCE:
            yield pages
            pages, things = [], 0
    yield pages


def _with_few_things(
    entities: Iterable[tuple[int, bytes | None, int]],
) -> Iterator[list[tuple[int, bytes | None, int]]]:
    """Some at a time, with as many descriptions together as may be in memory."""
    some: list[tuple[int, bytes | None, int]] = []
    things = 0
    for each in entities:
        some.append(each)
        things += min(each[2], MOST_SOURCES)
        if things >= THINGS_AT_ONCE:
            yield some
            some, things = [], 0
    yield some


def _crawl_of(reader: CrawlReader) -> str:
    """Tells a crawl from any other: when it began, and with what."""
    rows = reader.connection.execute(
        "SELECT at, subject, (SELECT url FROM urls WHERE id = subject) FROM log WHERE event = 'decided' LIMIT 1"
    ).fetchall()
    return repr(rows)


@contextmanager
def open_entities(
    directory: Path | str,
    *,
    seconds: float = float("inf"),
    progress: Progress | None = None,
    merge: bool = True,
) -> Iterator[tuple[EntityDatabase, int]]:
    """The entities of a crawl, up to date after so many seconds of work; and how many pages are left to be read.

    Without ``merge`` it is known which things are one, but there are no tables of what is new: that is enough to
    count them, and takes three quarters of the time.

    A database that is damaged, of another version or of another crawl is made anew. Where the crawl's directory
    cannot be written to, it is made elsewhere for the time being.
    """
    directory = Path(directory)
    with open_readonly(directory) as reader, _place(directory) as path:
        for last_try in (False, True):
            try:
                database = EntityDatabase(connect(path))
            except sqlite3.DatabaseError as error:
                if last_try:
                    raise SundogError(f"{path} cannot be made: {error}") from None
                _delete(path)
                continue
            try:
                behind = database.update(reader, seconds=seconds, progress=progress, merge=merge)
            except (_OtherCrawlError, sqlite3.DatabaseError) as error:
                database.close()
                if last_try or "locked" in str(error) or "full" in str(error):
                    raise SundogError(f"{path} cannot be written: {error}") from None
                _delete(path)
                continue
            with closing(database):
                yield database, behind
            return


@contextmanager
def _place(directory: Path) -> Iterator[Path]:
    path = directory / ENTITIES
    try:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
    except sqlite3.OperationalError:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder) / ENTITIES
        return
    except sqlite3.DatabaseError:
        _delete(path)
    yield path


def connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, cached_statements=1_000, check_same_thread=False)
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version not in (0, VERSION):
        connection.close()
        raise sqlite3.DatabaseError(f"version {version}")
    connection.executescript(
        f"PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA busy_timeout = {WAIT_MS}; "
        f"PRAGMA cache_size = -100000; PRAGMA temp_store = FILE; {SCHEMA}"
    )
    return connection


def _delete(path: Path) -> None:
    for each in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        each.unlink(missing_ok=True)
