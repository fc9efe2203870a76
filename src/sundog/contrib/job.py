"""A crawl's requests and outcomes in a file, so that it can go on after it was stopped or killed.

A request is written, with what tells it from others, when its crawler hands it over; commits are in that order. So
whatever was turned down because it was known is in the file: a page that is done never counts on another one that
is not. After a kill every request of the file is done or waits; those that were in flight wait. Nothing else is
needed: a session learns the outcomes again.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import weakref
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from sundog.errors import SundogError
from sundog.model import Failed, Fetched, Link, Outcome, Refused

VERSION = 2
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


class Job:
    """Closed when nobody holds it any more: crawlee does not tell its request managers that it has ended."""

    def __init__(self, path: Path) -> None:
        lock = _locked(path)
        try:
            # Whichever thread collects garbage may be the one that closes it; nobody else uses it then.
            self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self.close = weakref.finalize(self, _close, self._connection, lock)
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

    def commit(self) -> None:
        self._connection.execute("COMMIT")
        self._connection.execute("BEGIN")

    # -- what is written -----------------------------------------------------------------------------

    def keep(self, request: WaitingRequest, seen: Iterable[bytes] = ()) -> None:
        """``seen``: what tells it from others."""
        self._connection.execute("INSERT OR REPLACE INTO requests VALUES (?, ?, ?, ?)", request)
        self._connection.executemany("INSERT OR IGNORE INTO seen VALUES (?)", [(each,) for each in seen])

    def finish(self, name: str, outcome: Outcome, others: Iterable[str] = ()) -> None:
        """The request is done, and others with it, such as those that it was redirected to."""
        kind, value = type(outcome).__name__.lower(), orjson.dumps(_plain(outcome))
        self._connection.execute("INSERT INTO outcomes (name, kind, value) VALUES (?, ?, ?)", (name, kind, value))
        done = [(each,) for each in (name, *others)]
        self._connection.executemany("UPDATE requests SET data = NULL WHERE name = ?", done)
        self.commit()

    # -- what is read --------------------------------------------------------------------------------

    def data(self, name: str) -> bytes | None:
        """None if it is done, or was never kept."""
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


def _close(connection: sqlite3.Connection, lock: int) -> None:
    if connection.in_transaction:
        connection.execute("COMMIT")
    connection.close()
    os.close(lock)


def _locked(path: Path) -> int:
    """Against other processes; SQLite would forget its own locks if another handle of its file were closed."""
    try:
        handle = os.open(path.with_name(f"{path.name}-lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise SundogError(f"{path} cannot be used: {error.strerror}") from None
    try:
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        os.close(handle)
        raise SundogError(f"{path} is in use by another process; wait for its end, or take another one") from None
    return handle


def _plain(outcome: Outcome) -> list[Any]:
    if isinstance(outcome, Fetched):
        return [outcome.reward, [[link.url, link.anchor, link.tag_path] for link in outcome.links]]
    return [outcome.reason]


def _outcome(kind: str, values: list[Any]) -> Outcome:
    if kind == "fetched":
        reward, links = values
        return Fetched(reward, [Link(*parts) for parts in links])
    return Failed(*values) if kind == "failed" else Refused(*values)
