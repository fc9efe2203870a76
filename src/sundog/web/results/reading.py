"""Reads ``crawl.db`` for browsers: read-only, ten seconds at most; an outcome as one value, and as JSON."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, NamedTuple

import orjson

from sundog.fetch.values import REDIRECT_KNOWN
from sundog.store import CrawlReader, database, open_readonly
from sundog.store.database import COUNTS
from sundog.store.events import DECISION_PARTS
from sundog.syntaxes import STORED
from sundog.web.errors import BusyError, ConflictError
from sundog.web.one_shot import ConcurrencyLimit
from sundog.web.runs.directories import CrawlDirectory

SECONDS = 10.0
INSTRUCTIONS = 50_000  # of SQLite, after which the clock is read
MOST_TYPES = 20  # of a page
LONGEST = 500  # characters of a reason
# Rows of fetched pages hold all their links, and only their heads are read so.
OUTCOMES = f"""SELECT o.step, o.candidate, u.url, l.event, l.at, o.status, coalesce(l.value, 0.0),
    CASE WHEN l.event IN ('failed', 'refused') THEN l.data ELSE '' END, d.at, d.value, d.data, o.types, o.faults,
    o.seconds, u.depth, u.parent, o.trouble, {COUNTS}
  FROM outcomes o JOIN log l ON l.step = o.step JOIN log d ON d.step = o.decided
    JOIN urls u ON u.id = o.candidate"""
NEW_OUTCOMES = f"{OUTCOMES} WHERE o.step > ? ORDER BY o.step LIMIT ?"
VERSION_BEFORE = f"""{OUTCOMES} WHERE o.candidate = ? AND o.step < ? AND l.event IN ('fetched', 'revisited')
  ORDER BY o.step DESC LIMIT 1"""
read_limit = ConcurrencyLimit(24, "answers")  # threads are forty, and serve all else, too


@contextmanager
def reading(crawl: CrawlDirectory) -> Iterator[CrawlReader]:
    with read_limit.slot(), _opened(crawl) as reader, timed(reader.connection):
        yield reader


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


def _opened(crawl: CrawlDirectory) -> CrawlReader:
    """A crawl that waits for its turn, or failed before its first page, reads as one without pages."""
    if crawl.has_database:
        return open_readonly(crawl.path)
    nothing = sqlite3.connect(":memory:")
    database.build(nothing)
    return CrawlReader(crawl.path, nothing)


def check_begun(crawl: CrawlDirectory) -> None:
    """Raises ConflictError if there is nothing that a command could read."""
    if not crawl.has_database:
        raise ConflictError(f"{crawl.id} has not fetched any page yet: there is nothing to ask or to download")


def kind_of(event: str | None, trouble: str | None) -> str:
    """How it went with a page. A redirect to a page that was asked already is logged as a failure, because
    it brought nothing; nothing went wrong all the same.

    >>> kind_of("fetched", None), kind_of("failed", "dns"), kind_of("failed", "redirect-known")
    ('fetched', 'failed', 'redirect')
    >>> kind_of(None, None)
    'frontier'
    """
    return "redirect" if event == "failed" and trouble == REDIRECT_KNOWN else event or "frontier"


class Outcome(NamedTuple):
    step: int
    candidate: int
    url: str
    event: str
    at: float
    status: int | None
    reward: float
    reason: str
    decided_at: float
    score: float | None
    parts: str
    types: str | None
    faults: str | None
    seconds: float | None
    depth: int
    parent: int | None
    trouble: str | None
    counts: tuple[int, ...]

    @property
    def kind(self) -> str:
        return kind_of(self.event, self.trouble)

    @property
    def type_names(self) -> list[str]:
        return list(orjson.loads(self.types)) if self.types else []

    def as_json(self) -> dict[str, Any]:
        """The page as the API describes it."""
        return {
            "page": self.candidate,
            "url": self.url,
            "kind": self.kind,
            "at": self.at,
            "status": self.status,
            "reward": self.reward,
            "reason": str(self.reason or "")[:LONGEST],
            "score": self.score,
            "parts": dict(zip(DECISION_PARTS, orjson.loads(self.parts or "[]"), strict=False)),
            "types": self.type_names[:MOST_TYPES],
            "statements": sum(self.counts),
            "seconds": self.seconds,
            "depth": self.depth,
            "parent": self.parent,
        }


def outcome_of(row: tuple[Any, ...]) -> Outcome:
    return Outcome._make((*row[: -len(STORED)], row[-len(STORED) :]))


def version_before(reader: CrawlReader, outcome: Outcome) -> Outcome | None:
    """What a page said before it was visited again; None if this is its first version."""
    if outcome.event != "revisited":
        return None
    row = reader.connection.execute(VERSION_BEFORE, (outcome.candidate, outcome.step)).fetchone()
    return outcome_of(row) if row else None


def outcomes_since(reader: CrawlReader, step: int, most: int) -> Iterator[Outcome]:
    return map(outcome_of, reader.connection.execute(NEW_OUTCOMES, (step, most)))
