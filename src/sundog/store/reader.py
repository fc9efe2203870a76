"""Reading a crawl: its strings, its log, its states; also while another process writes it."""

from __future__ import annotations

import itertools
import sqlite3
import tomllib
from collections.abc import Iterable, Iterator
from operator import itemgetter
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import orjson

from sundog.errors import SundogError, unreadable
from sundog.model import INDEX_FAULT, INTERNAL, PATTERN_FAULT, LinkBatch
from sundog.store import database
from sundog.store.directory import DATABASE, SPEC, SUMMARY, check_crawl
from sundog.store.events import (
    Decided,
    Event,
    NearMiss,
    Observed,
    RenderChoice,
    Revisiting,
    Triple,
    events_of,
    unpacked_ids,
    unpacked_links,
)
from sundog.store.rendered import ActionLine, actions_of
from sundog.store.shards import LOG_ID
from sundog.store.statements import STEP, ids_of_steps, split_triples
from sundog.syntaxes import STORED
from sundog.texts import iso_time

# Names of states, and what they say:
INDEXED = "indexed"  # up to which step ``statements/`` is complete
REQUESTS = "requests"  # how many were made, if the world counts them
WARC_LENGTH = "warc"  # how much of the WARC file is committed
GRAPH_NAMES = "graphs"  # what graphs are named by
SPENT = "spent"  # seconds, bytes, retries
DEATHS = "deaths"  # by URL: how often the crawl's process died with the page in hand
OUTCOMES = "('near', 'rendered', 'fetched', 'failed', 'refused')"
BEFORE_ALL = -(1 << 62)  # a repair puts steps before the first one
EVENTS = """SELECT event, subject, at, CASE event WHEN 'failed' THEN
  (SELECT duplicate_of FROM outcomes o WHERE o.step = log.step) ELSE value END, data FROM log"""
NOT_ENDED = """ WHERE event IN ('decided', 'revisiting') AND step NOT IN (SELECT decided FROM outcomes
  UNION ALL SELECT decided FROM revisits UNION ALL SELECT value FROM log
  WHERE event IN ('given back', 'looked')) ORDER BY step"""
TOTALS = """SELECT event, count(*), sum(value), sum(value > 0) FROM log
  WHERE event IN ('fetched', 'failed', 'refused', 'looked') GROUP BY event"""
# As ``PageRecord.is_internal``; in JSON, a quote within a string has a backslash before it.
IS_INTERNAL = f"""(trouble IS '{INTERNAL}' OR ifnull(instr(faults, '["{INTERNAL}",'), 0) > 0)"""
COUNT_INTERNAL = f"SELECT count(*) FROM outcomes WHERE {IS_INTERNAL}"
COUNT_DUPLICATES = "SELECT count(*) FROM outcomes WHERE duplicate_of IS NOT NULL AND trouble IS NULL"
STATEMENTS_AND_HOSTS = f"SELECT coalesce(sum({' + '.join(STORED)}), 0), count(DISTINCT host) FROM pages"
REWARDED = f"""SELECT o.step, coalesce(o.final_url, u.url), o.types, {database.COUNTS}, s.syntax, s.triples
  FROM {database.STATEMENTS} JOIN log l ON l.step = o.step
  WHERE l.value > 0 AND {database.LATEST} ORDER BY s.id"""
NEW_STATEMENTS = f"""SELECT s.id, o.candidate, u.url, l.at, s.syntax, s.triples
  FROM {database.STATEMENTS} JOIN log l ON l.step = o.step WHERE s.id > ? ORDER BY s.id LIMIT ?"""
LINKS_OF = f"""SELECT o.candidate, l.data FROM outcomes o JOIN log l ON l.step = o.step
  WHERE l.event IN ('fetched', 'revisited') AND o.candidate IN {database.CHOSEN} AND {database.LATEST}"""
MATCHES = f"""SELECT o.candidate, m.pattern, m.kind, m.found, m.targets FROM found_matches m
  JOIN outcomes o ON o.step = m.step WHERE {database.LATEST} ORDER BY m.rowid"""
PATTERN_FAULTS = f"""SELECT substr(syntax, {len(PATTERN_FAULT) + 1}), count(*), min(reason) FROM faults
  WHERE syntax LIKE '{PATTERN_FAULT}%' GROUP BY syntax"""
