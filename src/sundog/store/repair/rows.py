"""Which table a row is of, and whether it can have been written by a crawl.

Every table of ``crawl.db`` has rows of another shape, so a page needs nobody who says what it is a page of. SQLite
keeps no checksums: a row in which something was overwritten is told by what it says, as far as that can be told.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Any, NamedTuple, get_args

import orjson

from sundog.store.buffer import INSERT_OUTCOME
from sundog.store.database import OUTCOME_COLUMNS
from sundog.store.events import DECISION_PARTS, RENDER_PARTS, Revisiting, RoundBegun, VisitResult
from sundog.store.repair.sqlite_pages import Pages, Row
from sundog.store.statements import ROOM
from sundog.syntaxes import STORED

JSON_EVENTS = {
    "seeded",
    "decided",
    "fetched",
    "looked",
    "round",
    "revisiting",
    "rendered",
}  # whose data is an array
EVENTS = JSON_EVENTS | {"near", "failed", "refused", "rested", "waited", "budgeted", "given back", "revisited"}
OF_A_CANDIDATE = {
    "decided",
    "near",
    "rendered",
    "fetched",
    "failed",
    "refused",
    "looked",
    "given back",
    "revisiting",
    "revisited",
}
RESULTS = get_args(VisitResult)
LONGEST_OUTCOME = len(OUTCOME_COLUMNS)
SHORTEST_OUTCOME = LONGEST_OUTCOME - len(STORED)  # crawls of earlier versions have fewer syntaxes
MOST_ID = 1 << 31
LENGTHS = {
    "round": len(RoundBegun._fields) - 3,
    "revisiting": Revisiting._fields.index("said") - 3,
    "rendered": len(RENDER_PARTS),
}  # of their data, at least


class Found(NamedTuple):
    """A row as it is inserted."""

    table: str
    values: tuple[Any, ...]


def table_of(row: Row) -> str:
    """The name of its table; empty if it is of none."""
    if row.id is None:
        return _table_without_ids(row.values)
    match row.values:
        case (None, str(), None | int(), int()):
            return "urls"
        case (None, int(), str(), str()):
            return "found_items"
        case (None, None | str(), None | str(), None | bytes()):
            return "validators"
        case (None, int(), int(), str() as result, *_) if result in RESULTS and len(row.values) == 9:
            return "revisits"
        case (None, None | int() | float(), None | int() | float(), None | int() | float()):
            return "own_hints"
        case (None, int(), int() | float()):  # SQLite writes a whole number as one
            return "hints"
        case (None, str(), int()):
            return "signs"
        case (int(), str(), None | str(), None | str()):
            return "robots_files"
        case (None, str()):
            return "texts"
        case (int(), str()):
            return "hops"
        case (None, str() as event, _, _, _, _) if event in EVENTS:
            return "log"
        case (None, str() as syntax, str()) if syntax in STORED:
            return "statements"
        case (None, int(), str()):
            return "answers"
        case (int(), str(), str() as kind, int(), None | str()) if kind in ("data", "link", "stop"):
            return "found_matches"
        case (None, int(), int(), *_) if SHORTEST_OUTCOME <= len(row.values) <= LONGEST_OUTCOME:
            return "outcomes"
    return ""


def _table_without_ids(values: Sequence[Any]) -> str:
    """The state of a host begins with its name."""
    match values:
        case (bytes(), int()):
            return "contents"
        case (str() as name, str() as text):
            value = _json(text)
            return "host_states" if isinstance(value, list) and value[:1] == [name] else "states"
    return ""


def is_sound(table: str, values: Sequence[Any]) -> bool:
    """Whether a crawl can have written it. ``values`` are in the order of the table's columns."""
    if any(isinstance(value, str) and "\0" in value for value in values):
        return False
    check = CHECKS.get(table)
    try:
        return check is None or check(*values)
    except (TypeError, ValueError, LookupError):
        return False


def _is_url(number: int, url: str, parent: int | None, depth: int) -> bool:
    return 0 <= number < MOST_ID and bool(url) and 0 <= depth <= 65_535 and -1 <= (parent or 0) < MOST_ID


def _is_text(number: int, _: str) -> bool:
    return 0 <= number < MOST_ID


