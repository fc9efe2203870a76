"""Queries of ``crawl.db`` that browsers ask for: read-only, and ended when their time is over."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from sundog.store import CrawlReader, open_readonly
from sundog.web.directories import Home
from sundog.web.errors import BusyError

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
    with open_readonly(home.directory) as reader, timed(reader.connection):
        yield reader


def like(text: str) -> str:
    """A pattern of LIKE that finds the text anywhere.

    >>> like("50%_off")
    '%50\\\\%\\\\_off%'
    """
    for sign in "\\%_":
        text = text.replace(sign, f"\\{sign}")
    return f"%{text}%"
