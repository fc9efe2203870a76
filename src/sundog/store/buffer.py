"""The rows of one transaction, until they are written."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import orjson

from sundog.model import INDEX_FAULT
from sundog.store.database import OUTCOME_COLUMNS
from sundog.store.events import (
    ForeignLinks,
    LogRow,
    Observed,
    PageRecord,
    PatternFindings,
    Revisited,
    Triple,
    clean,
    packed_links,
)
from sundog.store.index import Refused
from sundog.store.statements import ntriples, statement_id
from sundog.syntaxes import STORED

NO_RECORD = PageRecord()
# By name: in a crawl that was begun before there was a syntax, its column is the last one.
INSERT_OUTCOME = (
    f"INSERT INTO outcomes({', '.join(OUTCOME_COLUMNS)}) VALUES ({', '.join('?' * len(OUTCOME_COLUMNS))})"
)


# A list says the same of most pages as before: those rows stay as they are.
INSERT_HINT = """INSERT INTO hints VALUES (?1, ?2, ?3) ON CONFLICT(candidate) DO UPDATE SET listing = ?2, at = ?3
  WHERE at <> ?3"""
INSERT_OWN_HINTS = """INSERT INTO own_hints VALUES (?1, ?2, ?3, ?4) ON CONFLICT(candidate) DO UPDATE
  SET fresh_for = ?2, last_modified = ?3, date_modified = ?4
  WHERE fresh_for IS NOT ?2 OR last_modified IS NOT ?3 OR date_modified IS NOT ?4"""
ADD_INDEX_FAULT = f"""UPDATE outcomes
  SET faults = json_insert(coalesce(faults, '[]'), '$[#]', json_array('{INDEX_FAULT}', ?)) WHERE step = ?"""


class Buffer:
    """Nothing of it is anywhere else yet; ``write`` needs a transaction to be open."""

    def __init__(self) -> None:
        self.urls: list[tuple[int, str, int | None, int]] = []
        self.texts: list[tuple[int, str]] = []
        self.log: list[tuple[Any, ...]] = []
        self.outcomes: list[tuple[Any, ...]] = []
        self.hops: list[tuple[int, str]] = []
        self.statements: list[tuple[int, str, str]] = []
        self.answers: list[tuple[None, int, str]] = []
        self.items: list[tuple[None, int, str, str]] = []
        self.matches: list[tuple[int, str, str, int, str | None]] = []
        self.revisits: list[tuple[Any, ...]] = []
        self.validators: list[tuple[int, str, str, bytes]] = []
        self.foreign: list[tuple[int, str, str]] = []
        self.signs: list[tuple[int, str, int]] = []
        self.hints: list[tuple[int, int, float]] = []
        self.own_hints: list[tuple[Any, ...]] = []
        self.robots: list[tuple[int, str, str | None, str | None]] = []
        self.contents: dict[bytes, int] = {}
        self.host_states: dict[str, str] = {}
        self.states: dict[str, str] = {}
        self.index_faults: list[tuple[str, int]] = []

    @property
    def is_empty(self) -> bool:
        return not (self.log or self.states or self.host_states or self.robots)

    @property
    def size(self) -> list[int]:
        """Of what events add to."""
        return [*map(len, self._rows), len(self.contents)]

    def cut(self, size: Sequence[int]) -> None:
        """Back to what it was when it had this size."""
        for rows, length in zip(self._rows, size, strict=False):
            del rows[length:]
        while len(self.contents) > size[-1]:
            self.contents.popitem()

    @property
    def _rows(self) -> list[list[Any]]:
        return [
            self.urls,
            self.texts,
            self.log,
            self.outcomes,
            self.hops,
            self.statements,
            self.answers,
            self.items,
            self.matches,
            self.revisits,
            self.validators,
            self.foreign,
            self.signs,
            self.hints,
            self.own_hints,
            self.robots,
        ]

    def url(self, candidate: int) -> str | None:
        """The URL of a candidate that is new in this transaction."""
        first = self.urls[0][0] if self.urls else candidate + 1
        return self.urls[candidate - first][1] if candidate >= first else None

    def add_event(self, step: int, row: LogRow) -> None:
        self.log.append((step, *row))

    def add_urls(self, first: int, urls: Sequence[str], parent: int | None, depths: Sequence[int]) -> None:
        numbered = enumerate(zip(urls, depths, strict=True), first)
        self.urls += [(number, clean(url), parent, depth) for number, (url, depth) in numbered]

    def add_texts(self, first: int, texts: Sequence[str]) -> None:
        self.texts += [(number, clean(text)) for number, text in enumerate(texts, first)]

    def add_revisit(self, step: int, decided: int, event: Revisited) -> None:
        """One row, whatever became of the page; a version of it is an outcome, too."""
        record = event.record or NO_RECORD
        self.revisits.append(
            (
                *(step, event.candidate, decided, event.result, record.status, event.age, record.size),
                *(event.found, clean(event.reason) or None),
            )
        )
        if event.is_version:
            self.add_outcome(step, decided, event)
        elif record.validators is not None:
            self.validators.append((event.candidate, *record.validators))
        self._add_own_hints(event.candidate, record)

    def add_outcome(self, step: int, decided: int, event: Observed | Revisited) -> None:
        record = event.record or NO_RECORD
        count = record.counts.get
        self.outcomes.append(
            (
                step,
                event.candidate,
                decided,
                record.status,
                record.trouble,
                record.final_url and clean(record.final_url),
                record.content_type and clean(record.content_type),
                record.size,
                record.seconds,
                record.content_hash,
                record.duplicate_of,
                *[count(name, 0) for name in STORED],
                _json_or_null(record.types),
                _json_or_null(record.faults),
            )
        )
        self.hops += [(step, clean(url)) for url in record.redirects]
        if record.validators:
            self.validators.append((event.candidate, *record.validators))
        if isinstance(event, Observed):
            self._add_own_hints(event.candidate, record)
        if event.kind == "fetched" if isinstance(event, Observed) else event.result == "changed":
            keys = record.other_keys if record.content_hash is None else (record.content_hash, *record.other_keys)
            for key in keys:
                self.contents.setdefault(key, event.candidate)

    def _add_own_hints(self, candidate: int, record: PageRecord) -> None:
        if any(each is not None for each in record.own_hints):
            self.own_hints.append((candidate, *record.own_hints))

    def add_no_statements(self, step: int) -> None:
        """A version that says nothing says so: whoever reads on as statements come learns that others ended."""
        self.statements.append((statement_id(step, STORED[0]), STORED[0], ""))

    def add_statements(self, step: int, candidate: int, by_syntax: Mapping[str, Sequence[Triple]]) -> str:
        """Returns all of them as N-Triples."""
        texts = {name: clean(ntriples(candidate, found)) for name, found in by_syntax.items()}
        self.statements += [(statement_id(step, name), name, text) for name, text in texts.items() if text]
        return "".join(texts.values())

    def add_index_faults(self, refused: Iterable[Refused]) -> None:
        self.index_faults += [(clean(reason), step) for step, reason in refused]

    def add_answers(self, step: int, answers: Sequence[Any]) -> None:
        self.answers += [(None, step, as_json(answer)) for answer in answers]

    def add_findings(self, step: int, findings: PatternFindings) -> None:
        for name, items in findings.items.items():
            self.items += [(None, step, name, as_json(item)) for item in items]
            self.matches.append((step, name, "data", len(items), None))
        for name, targets in findings.followed.items():
            self.matches.append((step, name, "link", len(targets), as_json(targets)))
        self.matches += [(step, name, "stop", 1, None) for name in findings.stops]

    def add_foreign(self, step: int, foreign: ForeignLinks) -> None:
        self.foreign.append((step, packed_links(foreign.new), packed_links(foreign.known)))

    def add_signs(self, step: int, candidate: int, signs: Mapping[str, Any]) -> None:
        self.signs.append((step, clean(as_json(signs)), candidate))

    def add_robots(self, step: int, origin: str, digest: str, trouble: str) -> None:
        self.robots.append((step, clean(origin), digest or None, clean(trouble) or None))

    def write(self, connection: sqlite3.Connection) -> None:
        many = connection.executemany
        many(_insert("urls", 4), self.urls)
        many(_insert("texts", 2), self.texts)
        many(_insert("log", 6), self.log)
        many(INSERT_OUTCOME, self.outcomes)
        many(ADD_INDEX_FAULT, self.index_faults)
        many(_insert("hops", 2), self.hops)
        many(_insert("statements", 3), self.statements)
        many(_insert("answers", 3), self.answers)
        many(_insert("found_items", 4), self.items)
        many(_insert("found_matches", 5), self.matches)
        many(_insert("revisits", 9), self.revisits)
        many(_insert("validators", 4, "INSERT OR REPLACE"), self.validators)
        many(_insert("foreign_links", 3), self.foreign)
        many(_insert("signs", 3), self.signs)
        many(_insert("robots_files", 4), self.robots)
        many(INSERT_HINT, self.hints)
        many(INSERT_OWN_HINTS, self.own_hints)
        many(_insert("contents", 2, "INSERT OR IGNORE"), self.contents.items())
        many(_insert("host_states", 2, "INSERT OR REPLACE"), self.host_states.items())
        many(_insert("states", 2, "INSERT OR REPLACE"), self.states.items())


def _insert(table: str, columns: int, verb: str = "INSERT") -> str:
    return f"{verb} INTO {table} VALUES ({', '.join('?' * columns)})"


def as_json(value: Any) -> str:
    """Tuples of all kinds become lists."""
    try:
        return orjson.dumps(value, default=list).decode()
    except TypeError:
        return clean(json.dumps(value, ensure_ascii=False))


def _json_or_null(values: Sequence[Any]) -> str | None:
    return as_json(values) if values else None
