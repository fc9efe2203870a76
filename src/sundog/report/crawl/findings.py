"""What was found and what went wrong: syntaxes, types, patterns, failures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from sundog.entities.database import open_entities
from sundog.model import NOT_KEPT
from sundog.rdf.namespaces import shortened, type_name
from sundog.report.crawl.fetches import Fetches, percentiles
from sundog.report.document import Column, cut_text, html_table, section_heading, short_number
from sundog.store import CrawlReader
from sundog.syntaxes import STORED

SHOWN = 20
KIND = "coalesce(o.trouble, substr(l.data, 1, instr(l.data || ':', ':') - 1), '')"
OUTCOMES = f"""SELECT {KIND}, count(*), min(l.data) FROM outcomes o JOIN log l ON l.step = o.step
  WHERE l.event = ? GROUP BY 1 ORDER BY 2 DESC"""
STATUS = "SELECT coalesce(status, 'none'), count(*) FROM pages GROUP BY status ORDER BY 2 DESC"
TYPES = "SELECT type, count(*) FROM types GROUP BY type"
TO_MAKE_ENTITIES = 30.0  # seconds; a report of a huge crawl tells of those that are made
FAULTS = f"""SELECT without_numbers(syntax || ': ' || reason), count(*) FROM faults WHERE syntax <> '{NOT_KEPT}'
  GROUP BY 1 ORDER BY 2 DESC, 1"""
UNKEPT = f"SELECT reason, count(*) FROM faults WHERE syntax = '{NOT_KEPT}' GROUP BY 1 ORDER BY 2 DESC"
PER_SYNTAX = ", ".join(f"coalesce(sum({name}), 0), coalesce(sum({name} > 0), 0)" for name in STORED)
PATTERN_COLUMNS = (
    Column("pattern"),
    Column("found", "items of a data pattern, links of a link pattern"),
    Column("pages", "where it matched"),
    Column("faults", "pages where it failed, or found a value of the wrong type"),
    Column("for example", is_text=True),
)
LONGEST_EXAMPLE = 200  # characters of an example


class Count(NamedTuple):
    """``second`` is another number, or an example."""

    name: str
    number: int
    second: str = ""


class Counts(NamedTuple):
    """The most frequent of each kind, and how many kinds there are besides."""

    shown: list[Count]
    others: int = 0
    in_others: int = 0
    behind: int = 0  # pages that are not counted yet

    @property
    def total(self) -> int:
        return sum(count.number for count in self.shown) + self.in_others


def types(reader: CrawlReader) -> Counts:
    """Entities of each, and on how many pages there are some; and for how many pages they are not made yet."""
    pages = dict(reader.connection.execute(TYPES).fetchall())
    with open_entities(reader.directory, seconds=TO_MAKE_ENTITIES, merge=False) as (database, behind):
        rows = [
            Count(iri, number, f"{pages.get(type_name(iri), 0):,}") for iri, number in database.numbers_by_type()
        ]
    left = rows[SHOWN:]
    return Counts(rows[:SHOWN], len(left), sum(row.number for row in left), behind)


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
        for name, statements, pages in zip(STORED, found[::2], found[1::2], strict=True)
        if statements
    ]
    return Counts(sorted(rows, key=lambda row: -row.number))


def _counts(reader: CrawlReader, query: str, *values: str) -> Counts:
    """However many kinds hostile pages think of, a few are kept in memory."""
    rows = reader.connection.execute(query, values)
    shown = [Count(str(name), count, *map(str, second)) for name, count, *second in rows.fetchmany(SHOWN)]
    others = in_others = 0
    for _, count, *_ in rows:
        others, in_others = others + 1, in_others + count
    return Counts(shown, others, in_others)


class Found(NamedTuple):
    """All of it."""

    types: Counts
    syntaxes: Counts
    troubles: Counts
    refusals: Counts
    faults: Counts
    not_kept: Counts
    statuses: Counts
    seconds: dict[str, float]

    @classmethod
    def of(cls, reader: CrawlReader, fetches: Fetches) -> Found:
        return cls(
            types(reader),
            syntaxes(reader),
            troubles(reader),
            refusals(reader),
            faults(reader),
            not_kept(reader),
            statuses(reader),
            percentiles(fetches),
        )


def found_section(found: Found) -> str:
    """Two columns of small tables; what did not occur has none."""
    cards = [
        _card("Types", _types_caption(found.types), found.types, "entities", second="pages", short=True),
        _card(
            "Syntaxes", "Statements, and the pages that have some.", found.syntaxes, "statements", second="pages"
        ),
        _seconds(found.seconds),
        _card("Answers", "Pages by HTTP status.", found.statuses, "pages"),
        _card("Troubles", "Fetches that brought no page.", found.troubles, "pages", second="for example"),
        _card(
            "Refusals",
            "Chosen, and then not asked for: they cost nothing.",
            found.refusals,
            "pages",
            second="for example",
        ),
        _card("Not kept", "Pages that came and of which nothing was kept.", found.not_kept, "pages"),
        _card(
            "Faults",
            "What could not be read, by syntax; the rest of the page is not touched by it.",
            found.faults,
            "pages",
        ),
    ]
    body = "\n".join(card for card in cards if card)
    return f'<section class="cards">\n{body}\n</section>' if body else ""


def _types_caption(types: Counts) -> str:
    behind = f" {types.behind:,} pages are not counted yet." if types.behind else ""
    return f"Entities, each once, and the pages that have some.{behind}"


def _card(title: str, caption: str, counts: Counts, what: str, *, second: str = "", short: bool = False) -> str:
    if not counts.shown:
        return ""
    is_example = second == "for example"
    columns = [Column(title.lower()), Column(what), *([Column(second, is_text=is_example)] if second else [])]
    most = max(count.number for count in counts.shown)
    rows = [_row(count, most, second=second, short=short) for count in counts.shown]
    if counts.others:
        rows.append(
            [f"<small>{counts.others:,} others</small>", f"{counts.in_others:,}", *([""] if second else [])]
        )
    return f'<div class="card">\n{section_heading(title, caption)}\n{html_table(columns, rows)}\n</div>'


def _row(count: Count, most: int, *, second: str, short: bool) -> list[str]:
    name = shortened(count.name) if short else count.name
    bar = f'<b class="bar" style="width: {100 * count.number / most:.1f}%"></b>'
    return [
        cut_text(name, count.name) + bar,
        f"{count.number:,}",
        *([cut_text(count.second, count.second)] if second else []),
    ]


def _seconds(seconds: dict[str, float]) -> str:
    if not seconds:
        return ""
    rows = [[escape(name), f"{short_number(value)} s"] for name, value in seconds.items()]
    table = html_table([Column("percentile"), Column("seconds a page")], rows)
    heading = section_heading(
        "Seconds a page", "From a request to the last byte of the answer, over the whole crawl."
    )
    return f'<div class="card">\n{heading}\n{table}\n</div>'


class PatternLine(NamedTuple):
    name: str
    found: int
    pages: int
    faults: int
    example: str


def patterns_of(reader: CrawlReader, names: Sequence[str]) -> list[PatternLine]:
    """Also of those that never matched."""
    if not names or not reader.knows_patterns:
        return []
    counts = reader.match_counts(names)
    return [
        PatternLine(name, each["found"], each["pages"], each["faults"], str(each.get("fault", "")))
        for name, each in counts.items()
    ]


def patterns_section(lines: list[PatternLine]) -> str:
    if not lines:
        return ""
    rows = [
        [
            escape(line.name),
            f"{line.found:,}" if line.pages else "<strong>never matched</strong>",
            f"{line.pages:,}",
            f"{line.faults:,}",
            escape(line.example[:LONGEST_EXAMPLE]),
        ]
        for line in lines
    ]
    caption = "What was found, and on how many pages."
    return f"<section>\n<h2>Patterns</h2>\n<p>{caption}</p>\n{html_table(PATTERN_COLUMNS, rows)}\n</section>"
