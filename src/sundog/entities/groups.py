"""The groups that a transaction adds things to: looked up together, kept here meanwhile, and written together.

Whoever changes entities or keys in SQL writes what is here before, and forgets it afterwards.
"""

from __future__ import annotations

import sqlite3
from bisect import insort
from collections.abc import Iterable
from typing import Any, Final

import orjson

from sundog.entities.same import Key, Profile

MOST_BY_KEY: Final = 20  # entities: more that share a key and are not the same make it worthless
# A list as one value: however long it is, the statement is the same.
HOLDERS: Final = """SELECT hash, entity FROM keys WHERE hash IN (SELECT value FROM json_each(?))
  ORDER BY hash, entity"""
PROFILES: Final = "SELECT id, profile FROM entities WHERE id IN (SELECT value FROM json_each(?))"
NEW_THING: Final = "INSERT INTO things VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
NEW_ENTITY: Final = "INSERT INTO entities(profile, things, id) VALUES (?, ?, ?)"
LARGER_ENTITY: Final = "UPDATE entities SET profile = ?, things = things + ? WHERE id = ?"


class Groups:
    """By a key's hash the entities that have it, in their order; and what is known of each."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._holders: dict[int, list[int]] = {}
        self._profiles: dict[int, Profile] = {}
        self._things: list[tuple[Any, ...]] = []  # rows that are not written yet, as all of these
        self._keys: list[tuple[int, int]] = []
        self._added: dict[int, int] = {}  # by entity, how many things
        self._new: set[int] = set()

    def look_up(self, hashes: Iterable[int]) -> None:
        """Who has these keys, and what is known of them, for all things that come next."""
        unknown = {each for each in hashes if each not in self._holders}
        if not unknown:
            return
        self._holders.update((each, []) for each in unknown)
        for number, entity in self._connection.execute(HOLDERS, (orjson.dumps([*unknown]).decode(),)):
            self._holders[number].append(entity)
        entities = {entity for each in unknown for entity in self._holders[each]} - self._profiles.keys()
        for entity, data in self._connection.execute(PROFILES, (orjson.dumps([*entities]).decode(),)):
            self._profiles[entity] = Profile.load(data)

    def holders(self, key: Key) -> list[int]:
        return self._holders[key.hash][:MOST_BY_KEY]

    def profile(self, entity: int) -> Profile:
        return self._profiles[entity]

    def add(self, entity: int, profile: Profile, keys: Iterable[Key], thing: tuple[Any, ...]) -> None:
        """A thing, and what is known of its entity now, which is new if it has the thing's number."""
        if entity == thing[0]:
            self._new.add(entity)
        self._profiles[entity] = profile
        self._added[entity] = self._added.get(entity, 0) + 1
        self._things.append(thing)
        for key in keys:
            holders = self._holders[key.hash]
            if entity not in holders and len(holders) < MOST_BY_KEY:
                insort(holders, entity)
                self._keys.append((key.hash, entity))

    def write(self) -> None:
        """In this transaction; and forget, for others may change it now."""
        dumped = [(self._profiles[entity].dump(), number, entity) for entity, number in self._added.items()]
        many = self._connection.executemany
        many(NEW_ENTITY, [row for row in dumped if row[2] in self._new])
        many(LARGER_ENTITY, [row for row in dumped if row[2] not in self._new])
        many("INSERT INTO keys VALUES (?, ?)", self._keys)
        many(NEW_THING, self._things)
        self.forget()

    def forget(self) -> None:
        for each in (self._holders, self._profiles, self._things, self._keys, self._added, self._new):
            each.clear()
