"""A crawl's requests and outcomes in a file, so that it can go on after it was stopped or killed.

What a page brought and the requests that it led to are written when it is done, and committed together. So after a
kill every request is either done or waits; those that were in flight wait, and what they led to is not known yet.
Nothing else is needed: a session learns the outcomes again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from sundog.errors import SundogError
from sundog.model import Failed, Fetched, Link, Outcome, Refused

VERSION = 1
SCHEMA = f"""
CREATE TABLE requests (name TEXT PRIMARY KEY, data BLOB, priority INTEGER NOT NULL, insisted INTEGER NOT NULL);
CREATE TABLE seen (fingerprint BLOB PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE outcomes (step INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, value BLOB NOT NULL);
PRAGMA user_version = {VERSION};
"""


class WaitingRequest(NamedTuple):
    """``data`` is whatever its crawler makes of a request; ``insisted``: whether it goes before the policy's."""

    name: str
    data: bytes
    priority: int
    insisted: bool


class Kept(NamedTuple):
    request: WaitingRequest
    seen: tuple[bytes, ...]


class Job:
    def __init__(self, path: Path) -> None:
        self._unwritten: dict[str, dict[str, Kept]] = {}  # by the page that has led to them, which is not done
        self._page_of: dict[str, str] = {}  # of these
        try:
            self._connection = sqlite3.connect(path, isolation_level=None)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")  # a kill loses nothing
            (version,) = self._connection.execute("PRAGMA user_version").fetchone()
            if version == 0:
                self._connection.executescript(f"BEGIN; {SCHEMA} COMMIT;")
            elif version != VERSION:
                raise SundogError(f"{path} is of another version of Sundog; begin with an empty directory")
            self._connection.execute("BEGIN")
        except sqlite3.DatabaseError as error:
            raise SundogError(f"{path} cannot be used: {error}; begin with an empty directory") from None

    def close(self) -> None:
        self._connection.execute("COMMIT")
        self._connection.close()

    def commit(self) -> None:
        self._connection.execute("COMMIT")
        self._connection.execute("BEGIN")

    # -- what is written -----------------------------------------------------------------------------

    def keep(self, request: WaitingRequest, seen: Iterable[bytes] = (), *, page: str | None = None) -> None:
        """With ``seen``, which tells it from others. ``page``: the name of the request that has led to it, if that
        is not done: after a kill it is made again, and leads to this one again."""
        kept = Kept(request, tuple(seen))
        if page is None:
            self._write(kept)
        else:
            self._unwritten.setdefault(page, {})[request.name] = kept
            self._page_of[request.name] = page

    def finish(self, name: str, outcome: Outcome, seen: Iterable[bytes] = ()) -> None:
        """The request is done, with all that it has led to. ``seen``: of others that it stood for."""
        for kept in self._unwritten.pop(name, {}).values():
            del self._page_of[kept.request.name]
            self._write(kept)
        if (page := self._page_of.pop(name, None)) is not None:  # done before the page that has led to it
            self._write(self._unwritten[page].pop(name))
        self._see(seen)
        kind, value = type(outcome).__name__.lower(), orjson.dumps(_plain(outcome))
        self._connection.execute("INSERT INTO outcomes (name, kind, value) VALUES (?, ?, ?)", (name, kind, value))
        self._connection.execute("UPDATE requests SET data = NULL WHERE name = ?", (name,))
        self.commit()

    def _write(self, kept: Kept) -> None:
        self._connection.execute("INSERT OR REPLACE INTO requests VALUES (?, ?, ?, ?)", kept.request)
        self._see(kept.seen)

    def _see(self, fingerprints: Iterable[bytes]) -> None:
        self._connection.executemany("INSERT OR IGNORE INTO seen VALUES (?)", [(each,) for each in fingerprints])

    # -- what is read --------------------------------------------------------------------------------

    def data(self, name: str) -> bytes | None:
        """None if it is done, or was never kept."""
        if (page := self._page_of.get(name)) is not None:
            return self._unwritten[page][name].request.data
        row = self._connection.execute("SELECT data FROM requests WHERE name = ?", (name,)).fetchone()
        return row[0] if row else None

    def seen(self) -> Iterator[bytes]:
        return (fingerprint for (fingerprint,) in self._connection.execute("SELECT fingerprint FROM seen"))

    def waiting(self) -> Iterator[WaitingRequest]:
        """In the order in which they came."""
        rows = self._connection.execute("SELECT * FROM requests WHERE data IS NOT NULL ORDER BY rowid")
        return (WaitingRequest(name, data, priority, bool(first)) for name, data, priority, first in rows)

    def outcomes(self) -> Iterator[tuple[str, Outcome]]:
        for name, kind, value in self._connection.execute("SELECT name, kind, value FROM outcomes ORDER BY step"):
            yield name, _outcome(kind, orjson.loads(value))


def _plain(outcome: Outcome) -> list[Any]:
    if isinstance(outcome, Fetched):
        return [outcome.reward, [[link.url, link.anchor, link.tag_path] for link in outcome.links]]
    return [outcome.reason]


def _outcome(kind: str, values: list[Any]) -> Outcome:
    if kind == "fetched":
        reward, links = values
        return Fetched(reward, [Link(*parts) for parts in links])
    return Failed(*values) if kind == "failed" else Refused(*values)