def _is_event(step: int, event: str, subject: Any, at: Any, value: Any, data: Any) -> bool:
    if step < 0 or event not in EVENTS or (event in OF_A_CANDIDATE and not 0 <= subject < MOST_ID):
        return False
    if event == "budgeted":
        return bool(value >= 0)
    if event == "near":
        return bool(0 < value <= 1)
    if event == "revisited":
        return data is None or _are_links(_json(data))
    if event in ("failed", "refused"):
        return isinstance(data, str)
    if event not in JSON_EVENTS:
        return True
    parts = _json(data)
    if event == "decided":
        return isinstance(parts, list) and len(parts) == len(DECISION_PARTS)
    if event == "fetched":
        return value >= 0 and _are_links(parts)
    return isinstance(parts, list) and len(parts) >= LENGTHS.get(event, 0)


def _are_links(parts: Any) -> bool:
    return isinstance(parts, list) and all(3 <= len(link) <= 5 for link in parts)


def _is_revisit(step: int, candidate: int, decided: int, *_: Any) -> bool:
    return 0 < decided < step and 0 <= candidate < MOST_ID


def _is_outcome(step: int, candidate: int, decided: int, *more: Any) -> bool:
    *_, types, faults = more
    lists = all(value is None or isinstance(_json(value), list) for value in (types, faults))
    return lists and 0 < decided < step and 0 <= candidate < MOST_ID


def _is_statements(number: int, syntax: str, triples: str) -> bool:
    lines = triples.split("\n")
    last = lines.pop()
    right_place = number // ROOM > 0 and STORED.index(syntax) == number % ROOM
    return right_place and not last and all(line[:1] in "<_" and line.endswith(" .") for line in lines)


def _is_signs(step: int, signs: str, candidate: int) -> bool:
    return step > 0 and isinstance(_json(signs), dict) and 0 <= candidate < MOST_ID


def _holds_json(*values: Any) -> bool:
    return _json(values[-1]) is not None


CHECKS: dict[str, Callable[..., bool]] = {
    "urls": _is_url,
    "texts": _is_text,
    "log": _is_event,
    "outcomes": _is_outcome,
    "revisits": _is_revisit,
    "statements": _is_statements,
    "answers": _holds_json,
    "found_items": _holds_json,
    "host_states": _holds_json,
    "signs": _is_signs,
    "states": _holds_json,
}


def _json(text: Any) -> Any:
    try:
        return orjson.loads(text)
    except (ValueError, TypeError):
        return None


def found_rows(pages: Pages) -> list[Found]:
    """All sound rows of a damaged database."""
    columns = _outcome_columns(pages)
    return [found for row in pages.rows() if (found := _found(row, columns))]


def _found(row: Row, columns: Sequence[str]) -> Found | None:
    table = table_of(row)
    if not table:
        return None
    values = row.values
    if row.id is not None and values[0] is None:
        values = (row.id, *values[1:])  # the id stands for its column
    if table == "outcomes":
        by_name = dict(zip(columns, values, strict=False))
        values = tuple(by_name.get(name, 0 if name in STORED else None) for name in OUTCOME_COLUMNS)
    return Found(table, values) if is_sound(table, values) else None


def _outcome_columns(pages: Pages) -> Sequence[str]:
    """In the order in which this database has them: a syntax that was added later is the last one."""
    for row in pages.rows():
        match row.values:
            case ("table", "outcomes", "outcomes", int(), str() as sql):
                with closing(sqlite3.connect(":memory:")) as scratch:
                    try:
                        scratch.execute(sql)
                    except sqlite3.Error:
                        break
                    return [name for _, name, *_ in scratch.execute("PRAGMA table_info(outcomes)")]
    return OUTCOME_COLUMNS


def insert(connection: sqlite3.Connection, rows: Sequence[Found]) -> None:
    """Of two rows with one id the first one counts."""
    by_table: dict[str, list[tuple[Any, ...]]] = {}
    for table, values in rows:
        by_table.setdefault(table, []).append(values)
    for table, found in by_table.items():
        places = ", ".join("?" * len(found[0]))
        insert = INSERT_OUTCOME if table == "outcomes" else f"INSERT INTO {table} VALUES ({places})"
        connection.executemany(insert.replace("INSERT", "INSERT OR IGNORE", 1), found)
