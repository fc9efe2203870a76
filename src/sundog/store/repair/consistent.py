"""Saved rows made a crawl again: one whose log can be replayed, and in which every id leads somewhere.

What is lost of the log leaves gaps between steps, and nothing is cut off behind them. Replay needs, before each
outcome, its decision, and before each decision, somebody who has offered the page. Both are made again from what
else is known: decisions at steps that were lost, and offers at a step 0 before all others. The other lost steps
become events that mean nothing (``waited``). A page of which neither the event nor the record is saved is one that
was never fetched: a crawl that is resumed may fetch it again.
"""

from __future__ import annotations

import sqlite3
from bisect import bisect_left
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import orjson

from sundog.rdf.namespaces import RDF_TYPE
from sundog.store.database import OUTCOME_COLUMNS
from sundog.store.events import DECISION_PARTS, packed_ids
from sundog.store.statements import ROOM, STEP, split_triples
from sundog.syntaxes import STORED

LOST_URL = "http://lost.invalid/"  # and the id: in place of a URL that is not known any more
LOST_TEXT = "[lost text {}]"
LOST = f"SELECT id FROM urls WHERE url LIKE '{LOST_URL}%'"
OUTCOMES = ("fetched", "failed", "refused")
WITH_LINKS = ("fetched", "revisited")
OFFERING = "event IN ('seeded', 'fetched', 'revisited') AND data IS NOT NULL"
VERSIONS = (*OUTCOMES, "revisited")  # events that may have the record of a page
ENDS = (*VERSIONS, "looked", "given back")
UNKNOWN_PARTS = orjson.dumps([None] * len(DECISION_PARTS)).decode()
OF_STEPS = ("hops", "answers", "found_items", "found_matches")  # tables that belong to an outcome
Lost = dict[str, int]


def make_consistent(connection: sqlite3.Connection) -> Lost:
    """Returns how much of each kind is known to be lost, in words for people. Needs an open transaction."""
    lost = {
        "URLs": _fill(connection, "urls", "url", LOST_URL + "{}", ", NULL, 0"),
        "texts of links": _fill(connection, "texts", "text", LOST_TEXT, ""),
    }
    steps = _Steps(connection)
    lost["events of the log"] = len(steps.free)
    lost["rewards and links of pages"] = steps.add_missing_events()
    lost["records of pages"] = steps.add_missing_outcomes()
    if lost["URLs"]:
        connection.execute("DELETE FROM log WHERE event = 'rested'")  # by numbers of hosts, which have changed
        _forget_lost_targets(connection)
    steps.add_missing_decisions()
    steps.offer_all()
    steps.drop_what_does_not_follow()
    steps.add_missing_revisits()
    steps.fill_gaps()
    _drop_orphans(connection)
    lost["statements of pages in a syntax"] = _count(connection, f"SELECT {_missing_statements()} FROM outcomes o")
    return {name: count for name, count in lost.items() if count}


def _count(connection: sqlite3.Connection, query: str, *values: Any) -> int:
    return int(connection.execute(query, values).fetchone()[0] or 0)


def _fill(connection: sqlite3.Connection, table: str, column: str, text: str, more: str) -> int:
    """Ids are places in a catalog, so none may be missing; returns how many were."""
    ids = [number for (number,) in connection.execute(f"SELECT id FROM {table} ORDER BY id")]
    most = _most_mentioned(connection) if table == "urls" else -1
    gaps = [(-1, ids[0])] if ids else []
    gaps += [*pairwise(ids), (ids[-1] if ids else -1, max(most, ids[-1] if ids else -1) + 1)]
    missing = [number for before, after in gaps for number in range(before + 1, after)]
    connection.executemany(
        f"INSERT INTO {table} VALUES (?, ?{more})", [(number, text.format(number)) for number in missing]
    )
    return len(missing)


def _most_mentioned(connection: sqlite3.Connection) -> int:
    """The highest candidate that anything speaks of."""
    most = _count(
        connection,
        """SELECT max(number) FROM (SELECT max(candidate) AS number FROM outcomes
        UNION ALL SELECT max(subject) FROM log WHERE event IN ('decided', 'fetched', 'failed', 'refused', 'looked',
          'revisiting', 'revisited')
        UNION ALL SELECT max(coalesce(parent, -1)) FROM urls UNION ALL SELECT -1)""",
    )
    for event, data in connection.execute(f"SELECT event, data FROM log WHERE {OFFERING}"):
        most = max(most, *_offers(event, data), -1)
    return most


