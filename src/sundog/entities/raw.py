"""Descriptions as pages give them, unmerged: the same tables, with a row for each."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import orjson

from sundog.entities.database import EntityDatabase, connect
from sundog.entities.tables import About, iterate
from sundog.entities.things import name_of
from sundog.store.directory import ENTITIES

THINGS = """SELECT t.id, t.tree, t.syntax, p.url, p.host, p.at FROM things t JOIN pages p ON p.id = t.page
  ORDER BY t.id"""
INSERT = """INSERT INTO entities(id, profile, things, types, name, host, page, at, syntax, tree, sources)
  VALUES (?, '', 1, ?, ?, ?, ?, ?, ?, ?, ?)"""


@contextmanager
def raw_entities(database: EntityDatabase) -> Iterator[EntityDatabase]:
    """A database for the time being, in which everything that a page describes is an entity of its own."""
    with tempfile.TemporaryDirectory() as folder, closing(connect(Path(folder) / ENTITIES)) as connection:
        raw = EntityDatabase(connection)
        connection.execute("BEGIN")
        for rows in iterate(database.connection.execute(THINGS)):
            for row in rows:
                _insert(connection, raw, row)
        raw.tables.save()
        connection.execute("COMMIT")
        yield raw


def _insert(
    connection: sqlite3.Connection, raw: EntityDatabase, row: tuple[int, str, str, str, str, float]
) -> None:
    number, text, syntax, url, host, at = row
    tree = orjson.loads(text)
    types = tree.get("@type", [])
    sources = orjson.dumps([{"page": url, "syntax": syntax}])
    connection.execute(INSERT, (number, orjson.dumps(types), name_of(tree), host, url, at, syntax, text, sources))
    raw.tables.put(types, tree, About(number, url, at, syntax, tree.get("@id", ""), host, 1))