FETCHES = "SELECT count(*) FROM log WHERE event IN ('fetched', 'failed')"
VISITS = "SELECT count(*) FROM revisits WHERE result <> 'refused'"
BUDGETED = "SELECT value FROM log WHERE event = 'budgeted' ORDER BY step DESC LIMIT 1"
MATCH_COUNTS = f"""SELECT m.pattern, count(*), sum(m.found) FROM found_matches m
  JOIN outcomes o ON o.step = m.step WHERE {database.LATEST} GROUP BY m.pattern ORDER BY min(m.rowid)"""
ANSWERS = f"""SELECT a.answer FROM answers a LEFT JOIN outcomes o ON o.step = a.step
  WHERE {database.LATEST} ORDER BY a.id"""
MOST_COUNTED = 1_000_000  # pages
SEEDED = "SELECT step, data FROM log WHERE event = 'seeded' ORDER BY step"
REDIRECTED = "SELECT url FROM hops UNION ALL SELECT final_url FROM outcomes WHERE final_url IS NOT NULL"


class Match(NamedTuple):
    """A pattern matched on a page. ``kind`` is data, link or stop; ``targets`` are those of its links."""

    page: int
    pattern: str
    kind: str
    found: int
    targets: list[int]


class Item(NamedTuple):
    """What a data pattern found: ``page`` is the id of the page, ``item`` has the fields."""

    id: int
    page: int
    url: str
    pattern: str
    at: float
    item: dict[str, Any]

    def about(self) -> dict[str, Any]:
        """Where it was found, as exports say it."""
        return {"page": self.url, "fetched_at": iso_time(self.at), "pattern": self.pattern, "node_id": self.page}


class KeptPage(NamedTuple):
    """A page's statements as they were kept: blank nodes have other labels than on the page."""

    url: str
    counts: dict[str, int]
    types: list[str]
    statements: dict[str, list[Triple]]


class StatementRow(NamedTuple):
    """The statements of a page in one syntax, as of one fetch."""

    id: int
    candidate: int
    url: str
    at: float
    syntax: str
    triples: str


