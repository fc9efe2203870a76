"""Which pages of a crawl a list has: by kind, address, host, type, trouble, syntax, fault, or when they came.

Every filter is a condition of SQLite with its values. In it o are outcomes, u their URLs and l their events.
"""

from __future__ import annotations

from collections.abc import Iterator
from string import printable
from typing import Annotated, Any, Literal
from urllib.parse import quote

import orjson
from pydantic import BaseModel, Field

from sundog.entities.filters import like
from sundog.errors import nearest
from sundog.fetch.values import REDIRECT_KNOWN
from sundog.rdf.namespaces import PREFIXES, shortened, type_name
from sundog.report.crawl.findings import without_numbers
from sundog.store import CrawlReader
from sundog.syntaxes import STORED
from sundog.web.errors import NotFoundError

Kind = Literal["all", "relevant", "other", "failed", "redirect", "refused"]
# Rows of the log are large; its partial indexes say the same without them.
RELEVANT = "(SELECT step FROM log WHERE event = 'fetched' AND value > 0)"
FAILED, REFUSED = (f"(SELECT step FROM log WHERE event = '{event}')" for event in ("failed", "refused"))
KINDS: dict[Kind, str] = {
    "all": f"o.step NOT IN {REFUSED}",
    "relevant": f"o.step IN {RELEVANT}",
    "other": f"o.step NOT IN {RELEVANT} AND o.step NOT IN {FAILED} AND o.step NOT IN {REFUSED}",
    "failed": f"o.step IN {FAILED} AND o.trouble IS NOT '{REDIRECT_KNOWN}'",
    "redirect": f"o.step IN {FAILED} AND o.trouble IS '{REDIRECT_KNOWN}'",
    "refused": f"o.step IN {REFUSED}",
}
KIND_TITLES: dict[Kind, str] = {kind: kind.capitalize() for kind in KINDS}
# As ``FoundCounters`` of web/watch names them. Refusals of old crawls have reasons only.
TROUBLE = """coalesce(o.trouble, CASE l.event WHEN 'failed' THEN 'other'
  WHEN 'refused' THEN substr(l.data, 1, instr(l.data || ':', ':') - 1) END)"""
FAULT = """EXISTS (SELECT 1 FROM json_each(o.faults) each
  WHERE fault_name(json_extract(each.value, '$[0]'), json_extract(each.value, '$[1]')) = ?)"""
NTH = f"SELECT o.step FROM outcomes o WHERE {KINDS['all']} ORDER BY o.step LIMIT 1 OFFSET ?"
WITH_EVENTS = "FROM outcomes o JOIN log l ON l.step = o.step"
# The most frequent first; among these the nearest to a name is looked for.
KNOWN_TYPES = "SELECT value FROM outcomes, json_each(types) GROUP BY value ORDER BY count(*) DESC LIMIT 200"
KNOWN_TROUBLES = f"""SELECT {TROUBLE} {WITH_EVENTS} WHERE l.event <> 'fetched'
  GROUP BY 1 ORDER BY count(*) DESC LIMIT 200"""
NAMED = 10  # if none is near
LONGEST = 200  # characters of a name
Text = Annotated[str, Field(max_length=500)]
Number = Annotated[int, Field(ge=1, le=10**9)]
Clause = tuple[str, list[Any]]  # a condition, and the values of its question marks


class PageFilters(BaseModel):
    """``first`` and ``last`` number the pages in the order in which they came, as the curve counts them."""

    kind: Kind = "all"
    search: Text = ""
    host: Text = ""
    type: Annotated[str, Field(max_length=2_000)] = ""
    trouble: Text = ""
    syntax: Literal["", *STORED] = ""  # type: ignore[valid-type]
    fault: Text = ""
    first: Number | None = None
    last: Number | None = None

    def clauses(self, reader: CrawlReader) -> Iterator[Clause]:
        yield KINDS[self.kind], []
        if self.search:  # people see letters where URLs have escapes
            yield "u.url LIKE ? ESCAPE '\\'", [like(quote(self.search, safe=printable))]
        if self.host:
            yield "substr(u.url, instr(u.url, '://') + 3) LIKE ? ESCAPE '\\'", [like(f"{self.host}/")[1:]]
        if self.type:
            yield _type_clause(self.type)
        if self.trouble:
            yield _trouble_clause(self.trouble)
        if self.syntax:
            yield f"o.{self.syntax} > 0", []
        if self.fault:
            reader.connection.create_function("fault_name", 2, fault_name, deterministic=True)
            yield FAULT, [self.fault]
        if self.first:
            yield "o.step >= ?", [_nth_step(reader, self.first)]
        if self.last:
            yield "o.step <= ?", [_nth_step(reader, self.last)]

    def check_names(self, reader: CrawlReader) -> None:
        """For a list that came out empty: raises NotFoundError if no page at all has the type or the trouble."""
        if self.type:
            _check(reader, f"type '{self.type[:LONGEST]}'", self.type, _type_clause(self.type), KNOWN_TYPES)
        if self.trouble:
            _check(
                reader, f"trouble '{self.trouble}'", self.trouble, _trouble_clause(self.trouble), KNOWN_TROUBLES
            )


def _type_clause(name: str) -> Clause:
    ends = type_ends(name)
    return "(" + " OR ".join("instr(o.types, ?)" for _ in ends) + ")", ends


def _trouble_clause(name: str) -> Clause:
    return f"{TROUBLE} = ?", [name]


def type_ends(name: str) -> list[str]:
    """What stands in the stored list of a page's types if one of them is meant: an IRI, a short name, or its end.

    >>> type_ends("https://schema.org/Recipe"), type_ends("schema:Recipe")
    (['"http://schema.org/Recipe"'], ['"http://schema.org/Recipe"'])
    >>> type_ends("Recipe")
    ['"Recipe"', '/Recipe"', '#Recipe"']
    """
    prefix, sign, rest = name.partition(":")
    whole = orjson.dumps(type_name(PREFIXES[prefix] + rest if sign and prefix in PREFIXES else name)).decode()
    return [whole] if sign else [whole, f"/{whole[1:]}", f"#{whole[1:]}"]


def fault_name(syntax: str, reason: str) -> str:
    """Faults that differ in lines and columns only are the same.

    >>> fault_name("jsonld", "block 2: not JSON: line 1 column 5")
    'jsonld: block #: not JSON: line # column #'
    """
    return without_numbers(f"{syntax}: {reason}")[:LONGEST]


def _nth_step(reader: CrawlReader, number: int) -> int:
    """Of the page with this number; beyond the last page, a step after all others."""
    row = reader.connection.execute(NTH, (number - 1,)).fetchone()
    return int(row[0]) if row else 2**62


def _check(reader: CrawlReader, what: str, name: str, clause: Clause, known: str) -> None:
    condition, values = clause
    if reader.connection.execute(f"SELECT 1 {WITH_EVENTS} WHERE {condition} LIMIT 1", values).fetchone():
        return
    names = [shortened(each)[:LONGEST] for (each,) in reader.connection.execute(known)]
    if names:
        hint = nearest(name[:LONGEST], names) or f"; there are {', '.join(names[:NAMED])}"
        raise NotFoundError(f"no page has the {what}{hint}")
