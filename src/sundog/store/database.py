"""Opening ``crawl.db``: to make it, to write it, to read it while another process writes it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from sundog.errors import SundogError
from sundog.store.schema import ADDED, APPLICATION, SCHEMA, VERSION

PRAGMAS = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -65536;
PRAGMA wal_autocheckpoint = 4000;
"""
WAIT_MS = 10_000  # for a reader that takes a snapshot while the log is moved into the database


@contextmanager
def plain_errors(path: Path) -> Iterator[None]:
    """What SQLite complains of, as one sentence."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError) and "disk" in str(error):
            raise SundogError(f"{path} cannot be written: {error}") from None
        raise SundogError(f"{path} is damaged or no database of a crawl ({error})") from None


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All of it or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextmanager
def _closed_on_error(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    try:
        yield connection
    except BaseException:
        connection.close()
        raise


def connect_new(path: Path) -> sqlite3.Connection:
    """Where a database is to be made; one that a crawl left before its first commit is as good as none."""
    with plain_errors(path), _closed_on_error(_connect(path, "rwc")) as connection:
        if not _is_empty(connection):
            raise SundogError(f"{path.parent} holds a crawl already: resume it, or choose another directory")
        return connection


def build(connection: sqlite3.Connection) -> None:
    connection.executescript(PRAGMAS)
    connection.executescript(SCHEMA)


def open_for_writing(path: Path) -> sqlite3.Connection:
    with plain_errors(path), _closed_on_error(_connect(path, "rw")) as connection:
        _check_version(connection, path)
        state = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if state != "ok":
            raise SundogError(f"{path} is damaged ({state})")
        connection.executescript(PRAGMAS)
        connection.executescript(ADDED)
        return connection


def open_for_reading(path: Path) -> sqlite3.Connection:
    """Sees the state of one commit for as long as a query runs; never blocks the writer."""
    with plain_errors(path):
        try:
            return _checked(_connect(path, "ro"), path)
        except sqlite3.OperationalError:
            if path.with_name(f"{path.name}-wal").exists():
                raise
            return _checked(_connect(path, "ro", "&immutable=1"), path)  # its directory may only be read


def _checked(connection: sqlite3.Connection, path: Path) -> sqlite3.Connection:
    with _closed_on_error(connection):
        _check_version(connection, path)
    return connection


def _connect(path: Path, mode: str, more: str = "") -> sqlite3.Connection:
    uri = f"file:{quote(str(path.absolute()))}?mode={mode}{more}"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
    connection.execute(f"PRAGMA busy_timeout = {WAIT_MS}")
    return connection


def _is_empty(connection: sqlite3.Connection) -> bool:
    return not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]


def _check_version(connection: sqlite3.Connection, path: Path) -> None:
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if _is_empty(connection):
        raise SundogError(f"{path.parent} holds no crawl: it was stopped before it began, so begin it again")
    if application != APPLICATION:
        raise SundogError(f"{path} is no database of a crawl")
    if version > VERSION:
        raise SundogError(
            f"{path} is of version {version}, made by a newer Sundog; this one knows version {VERSION}: upgrade it"
        )