def _offers(event: str, data: Any) -> list[int]:
    """The candidates that an event makes known."""
    if event == "seeded":
        return list(orjson.loads(data))
    return [link[0] for link in orjson.loads(data)] if event in WITH_LINKS and data else []


def _forget_lost_targets(connection: sqlite3.Connection) -> None:
    """Nobody can fetch them."""
    lost = {number for (number,) in connection.execute(LOST)}
    rows = connection.execute(f"SELECT step, event, data FROM log WHERE {OFFERING}").fetchall()
    changed = []
    for step, event, data in rows:
        found = orjson.loads(data)
        kept = [each for each in found if (each if event == "seeded" else each[0]) not in lost]
        if len(kept) < len(found):
            changed.append((orjson.dumps(kept).decode(), step))
    connection.executemany("UPDATE log SET data = ? WHERE step = ?", changed)


class _Steps:
    """The log. ``free`` are its lost steps, in their order: what is made again takes their places."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        known = [step for (step,) in connection.execute("SELECT step FROM log ORDER BY step")]
        last = max(
            _count(connection, "SELECT max(step) FROM outcomes"),
            _count(connection, f"SELECT max({STEP}) FROM statements s"),
            *known[-1:],
            0,
        )
        taken = set(known)
        self.free = [step for step in range(1, last + 1) if step not in taken]

    def _add(self, step: int, *row: Any) -> None:
        self._connection.execute("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?)", (step, *row))
        place = bisect_left(self.free, step)
        if self.free[place : place + 1] == [step]:
            del self.free[place]

    def _time_before(self, step: int) -> float:
        query = "SELECT at FROM log WHERE step < ? AND event IN ('decided', 'fetched') ORDER BY step DESC LIMIT 1"
        found = self._connection.execute(query, (step,)).fetchone()
        return float(found[0]) if found else 0.0

    def add_missing_events(self) -> int:
        """Of outcomes whose record is saved: what they earned is lost, and links except to new pages."""
        query = "SELECT step, candidate, trouble FROM outcomes WHERE step NOT IN (SELECT step FROM log)"
        rows = self._connection.execute(query).fetchall()
        for step, candidate, trouble in rows:
            at = self._time_before(step)
            if self._is_revisit(step):
                self._add(step, "revisited", candidate, at, None if trouble else 0.0, "[]")
                continue
            if trouble:
                self._add(step, "failed", candidate, at, None, trouble)
                continue
            children = self._connection.execute("SELECT id FROM urls WHERE parent = ? ORDER BY id", (candidate,))
            links = orjson.dumps([[child, -1, -1] for (child,) in children]).decode()
            self._add(step, "fetched", candidate, at, 0.0, links)
        return len(rows)

    def _is_revisit(self, step: int) -> bool:
        return bool(_count(self._connection, "SELECT count(*) FROM revisits WHERE step = ?", step))

    def add_missing_revisits(self) -> None:
        """Of visits whose record is lost; what they found is in the log, and a version has its own record."""
        self._connection.execute(
            """INSERT INTO revisits SELECT l.step, l.subject,
              (SELECT max(d.step) FROM log d WHERE d.event = 'revisiting' AND d.subject = l.subject
                AND d.step < l.step),
              CASE WHEN l.data IS NULL THEN 'refused' WHEN o.step IS NULL THEN 'unchanged'
                WHEN o.trouble IS NULL THEN 'changed' ELSE 'gone' END, o.status, 0.0, NULL, 0, NULL
            FROM log l LEFT JOIN outcomes o ON o.step = l.step
            WHERE l.event = 'revisited' AND l.step NOT IN (SELECT step FROM revisits)"""
        )

    def add_missing_outcomes(self) -> int:
        """Of events whose record is lost: counts and types are those of the statements."""
        query = f"""SELECT step, subject, event, data FROM log WHERE event IN {OUTCOMES}
          AND step NOT IN (SELECT step FROM outcomes)"""
        rows = self._connection.execute(query).fetchall()
        for step, candidate, event, data in rows:
            decided = self._decision_of(step, candidate)
            if decided:
                trouble = None if event == "fetched" else data.partition(":")[0]
                self._insert_outcome(step, candidate=candidate, decided=decided, trouble=trouble)
        return len(rows)

    def _decision_of(self, step: int, candidate: int) -> int:
        """The step at which it was decided, or at which that may have been; 0 if there is no place for it."""
        query = "SELECT max(step) FROM log WHERE event = 'decided' AND subject = ? AND step < ?"
        found = _count(self._connection, query, candidate, step)
        place = bisect_left(self.free, step)
        return found or (self.free[place - 1] if place else 0)

    def _insert_outcome(self, step: int, **known: Any) -> None:
        query = "SELECT syntax, triples FROM statements WHERE id BETWEEN ? AND ?"
        found = dict(self._connection.execute(query, (ROOM * step, ROOM * step + ROOM - 1)).fetchall())
        counts = {name: found[name].count("\n") if name in found else 0 for name in STORED}
        triples = [triple for text in found.values() for triple in split_triples(text)]
        types = list(dict.fromkeys(each[2][1:-1] for each in triples if each[1] == f"<{RDF_TYPE}>"))
        row = {"step": step, "types": orjson.dumps(types).decode() if types else None, **counts, **known}
        names = ", ".join(row)
        self._connection.execute(
            f"INSERT INTO outcomes({names}) VALUES ({', '.join('?' * len(row))})", list(row.values())
        )

    def add_missing_decisions(self) -> None:
        """Each outcome knows the step of its own."""
        query = """SELECT o.step, o.candidate, o.decided FROM outcomes o LEFT JOIN log d
          ON d.step = o.decided AND d.event IN ('decided', 'revisiting') AND d.subject = o.candidate
          WHERE d.step IS NULL"""
        for step, candidate, decided in self._connection.execute(query).fetchall():
            place = bisect_left(self.free, decided)
            if self.free[place : place + 1] != [decided]:
                decided = self._decision_of(step, candidate)
            if decided in self.free:
                self._add(decided, "decided", candidate, self._time_before(step), None, UNKNOWN_PARTS)
            self._connection.execute("UPDATE outcomes SET decided = ? WHERE step = ?", (decided, step))

    def offer_all(self) -> None:
        """What nobody offers any more, or nobody before it is decided, is offered before the first step."""
        offered: set[int] = set()
        missing: set[int] = set()
        for event, subject, data in self._connection.execute("SELECT event, subject, data FROM log ORDER BY step"):
            if event == "decided" and subject not in offered:
                missing.add(subject)
            offered.update(_offers(event, data))
        urls = self._connection.execute("SELECT id FROM urls WHERE url NOT LIKE ?", (f"{LOST_URL}%",))
        missing |= {number for (number,) in urls} - offered
        earlier = self._connection.execute("SELECT data FROM log WHERE step = 0").fetchone()  # by a repair before
        if missing:
            missing.update(orjson.loads(earlier[0]) if earlier else ())
            self._connection.execute("DELETE FROM log WHERE step = 0")
            self._add(0, "seeded", None, None, None, packed_ids(sorted(missing)))

    def drop_what_does_not_follow(self) -> None:
        """Go through the log as replay does, and take out what it could not repeat."""
        offered: set[int] = set()
        in_flight: dict[int, int] = {}
        done: set[int] = set()
        dropped: list[int] = []
        for step, event, subject, data in self._connection.execute(
            "SELECT step, event, subject, data FROM log ORDER BY step"
        ):
            if event in ("decided", "revisiting"):
                if subject not in offered or (subject in done) != (event == "revisiting"):
                    dropped.append(step)
                    continue
                if subject in in_flight:
                    dropped.append(in_flight[subject])  # its end is lost, and it was no outcome
                in_flight[subject] = step
            elif event in ENDS:
                if subject not in in_flight or (event == "revisited" and subject not in done):
                    dropped.append(step)
                    continue
                in_flight.pop(subject)
                if event in OUTCOMES:
                    done.add(subject)
            offered.update(_offers(event, data))
        lost = {number for (number,) in self._connection.execute(LOST)}
        dropped += [step for candidate, step in in_flight.items() if candidate in lost]  # nobody can fetch it
        self._connection.executemany("DELETE FROM log WHERE step = ?", [(step,) for step in dropped])
        self._mend_decided_steps()

    def fill_gaps(self) -> None:
        rows, expected, at = [], 1, 0.0
        for step, event, moment in self._connection.execute("SELECT step, event, at FROM log ORDER BY step"):
            rows += [(missing, "waited", at) for missing in range(expected, step)]
            expected = step + 1
            at = moment if moment is not None and event != "rested" else at
        self._connection.executemany("INSERT INTO log(step, event, at) VALUES (?, ?, ?)", rows)

    def _mend_decided_steps(self) -> None:
        """What ends a decision names its step."""
        steps: dict[int, int] = {}
        outcomes: list[tuple[int, int]] = []
        ends: list[tuple[int, int]] = []
        for step, event, subject in self._connection.execute(
            f"SELECT step, event, subject FROM log WHERE event IN {('decided', 'revisiting', *ENDS)} ORDER BY step"
        ):
            if event in ("decided", "revisiting"):
                steps[subject] = step
            elif event in VERSIONS:
                outcomes.append((steps[subject], step))
            else:
                ends.append((steps[subject], step))
        change = self._connection.executemany
        change("UPDATE outcomes SET decided = ?1 WHERE step = ?2 AND decided <> ?1", outcomes)
        change("UPDATE revisits SET decided = ?1 WHERE step = ?2 AND decided <> ?1", outcomes)
        change("UPDATE log SET value = ?1 WHERE step = ?2 AND value <> ?1", ends)


def _drop_orphans(connection: sqlite3.Connection) -> None:
    """Rows of outcomes that are not there. A page that will be fetched again must not be a copy of itself."""
    outcomes = f"SELECT step FROM log WHERE event IN {VERSIONS}"
    connection.execute("DELETE FROM revisits WHERE step NOT IN (SELECT step FROM log WHERE event = 'revisited')")
    connection.execute("DELETE FROM signs WHERE step NOT IN (SELECT step FROM revisits)")
    connection.execute(f"DELETE FROM outcomes WHERE step NOT IN ({outcomes})")
    for table in OF_STEPS:
        connection.execute(f"DELETE FROM {table} WHERE step NOT IN (SELECT step FROM outcomes)")
    connection.execute(f"DELETE FROM statements WHERE id / {ROOM} NOT IN (SELECT step FROM outcomes)")
    fetched = "SELECT subject FROM log WHERE event = 'fetched'"
    connection.execute(f"DELETE FROM contents WHERE candidate NOT IN ({fetched})")
    connection.execute(
        f"""INSERT OR IGNORE INTO contents SELECT content_hash, candidate FROM outcomes
        WHERE content_hash IS NOT NULL AND duplicate_of IS NULL AND candidate IN ({fetched}) ORDER BY step"""
    )


def _missing_statements() -> str:
    """How many texts of statements the records of pages promise and nobody has."""
    assert set(STORED) <= set(OUTCOME_COLUMNS)
    return " + ".join(
        f"sum(o.{name} > 0 AND {ROOM} * o.step + {place} NOT IN (SELECT id FROM statements))"
        for place, name in enumerate(STORED)
    )


def missing(connection: sqlite3.Connection) -> Iterable[str]:
    """What an intact crawl would have: sentences, none if nothing is missing."""
    for table, column, first in (("urls", "id", 0), ("texts", "id", 0), ("log", "step", 1)):
        query = f"SELECT count(*), max({column}) FROM {table} WHERE {column} >= {first}"
        count, last = connection.execute(query).fetchone()
        if count and last - first + 1 != count:
            yield f"{last - first + 1 - count:,} rows of the table {table} are missing"
    checks = {
        "outcomes without events": f"SELECT count(*) FROM outcomes WHERE step NOT IN "
        f"(SELECT step FROM log WHERE event IN {VERSIONS})",
        "visits without records": "SELECT count(*) FROM log WHERE event = 'revisited' "
        "AND step NOT IN (SELECT step FROM revisits)",
        "events without outcomes": f"SELECT count(*) FROM log WHERE event IN {OUTCOMES} "
        "AND step NOT IN (SELECT step FROM outcomes)",
        "statements without outcomes": f"SELECT count(*) FROM statements WHERE id / {ROOM} NOT IN "
        "(SELECT step FROM outcomes)",
    }
    for name, query in checks.items():
        if count := _count(connection, query):
            yield f"there are {count:,} {name}"
