"""What was found and what went wrong, counted by the database."""

from __future__ import annotations

import re
from typing import NamedTuple

from sundog.store import SYNTAXES, CrawlReader

SHOWN = 20
NOT_KEPT = "kept"  # under this name the reasons stand why nothing of a page was kept
KIND = "coalesce(o.trouble, substr(l.data, 1, instr(l.data || ':', ':') - 1), '')"
OUTCOMES = f"""SELECT {KIND}, count(*), min(l.data) FROM outcomes o JOIN log l ON l.step = o.step
  WHERE l.event = ? GROUP BY 1 ORDER BY 2 DESC"""
STATUS = "SELECT coalesce(status, 'none'), count(*) FROM pages GROUP BY status ORDER BY 2 DESC"
TYPES = "SELECT type, count(*) FROM types GROUP BY type ORDER BY 2 DESC, 1"
FAULTS = f"""SELECT without_numbers(syntax || ': ' || reason), count(*) FROM faults WHERE syntax <> '{NOT_KEPT}'
  GROUP BY 1 ORDER BY 2 DESC, 1"""
UNKEPT = f"SELECT reason, count(*) FROM faults WHERE syntax = '{NOT_KEPT}' GROUP BY 1 ORDER BY 2 DESC"
PER_SYNTAX = ", ".join(f"coalesce(sum({name}), 0), coalesce(sum({name} > 0), 0)" for name in SYNTAXES)


class Count(NamedTuple):
    """``also`` is another number, or an example."""

    name: str
    number: int
    also: str = ""


class Counts(NamedTuple):
    """The most frequent of each kind, and how many kinds there are besides."""

    shown: list[Count]
    others: int = 0
    in_others: int = 0

    @property
    def total(self) -> int:
        return sum(count.number for count in self.shown) + self.in_others


def types(reader: CrawlReader) -> Counts:
    return _counts(reader, TYPES)


def faults(reader: CrawlReader) -> Counts:
    """Those that differ in lines and columns only are the same."""
    reader.connection.create_function("without_numbers", 1, without_numbers, deterministic=True)
    return _counts(reader, FAULTS)


def without_numbers(reason: str) -> str:
    """
    >>> without_numbers("jsonld: block 12: not JSON: line 3")
    'jsonld: block #: not JSON: line #'
    """
    return re.sub(r"\d+", "#", reason)


def not_kept(reader: CrawlReader) -> Counts:
    return _counts(reader, UNKEPT)


def statuses(reader: CrawlReader) -> Counts:
    return _counts(reader, STATUS)


def troubles(reader: CrawlReader) -> Counts:
    """By kind, each with an example."""
    return _counts(reader, OUTCOMES, "failed")


def refusals(reader: CrawlReader) -> Counts:
    return _counts(reader, OUTCOMES, "refused")


def syntaxes(reader: CrawlReader) -> Counts:
    """Statements of each, and on how many pages."""
    found = reader.connection.execute(f"SELECT {PER_SYNTAX} FROM pages").fetchone()
    rows = [
        Count(name, statements, f"{pages:,}")
        for name, statements, pages in zip(SYNTAXES, found[::2], found[1::2], strict=True)
        if statements
    ]
    return Counts(sorted(rows, key=lambda row: -row.number))


def _counts(reader: CrawlReader, query: str, *values: str) -> Counts:
    """However many kinds hostile pages think of, a few are kept in memory."""
    rows = reader.connection.execute(query, values)
    shown = [Count(str(name), count, *map(str, also)) for name, count, *also in rows.fetchmany(SHOWN)]
    others = in_others = 0
    for _, count, *_ in rows:
        others, in_others = others + 1, in_others + count
    return Counts(shown, others, in_others)
