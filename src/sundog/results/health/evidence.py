"""What the rounds of a crawl have seen of known pages, as plain values read from its store."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import orjson

from sundog.rdf.namespaces import RDF_TYPE
from sundog.store import CrawlReader
from sundog.syntaxes import STORED
from sundog.urls.hosts import host_of

ROUNDS = """SELECT r.round, r.step, coalesce((SELECT min(n.step) FROM rounds n WHERE n.step > r.step),
    (SELECT max(step) + 1 FROM log)) FROM rounds r ORDER BY r.step"""
VISITS = """SELECT v.step, v.candidate, u.url, v.result, v.status, coalesce(v.reason, ''), s.signs,
    EXISTS (SELECT 1 FROM outcomes o JOIN log l ON l.step = o.step WHERE o.candidate = v.candidate
      AND o.step < v.step AND l.event IN ('fetched', 'revisited')),
    (SELECT p.result = 'failed' FROM revisits p WHERE p.candidate = v.candidate AND p.step < v.step
      AND p.result <> 'refused' ORDER BY p.step DESC LIMIT 1)
  FROM revisits v JOIN urls u ON u.id = v.candidate LEFT JOIN signs s ON s.step = v.step
  WHERE v.step > ? AND v.step < ? ORDER BY v.step"""
FIRST_TRIES = """SELECT l.subject, u.url, l.event, o.status, CASE l.event WHEN 'failed' THEN l.data ELSE '' END
  FROM log l JOIN outcomes o ON o.step = l.step JOIN urls u ON u.id = l.subject
  WHERE l.step > ? AND l.step < ? AND l.event IN ('fetched', 'failed') ORDER BY l.step"""
VERSIONS = f"""SELECT o.step, o.types, {", ".join(f"o.{name}" for name in STORED)} FROM outcomes o
  JOIN log l ON l.step = o.step WHERE o.candidate = ? AND o.step <= ? AND l.event IN ('fetched', 'revisited')
  ORDER BY o.step DESC LIMIT 2"""
FIRST_LINK = """SELECT t.text FROM outcomes o JOIN log l ON l.step = o.step
  JOIN texts t ON t.id = json_extract(l.data, '$[0][2]')
  WHERE o.candidate = ? AND l.event = 'fetched' ORDER BY o.step LIMIT 1"""
ROBOTS = """SELECT origin, trouble FROM robots_files
  WHERE trouble IS NOT NULL AND step >= ? AND step < ? ORDER BY step, rowid"""
MATCHES = "SELECT pattern FROM found_matches WHERE step = ? AND found > 0 AND kind <> 'stop'"
STATEMENT = re.compile(r"^(\S+) <([^>]*)> (?:<([^>]*)>)?", re.MULTILINE)
LISTS = "SELECT parent FROM urls WHERE parent IS NOT NULL GROUP BY parent HAVING count(*) >= 3"
MISSING = (404, 410)
NUMBER = re.compile(r"\d+")
STATUS = re.compile(r"\bstatus (\d{3})\b")


class Version(NamedTuple):
    """What a version of a page said: ``types`` are IRIs."""

    types: frozenset[str]
    properties: frozenset[str]  # IRI, and that of the type whose things have it
    syntaxes: frozenset[str]
    patterns: frozenset[str]

    def lost(self, later: Version) -> Version:
        return Version(*(mine - theirs for mine, theirs in zip(self, later, strict=True)))


class Visit(NamedTuple):
    """A page was visited. ``before`` and ``after`` are there if it was known, and says something else now."""

    candidate: int
    url: str
    result: str
    status: int | None
    reason: str
    signs: dict[str, Any]
    before: Version | None = None
    after: Version | None = None
    lost_sitemap: bool = False  # it was one, and is gone or nearly empty
    is_list: bool = False  # it was the first to link to some pages
    was_there: bool = True  # it had come before; of others only the server's answer can be judged
    had_failed: bool = False  # when it was asked for last

    @property
    def trouble(self) -> str:
        """The kind of it, as fetches have it."""
        return self.reason.partition(":")[0]

    @property
    def came(self) -> bool:
        return self.result in ("unchanged", "changed")

    @property
    def led_to(self) -> str:
        """Where the page is now, if that is elsewhere."""
        if self.trouble == "redirect-known":
            return self.reason.partition(": ")[2]
        return str(self.signs.get("moved", ""))

    @property
    def lost(self) -> Version | None:
        return self.before.lost(self.after) if self.before and self.after else None


class Round(NamedTuple):
    """Visits by host; ``robots`` are those of robots.txt where it could not be had."""

    number: int
    visits: dict[str, list[Visit]]
    robots: dict[str, list[Visit]]


def template_of(url: str) -> str:
    """The kind of page that a URL is of, in words that people can read.

    >>> template_of("http://a.example/shop/item-17.html?id=3&sort=up"), template_of("http://a.example/tag/tea/3/")
    ('/shop/*.html?id&sort', '/tag/*/#/')
    """
    rest = url.partition("://")[2].partition("#")[0]
    path, _, query = rest.partition("?")
    *directories, name = path.split("/")[1:] or [""]
    stem, dot, ending = name.rpartition(".") if "." in name[1:] else (name, "", "")
    shown = [_shown(part, is_first=not place) for place, part in enumerate(directories)]
    own = "" if not stem else "#" if NUMBER.fullmatch(stem) else "*"
    names = sorted({part.partition("=")[0] for part in query.split("&") if part})
    return (
        "/"
        + "/".join([*shown, own])
        + (f"{dot}{ending}" if own else "")
        + ("?" if names else "")
        + "&".join(names)
    )


def _shown(part: str, *, is_first: bool) -> str:
    """A directory by its kind; the first one by its name, unless it is that of one thing, such as a user."""
    if NUMBER.fullmatch(part) or not part:
        return part and "#"
    is_own = len(part) > 15 or part.count("-") + part.count("_") >= 2 or any(map(str.isdigit, part))
    return part if is_first and not is_own else "*"


def rounds_seen(reader: CrawlReader) -> Iterator[Round]:
    """The rounds after the first crawl, in their order."""
    lists = {page for (page,) in reader.connection.execute(LISTS)}
    for number, first, end in reader.connection.execute(ROUNDS).fetchall():
        visits = [*_visits(reader, first, end, lists), *_first_tries(reader, first, end)]
        yield Round(number, _by_host(visits), _by_host(_robots(reader, first, end)))


def _by_host(visits: Iterable[Visit]) -> dict[str, list[Visit]]:
    found: dict[str, list[Visit]] = defaultdict(list)
    for visit in visits:
        found[host_of(visit.url)].append(visit)
    return dict(found)


def _robots(reader: CrawlReader, first: int, end: int) -> Iterator[Visit]:
    for origin, trouble in reader.connection.execute(ROBOTS, (first, end)):
        status = STATUS.search(trouble)
        yield Visit(-1, f"{origin}/robots.txt", "failed", int(status[1]) if status else None, trouble, {})


def _visits(reader: CrawlReader, first: int, end: int, lists: set[int]) -> Iterator[Visit]:
    visits = reader.connection.execute(VISITS, (first, end))
    for step, candidate, url, result, status, reason, signs, was_there, had_failed in visits:
        before = after = None
        if result == "changed":
            rows = reader.connection.execute(VERSIONS, (candidate, step)).fetchall()
            if len(rows) == 2 and rows[0][0] == step:
                after, before = (_version(reader, *row) for row in rows)
        found = orjson.loads(signs) if signs else {}
        lost_sitemap = "entries" in found or (status in MISSING and _is_sitemap(reader, candidate))
        is_list = candidate in lists
        lately = not was_there if had_failed is None else bool(had_failed)
        yield Visit(
            candidate, url, result, status, reason, found, before, after, lost_sitemap, is_list, bool(was_there),
            lately,
        )  # fmt: skip


def _first_tries(reader: CrawlReader, first: int, end: int) -> Iterator[Visit]:
    """Of pages that are new in this round."""
    for candidate, url, event, status, reason in reader.connection.execute(FIRST_TRIES, (first, end)):
        result = "failed" if event == "failed" else "unchanged"
        yield Visit(candidate, url, result, status, reason or "", {}, was_there=False)


def _is_sitemap(reader: CrawlReader, candidate: int) -> bool:
    """As it was read when it came first."""
    row = reader.connection.execute(FIRST_LINK, (candidate,)).fetchone()
    return row is not None and str(row[0]).startswith("sitemap")


def _properties(triples: str) -> Iterator[str]:
    """Each with the type of the thing that has it: an author has a name, too."""
    found = STATEMENT.findall(triples)
    types = {thing: kind for thing, name, kind in found if name == RDF_TYPE}
    for thing, name, _ in found:
        if name != RDF_TYPE:
            yield f"{name} {types.get(thing, '')}".rstrip()


def _version(reader: CrawlReader, step: int, types: str | None, *counts: int) -> Version:
    texts = dict(reader.statements_of(step, step))
    properties = {name for text in texts.values() for name in _properties(text)}
    matches = {name for (name,) in reader.connection.execute(MATCHES, (step,))}
    syntaxes = {name for name, count in zip(STORED, counts, strict=True) if count}
    return Version(*map(frozenset, (orjson.loads(types or "[]"), properties, syntaxes, matches)))
