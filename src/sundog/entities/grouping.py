"""Which things are one entity: what pages say is added to groups of things, and taken from them again.

All of it is done in a transaction of ``database.py``, which is told afterwards which entities were touched.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import orjson

from sundog.entities.groups import Groups
from sundog.entities.same import BY_URL, Key, Profile, keys_of, may_be_same, plain_url, profile_of
from sundog.entities.tables import TypeTables
from sundog.entities.things import Thing

MOST_REGROUPED: Final = 200  # things: a larger group stays together when one of its pages changes
OWN_PAGE: Final = 1_000_000  # of ranks: above any number of values
_SURE: Final = frozenset({"same @id", "same URL", "same identifier"})


class Page(NamedTuple):
    id: int
    url: str
    host: str
    at: float


class Described(NamedTuple):
    """A thing of a page, with what it is compared by."""

    thing: Thing
    profile: Profile
    keys: list[Key]


class Grouping:
    """Of one transaction after the other: ``begin``, changes, ``end``."""

    def __init__(self, connection: sqlite3.Connection, tables: TypeTables) -> None:
        self.connection = connection
        self.tables = tables
        self._dirty: set[int] = set()  # entities that this transaction has touched
        self._groups = Groups(connection)  # of this transaction
        self._last_thing = 0

    def begin(self) -> None:
        self._dirty.clear()
        self._groups.forget()
        ((last,),) = self.connection.execute("SELECT max(id) FROM things")
        self._last_thing = last or 0

    def end(self) -> None:
        """Whoever merges finds in ``dirty`` what was touched."""
        dirty = [(entity,) for entity in sorted(self._dirty)]
        self.connection.executemany("INSERT OR IGNORE INTO dirty VALUES (?)", dirty)

    def add_pages(self, pages: list[tuple[Page, list[Described]]]) -> None:
        self.connection.executemany("REPLACE INTO pages VALUES (?, ?, ?, ?)", [page for page, _ in pages])
        self._groups.look_up([key.hash for _, things in pages for each in things for key in each.keys])
        for page, things in pages:
            for each in things:
                self._last_thing += 1
                self._add_thing(each, page, self._last_thing)
        self._groups.write()

    def _add_thing(self, new: Described, page: Page, number: int) -> None:
        """Into the entity that it is the same as, or into one of its own."""
        thing, profile, keys = new
        groups = self._groups
        hashes = [key.hash for key in keys]
        groups.look_up(hashes)
        entity, reason = None, ""
        for key in keys:
            for other in groups.holders(key):
                if other == entity:
                    continue
                group = groups.profile(other)
                if not may_be_same(key.reason, profile, group):
                    continue
                if entity is None:
                    entity, reason = other, key.reason
                    profile.add(group)
                elif key.reason != BY_URL or may_be_same(key.reason, groups.profile(entity), group):
                    entity = self._join(entity, other)
                    profile.add(group)
                    groups.look_up(hashes)
                if key.reason not in _SURE:
                    break
            if entity is not None and key.reason not in _SURE:
                break
        entity = number if entity is None else entity
        own = plain_url(page.url) in (plain_url(thing.id), profile.url) or (thing.alone and not profile.url)
        rank = -(OWN_PAGE * own + _size(thing.tree))
        about = thing.alone, thing.nested, ", ".join(thing.syntaxes), reason, orjson.dumps(thing.tree)
        groups.add(entity, profile, keys, (number, page.id, entity, rank, *about))
        self._dirty.add(entity)

    def _join(self, one: int, other: int) -> int:
        """Two entities that a thing shows to be one; the smaller goes into the larger."""
        self._groups.write()
        sql = "SELECT id, things FROM entities WHERE id IN (?, ?) ORDER BY things DESC, id"
        (kept, _), (gone, number) = self.connection.execute(sql, (one, other)).fetchall()
        self._remove_rows(gone)
        self.connection.execute("UPDATE things SET entity = ? WHERE entity = ?", (kept, gone))
        self.connection.execute("UPDATE OR IGNORE keys SET entity = ? WHERE entity = ?", (kept, gone))
        self.connection.execute("DELETE FROM keys WHERE entity = ?", (gone,))
        self.connection.execute("UPDATE entities SET things = things + ? WHERE id = ?", (number, kept))
        self.connection.execute("DELETE FROM entities WHERE id = ?", (gone,))
        self._make_clean(gone)
        self._dirty.add(int(kept))
        return int(kept)

    # -- pages that were fetched again -------------------------------------------------------------

    def forget_pages(self, candidates: Iterable[int]) -> None:
        """What these pages said. Entities that lose a thing are put together anew from the others."""
        pages = (orjson.dumps([*candidates]).decode(),)
        sql = "SELECT DISTINCT entity FROM things WHERE page IN (SELECT value FROM json_each(?)) ORDER BY entity"
        touched = self.connection.execute(sql, pages).fetchall()
        if touched:
            self.connection.execute("DELETE FROM things WHERE page IN (SELECT value FROM json_each(?))", pages)
        for (entity,) in touched:
            self._regroup(entity)
        self._groups.write()

    def _regroup(self, entity: int) -> None:
        self._groups.write()
        self._remove_rows(entity)
        ((left,),) = self.connection.execute("SELECT count(*) FROM things WHERE entity = ?", (entity,))
        if left > MOST_REGROUPED:
            self.connection.execute("UPDATE entities SET things = ? WHERE id = ?", (left, entity))
            self._dirty.add(entity)
            return
        sql = """SELECT t.id, t.page, p.url, p.host, p.at, t.alone, t.nested, t.syntax, t.tree
          FROM things t JOIN pages p ON p.id = t.page WHERE t.entity = ? ORDER BY t.id"""
        rows = self.connection.execute(sql, (entity,)).fetchall()
        self.connection.execute("DELETE FROM things WHERE entity = ?", (entity,))
        self.connection.execute("DELETE FROM keys WHERE entity = ?", (entity,))
        self.connection.execute("DELETE FROM entities WHERE id = ?", (entity,))
        self._make_clean(entity)
        for number, *page, alone, nested, syntax, text in rows:
            tree = orjson.loads(text)
            syntaxes = syntax.split(", ")
            thing = Thing(tree, tree.get("@type", []), tree.get("@id", ""), syntaxes, bool(nested), bool(alone))
            self._add_thing(described(thing, Page(*page)), Page(*page), number)

    def _make_clean(self, entity: int) -> None:
        """There is no such entity any more."""
        self._dirty.discard(entity)
        self.connection.execute("DELETE FROM dirty WHERE entity = ?", (entity,))

    def _remove_rows(self, entity: int) -> None:
        """In the tables of its types."""
        row = self.connection.execute("SELECT types FROM entities WHERE id = ?", (entity,)).fetchone()
        if row and row[0]:
            self.tables.remove(orjson.loads(row[0]), entity)
            self.connection.execute("UPDATE entities SET types = NULL WHERE id = ?", (entity,))


def described(thing: Thing, page: Page) -> Described:
    profile = profile_of(thing, page.url)
    return Described(thing, profile, keys_of(thing, profile, page.url, page.host))


def _size(tree: Any) -> int:
    """How many values it has."""
    if isinstance(tree, dict):
        return sum(map(_size, tree.values()))
    return sum(map(_size, tree)) if isinstance(tree, list) else 1