class CrawlReader:
    """What is committed of a crawl. Make one with ``open_readonly``; it changes nothing."""

    def __init__(self, directory: Path, connection: sqlite3.Connection) -> None:
        self.directory = directory
        self.connection = connection
        self.as_of: int | None = None  # the step after which it is shown; None: as it is now
        self._path = directory / DATABASE

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self.connection.close()

    @property
    def spec_text(self) -> str:
        path = self.directory / SPEC
        try:
            return path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise unreadable(path, error) from None

    @property
    def spec_table(self) -> dict[str, Any]:
        """The spec as TOML has it; empty if it cannot be read: whoever changed it by hand still has the data."""
        try:
            return tomllib.loads(self.spec_text)
        except (SundogError, ValueError, RecursionError):
            return {}

    @property
    def summary(self) -> dict[str, Any]:
        """As last written; empty if it never was."""
        try:
            found: dict[str, Any] = orjson.loads((self.directory / SUMMARY).read_bytes())
        except (OSError, ValueError):
            return {}
        return found

    # -- strings, in the order of their ids: what a catalog is filled with ---------------------------

    def urls(self, at_once: int = 10_000, *, first: int = 0) -> Iterator[list[str]]:
        return self._strings(f"SELECT url FROM urls WHERE id >= {first} ORDER BY id", at_once)

    def texts(self, at_once: int = 10_000, *, first: int = 0) -> Iterator[list[str]]:
        return self._strings(f"SELECT text FROM texts WHERE id >= {first} ORDER BY id", at_once)

    @property
    def strings(self) -> tuple[int, int]:
        """How many URLs and how many texts it has."""
        return self._count("SELECT count(*) FROM urls"), self._count("SELECT count(*) FROM texts")

    def url(self, candidate: int) -> str:
        row = self.connection.execute("SELECT url FROM urls WHERE id = ?", (candidate,)).fetchone()
        if row is None:
            raise SundogError(f"{self.directory} knows no candidate {candidate}")
        return str(row[0])

    def candidate(self, url: str) -> int | None:
        """The id of a URL, by looking at all of them: meant for people who ask about one."""
        row = self.connection.execute("SELECT id FROM urls WHERE url = ?", (url,)).fetchone()
        return None if row is None else int(row[0])

    def redirected_to(self, *urls: str) -> int | None:
        """The candidate from which redirects led to the first of these URLs that they led to at all."""
        for url in urls:
            row = self.connection.execute("SELECT candidate FROM outcomes WHERE final_url = ?", (url,)).fetchone()
            if row is not None:
                return int(row[0])
        return None

    def urls_of(self, candidates: Iterable[int]) -> dict[int, str]:
        """The URLs of those that are known, by their ids."""
        query = f"SELECT id, url FROM urls WHERE id IN {database.CHOSEN}"
        return dict(self.connection.execute(query, (database.as_ids(candidates),)).fetchall())

    def texts_of(self, ids: Iterable[int]) -> dict[int, str]:
        """Anchor texts and tag paths by their ids; -1, as of a link without one, has none."""
        query = f"SELECT id, text FROM texts WHERE id IN {database.CHOSEN}"
        return dict(self.connection.execute(query, (database.as_ids(ids),)).fetchall())

    def _strings(self, query: str, at_once: int) -> Iterator[list[str]]:
        with database.plain_errors(self._path):
            rows = self.connection.execute(query)
            while some := rows.fetchmany(at_once):
                yield [text for (text,) in some]

    # -- the log -------------------------------------------------------------------------------------

    def replay(self, *, after: int = BEFORE_ALL, plain_choices: bool = True) -> Iterator[Event]:
        """Every committed event after a step, in its order, without the records of pages.

        ``plain_choices``: with those of not rendering a page, one for each page; they cost a crawl nothing.
        """
        wanted = "" if plain_choices else " AND NOT (event = 'rendered' AND value = 0)"
        query = f"{EVENTS} WHERE step > ?{wanted} ORDER BY step"
        with database.plain_errors(self._path):
            yield from events_of(self.connection.execute(query, (after,)))

    def replay_outcomes(self, *, through: int, with_links: bool) -> Iterator[NearMiss | RenderChoice | Observed]:
        """Of the events up to a step only those that say what became of a page."""
        events = EVENTS if with_links else EVENTS.replace(" data ", " iif(event = 'fetched', '[]', data) ")
        query = f"{events} WHERE step <= ? AND event IN {OUTCOMES} ORDER BY step"
        with database.plain_errors(self._path):
            for event in events_of(self.connection.execute(query, (through,))):
                assert isinstance(event, NearMiss | RenderChoice | Observed)
                yield event

    def step_as_logged(self, step: int) -> tuple[Any, ...] | None:
        """By which a log is known from another; None if it has no such step."""
        query = "SELECT event, subject, at, value, length(data) FROM log WHERE step = ?"
        row: tuple[Any, ...] | None = self.connection.execute(query, (step,)).fetchone()
        return row

    def in_flight(self) -> list[Decided | Revisiting]:
        """What was decided and neither observed nor given back, in the order of the decisions."""
        with database.plain_errors(self._path):
            rows = events_of(self.connection.execute(EVENTS + NOT_ENDED))
            return [event for event in rows if isinstance(event, Decided | Revisiting)]

    def seeds(self) -> Iterator[tuple[int, Any]]:
        """Candidates that were offered as seeds, with the step at which they were: a sitemap's come later."""
        with database.plain_errors(self._path):
            for step, data in self.connection.execute(SEEDED):
                yield step, unpacked_ids(data)

    def asked_elsewhere(self) -> Iterator[str]:
        """URLs that another shard has asked, when their hosts were its own."""
        return itertools.chain.from_iterable(self._strings("SELECT url FROM asked_elsewhere", 10_000))

    def handed_over(self) -> Iterator[Any]:
        """Candidates whose URLs were handed over to other shards, as arrays."""
        with database.plain_errors(self._path):
            for (links,) in self.connection.execute("SELECT links FROM foreign_links ORDER BY step"):
                yield unpacked_links(links).targets

    def links_of(self, candidates: Iterable[int]) -> dict[int, LinkBatch]:
        """The links of those pages that came, as of the last time."""
        with database.plain_errors(self._path):
            rows = self.connection.execute(LINKS_OF, (database.as_ids(candidates),))
            return {candidate: unpacked_links(data) for candidate, data in rows}

    @property
    def is_shard(self) -> bool:
        """Whether it has been one of several."""
        return self.state(LOG_ID) is not None

    @property
    def steps(self) -> int:
        """How many events are committed."""
        return self._count("SELECT coalesce(max(step), 0) FROM log")

    def totals(self) -> dict[str, float]:
        """What the log adds up to. As in a session, fetches that failed are among those made."""
        with database.plain_errors(self._path):
            rows = self.connection.execute(TOTALS).fetchall()
            statements, hosts = self.connection.execute(STATEMENTS_AND_HOSTS).fetchone()
        made = {event: (count, reward, relevant) for event, count, reward, relevant in rows}
        fetched, reward, relevant = made.get("fetched", (0, 0.0, 0))
        failed, refused = made.get("failed", (0,))[0], made.get("refused", (0,))[0]
        head_requests = made.get("looked", (0,))[0]
        return {
            "fetched": fetched + failed,
            "relevant": relevant,
            "reward": reward,
            "refused": refused,
            "failed": failed,
            "internal": self.internal,
            "duplicates": self.duplicates,
            "statements": statements,
            "hosts": hosts,
            **({"looked_at": head_requests} if head_requests else {}),
        }

    def render_actions(self) -> list[ActionLine]:
        """Pages, time and data by action; empty if the crawl renders nothing."""
        with database.plain_errors(self._path):
            return actions_of(self.connection)

    @property
    def internal(self) -> int:
        """Pages on which Sundog itself failed, whatever became of them."""
        return self._count(COUNT_INTERNAL)

    @property
    def duplicates(self) -> int:
        """Pages of which nothing was kept, because another had brought the same."""
        return self._count(COUNT_DUPLICATES)

    @property
    def indexed(self) -> int:
        """The step up to which ``statements/`` is known to be complete."""
        return int(self.state(INDEXED, 0))

    @property
    def pages_to_index(self) -> int:
        """Pages whose statements are in ``crawl.db`` but may not be in ``statements/`` yet."""
        return self.pages_with_statements_since(ids_of_steps(self.indexed + 1, self.indexed + 1)[0])

    @property
    def pages_not_indexed(self) -> int:
        """Pages whose statements the index has refused."""
        return self._count(f"SELECT count(DISTINCT page) FROM faults WHERE syntax = '{INDEX_FAULT}'")

    def pages_with_statements_since(self, statement: int) -> int:
        """How many pages have statements of this id or a later one; no more than so many are counted."""
        pages = f"SELECT DISTINCT {STEP} FROM statements s WHERE s.id >= {statement:d} LIMIT {MOST_COUNTED}"
        return self._count(f"SELECT count(*) FROM ({pages})")

    @property
    def documents_are_graphs(self) -> bool:
        """Whether a graph has the URL to which redirects led, rather than the one that was chosen."""
        return bool(self.state(GRAPH_NAMES) == "documents")

    @property
    def graph_column(self) -> str:
        """The name of a page's graph in SQL, where ``o`` are outcomes and ``u`` URLs."""
        return "coalesce(o.final_url, u.url)" if self.documents_are_graphs else "u.url"

    def _count(self, query: str) -> int:
        with database.plain_errors(self._path):
            return int(self.connection.execute(query).fetchone()[0])

    def redirected_urls(self) -> Iterator[str]:
        """What was asked because a redirect led there."""
        with database.plain_errors(self._path):
            for (url,) in self.connection.execute(REDIRECTED):
                yield url

    def statements_of(self, first: int, last: int) -> Iterator[tuple[str, str]]:
        """Syntax and N-Triples of the pages that came at these steps, both included."""
        query = "SELECT syntax, triples FROM statements WHERE id BETWEEN ? AND ? ORDER BY id"
        with database.plain_errors(self._path):
            yield from self.connection.execute(query, ids_of_steps(first, last))

    def statements_after(self, statement: int, most: int) -> list[StatementRow]:
        """At most so many rows behind this one, in their order: for those who read on as a crawl grows."""
        with database.plain_errors(self._path):
            return [*map(StatementRow._make, self.connection.execute(NEW_STATEMENTS, (statement, most)))]

    def rewarded_pages(self) -> Iterator[KeptPage]:
        """The pages that earned something and have statements, in the order in which they came."""
        with database.plain_errors(self._path):
            rows = self.connection.execute(REWARDED)
            for _, group in itertools.groupby(rows, key=itemgetter(0)):
                found = list(group)
                _, url, types, *counts = found[0][:-2]
                statements = {syntax: split_triples(triples) for *_, syntax, triples in found}
                yield KeptPage(
                    url, dict(zip(STORED, counts, strict=True)), orjson.loads(types or "[]"), statements
                )

    def answers(self) -> Iterator[Any]:
        """What the objective's answer consists of, in the order in which it was found."""
        with database.plain_errors(self._path):
            for (answer,) in self.connection.execute(ANSWERS):
                yield orjson.loads(answer)

    # -- what patterns found ---------------------------------------------------------------------------

    @property
    def knows_patterns(self) -> bool:
        """Crawls of earlier versions have no tables for what patterns find."""
        return bool(self._count("SELECT count(*) FROM sqlite_master WHERE name = 'found_items'"))

    def matches(self) -> Iterator[Match]:
        """In the order in which they were found."""
        with database.plain_errors(self._path):
            for candidate, pattern, kind, found, targets in self.connection.execute(MATCHES):
                yield Match(candidate, pattern, kind, found, orjson.loads(targets) if targets else [])

    def items(self) -> Iterator[Item]:
        """In the order in which they were found."""
        with database.plain_errors(self._path):
            for number, page, url, pattern, at, item in self.connection.execute("SELECT * FROM items ORDER BY id"):
                yield Item(number, page, url, pattern, at, orjson.loads(item))

    def match_counts(self, names: Iterable[str]) -> dict[str, dict[str, Any]]:
        """By pattern: on how many pages it matched, how much it found there, and what went wrong how often."""
        with database.plain_errors(self._path):
            rows = self.connection.execute(MATCH_COUNTS).fetchall()
            wrong = self.connection.execute(PATTERN_FAULTS).fetchall()
        counts: dict[str, dict[str, Any]] = {name: {"pages": 0, "found": 0, "faults": 0} for name in names}
        for name, pages, found in rows:
            counts.setdefault(name, {"faults": 0}).update(pages=pages, found=found)
        for name, faults, reason in wrong:
            counts.setdefault(name, {"pages": 0, "found": 0}).update(faults=faults, fault=reason)
        return counts

    # -- states --------------------------------------------------------------------------------------

    def state(self, name: str, default: Any = None) -> Any:
        with database.plain_errors(self._path):
            row = self.connection.execute("SELECT value FROM states WHERE name = ?", (name,)).fetchone()
        return default if row is None else orjson.loads(row[0])

    @property
    def fetches(self) -> int:
        """Pages that were fetched or failed."""
        with database.plain_errors(self._path):
            return int(self.connection.execute(FETCHES).fetchone()[0])

    @property
    def visits(self) -> int:
        """Of pages that were known, in rounds."""
        return self._count(VISITS)

    @property
    def last_budget(self) -> int | None:
        """The one that it was given last; None if it has that of its spec."""
        with database.plain_errors(self._path):
            row = self.connection.execute(BUDGETED).fetchone()
        return None if row is None else int(row[0])

    def host_states(self) -> dict[str, Any]:
        with database.plain_errors(self._path):
            rows = self.connection.execute("SELECT host, state FROM host_states")
            return {host: orjson.loads(state) for host, state in rows}

    def seen_content(self, key: bytes) -> int | None:
        """The candidate that first had this content or name."""
        row = self.connection.execute("SELECT candidate FROM contents WHERE hash = ?", (key,)).fetchone()
        return None if row is None else int(row[0])


def open_readonly(directory: Path | str) -> CrawlReader:
    """Read a crawl, finished or running."""
    directory = Path(directory)
    check_crawl(directory, write=False)
    return CrawlReader(directory, database.open_for_reading(directory / DATABASE))


def open_as_of(directory: Path | str, step: int) -> CrawlReader:
    """Read a crawl as it was after a step of its log."""
    reader = open_readonly(directory)
    with database.plain_errors(reader.directory / DATABASE):
        database.show_as_of(reader.connection, step)
    reader.as_of = step
    return reader
