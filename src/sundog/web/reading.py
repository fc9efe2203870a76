"""Queries of ``crawl.db`` that browsers ask for: read-only, and ended when their time is over."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from sundog.store import CrawlReader, database, open_readonly
from sundog.web.directories import Home
from sundog.web.errors import BusyError, ConflictError

SECONDS = 10.0
INSTRUCTIONS = 50_000  # of SQLite between two looks at the clock


@contextmanager
def timed(connection: sqlite3.Connection, seconds: float = SECONDS) -> Iterator[None]:
    end = monotonic() + seconds
    connection.set_progress_handler(lambda: monotonic() > end, INSTRUCTIONS)
    try:
        yield
    except sqlite3.OperationalError as error:
        if "interrupted" not in str(error):
            raise
        raise BusyError(f"this takes longer than {seconds:g} seconds: ask for less") from None
    finally:
        connection.set_progress_handler(None, 0)


@contextmanager
def reading(home: Home) -> Iterator[CrawlReader]:
    with _opened(home) as reader, timed(reader.connection):
        yield reader


def _opened(home: Home) -> CrawlReader:
    """A crawl that waits for its turn, or failed before its first page, reads as one without pages."""
    if home.has_database:
        return open_readonly(home.directory)
    nothing = sqlite3.connect(":memory:")
    database.build(nothing)
    return CrawlReader(home.directory, nothing)


def check_begun(home: Home) -> None:
    """Raises ConflictError if there is nothing that a command could read."""
    if not home.has_database:
        raise ConflictError(f"{home.id} has not fetched any page yet: there is nothing to ask or to download")


def like(text: str) -> str:
    """A pattern of LIKE that finds the text anywhere.

    >>> like("50%_off")
    '%50\\\\%\\\\_off%'
    """
    for sign in "\\%_":
        text = text.replace(sign, f"\\{sign}")
    return f"%{text}%"
