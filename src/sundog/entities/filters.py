"""Filters of a table's rows, as people write them: ``price < 20 and name contains cake``.

A condition is a column, a word for the comparison, and a value: ``=``, ``!=``, ``<``, ``<=``, ``>``, ``>=``,
``contains``, ``is empty``, ``is not empty``, or ``in`` and several values with commas between them. Several
conditions are joined by ``and``. A value that has ``and`` or a comma in it stands in quotation marks, and a
quotation mark in it is doubled. Values are of the column's type: a number, a date (also a year or a month), a
duration (``30 min``), true or false, or text, whose case does not matter. A cell with several values fits if one
does.
"""

from __future__ import annotations

import operator
import re
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from sundog.entities.columns import BETWEEN, Cell, Column, typed_value, values_in
from sundog.entities.tables import TypeTable, find_column, place_of
from sundog.entities.values import Kind, number, seconds_of
from sundog.errors import UsageError

_QUOTED: Final = r"""(?:"(?:[^"]|"")*"|'(?:[^']|'')*')"""
_CONDITION = re.compile(
    r"""\s*(?:"(?P<quoted>[^"]+)"|(?P<column>[^\s=<>!]+))\s*
    (?:(?P<empty>is\s+(?P<not>not\s+)?empty)|(?P<sign>!=|<=|>=|=|<|>|(?:contains|in)\b)\s*(?P<value>.+?))\s*""",
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_JOINT = re.compile(rf"(?<![^\s=<>,]){_QUOTED}|(?P<and>\s+and\s+)", re.IGNORECASE | re.DOTALL)
_PART = re.compile(rf"\s*({_QUOTED}(?=\s*(?:,|\Z))|[^,]*)\s*(?:,|\Z)", re.DOTALL)  # of a list of values
_LENGTH = re.compile(r"(\d+(?:\.\d+)?)\s*(s|sec|seconds?|m|min|minutes?|h|hours?|d|days?)", re.IGNORECASE)
_UNITS: Final = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
_DAY: Final = re.compile(r"\d{4}(?:-\d\d(?:-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?)?)?")
_COMPARE: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
NUMERIC: Final = ("integer", "number", "duration")
MOST_CHARACTERS: Final = 4_000
MOST_CONDITIONS: Final = 50
FIXED_KINDS: Final[dict[str, Kind]] = {"fetched_at": "time", "sources": "integer"}
EXAMPLES: Final = {
    "number": "< 20",
    "date": ">= 2025-01-31, or = 2025",
    "duration": "<= 30 min",
    "boolean": "= true",
}
LAST: Final = "\uffff"  # behind everything that begins alike


class Condition(NamedTuple):
    column: str
    sign: str  # one of those above
    value: str = ""


class Where(NamedTuple):
    """For SQL, where ``r`` are the rows."""

    sql: str
    values: list[Any]


def parse_filter(text: str) -> list[Condition]:
    """
    >>> [tuple(each) for each in parse_filter("price < 20 and name contains 'salt and pepper' and x.y is empty")]
    [('price', '<', '20'), ('name', 'contains', 'salt and pepper'), ('x.y', 'is empty', '')]
    """
    if len(text) > MOST_CHARACTERS:
        raise UsageError(f"a filter of {len(text):,} characters: at most {MOST_CHARACTERS:,} are read")
    parts = _split(text)
    if len(parts) > MOST_CONDITIONS:
        raise UsageError(f"{len(parts)} conditions: at most {MOST_CONDITIONS} are read")
    return [_condition(part, text) for part in parts]


def parse_filters(texts: Iterable[str]) -> list[Condition]:
    """Of several filters, all of which must hold."""
    return [condition for text in texts for condition in parse_filter(text)]


def _split(text: str) -> list[str]:
    """At every "and" that is not between quotation marks."""
    parts, begin = [], 0
    for match in _JOINT.finditer(text):
        if match["and"]:
            parts.append(text[begin : match.start()])
            begin = match.end()
    return [*parts, text[begin:]]


def values_of(condition: Condition) -> list[str]:
    """The values that a condition names: several with ``in``.

    >>> values_of(Condition("color", "in", "red, 'black, white', 'it''s'"))
    ['red', 'black, white', "it's"]
    """
    if condition.sign != "in":
        return [condition.value]
    found = [_unquoted(match[1].strip()) for match in _PART.finditer(condition.value)]
    return [value for value in found if value]


def _unquoted(value: str) -> str:
    """
    >>> _unquoted("'it''s'"), _unquoted("it's")
    ("it's", "it's")
    """
    if len(value) > 1 and value[0] in "\"'" and re.fullmatch(_QUOTED, value, re.DOTALL):
        return value[1:-1].replace(value[0] * 2, value[0])
    return value


def _condition(part: str, whole: str) -> Condition:
    found = _CONDITION.fullmatch(part)
    if not found:
        joined = " (a value that has 'and' in it stands in quotation marks)" if part != whole else ""
        raise UsageError(
            f"'{part.strip()[:100]}' is no filter: write COLUMN = VALUE, with =, !=, <, <=, >, >=, in or "
            f"contains, or COLUMN is empty{joined}"
        )
    column = found["quoted"] or found["column"]
    if found["empty"]:
        return Condition(column, "is not empty" if found["not"] else "is empty")
    sign, value = found["sign"].lower(), found["value"].strip()
    return Condition(column, sign, value if sign == "in" else _unquoted(value))


def where_of(table: TypeTable, conditions: Iterable[Condition], *, search: str = "") -> Where:
    """UsageError for a column that is not there, or a value that is not of its type."""
    wheres = [where_of_one(table, condition) for condition in conditions]
    if search:
        wheres.append(where_of_search(table, search))
    return Where(
        " AND ".join(each.sql for each in wheres) or "1", [value for each in wheres for value in each.values]
    )


def where_of_one(table: TypeTable, condition: Condition) -> Where:
    """A condition looks at one column and at nothing else."""
    column = find_column(table, condition.column)
    place, sign, text = place_of(column), condition.sign, condition.value
    if sign == "is empty":
        return Where(f"coalesce({place}, '') = ''", [])
    if sign == "is not empty":
        return Where(f"coalesce({place}, '') <> ''", [])
    if sign == "contains":
        return _contains([place], text)
    if sign == "!=":
        sql, values = _comparison(column, "=", text)
        return Where(f"coalesce(NOT ({sql}), 1)", values)
    if sign == "in":
        wheres = [_comparison(column, "=", value) for value in values_of(condition)]
        tries = " OR ".join(each.sql for each in wheres)
        return Where(f"({tries or '0'})", [value for each in wheres for value in each.values])
    return _comparison(column, sign, text)


def _comparison(column: Column | str, sign: str, text: str) -> Where:
    kind = FIXED_KINDS.get(column, "text") if isinstance(column, str) else column.kind
    name = column if isinstance(column, str) else column.name
    several = not isinstance(column, str) and column.several > 0
    values: list[Any]
    place = place_of(column)
    if column == "fetched_at":
        place = "strftime('%Y-%m-%dT%H:%M:%S', r.fetched_at, 'unixepoch')"
    if kind in NUMERIC:
        value = _number(kind, name, text)
        sql, values = f"(typeof({place}) <> 'text' AND {place} {sign} ?)", [value]
    elif kind in ("date", "time"):
        sql, values = _moment(place, name, sign, text)
    elif kind == "boolean":
        if text.lower() not in ("true", "false", "yes", "no") or sign != "=":
            raise _wrong(name, kind, text)
        sql, values = f"{place} = ?", ["true" if text.lower() in ("true", "yes") else "false"]
    elif text.isascii():
        sql, values = f"{place} {sign} ? COLLATE NOCASE", [text]
    else:
        sql, values = f"folded({place}) {sign} ?", [text.casefold()]
    if not several:
        return Where(sql, values)
    is_list = f"substr({place}, 1, 1) = '{BETWEEN}'"
    given = values[-1] if kind not in ("date", "time") else text.replace(" ", "T")
    sql = f"CASE WHEN {is_list} THEN any_fits({place}, ?, ?, ?) ELSE {sql} END"
    return Where(sql, [kind, sign, given, *values])


def _moment(place: str, name: str, sign: str, text: str) -> tuple[str, list[Any]]:
    if not _DAY.fullmatch(text):
        raise _wrong(name, "date", text)
    text = text.replace(" ", "T")
    if sign == "=":
        return f"({place} >= ? AND {place} <= ?)", [text, text + LAST]
    return f"{place} {sign} ?", [text + LAST if sign in (">", "<=") else text]


def _number(kind: Kind, name: str, text: str) -> float:
    value = number(text)
    if kind == "duration" and value is None:
        value = seconds_of(text.upper())
        if value is None and (found := _LENGTH.fullmatch(text)):
            value = float(found[1]) * _UNITS[found[2][0].lower()]
    if value is None:
        raise _wrong(name, "duration" if kind == "duration" else "number", text)
    return value


def _wrong(name: str, kind: str, text: str) -> UsageError:
    kind = "date" if kind == "time" else kind
    return UsageError(
        f"{name} is a column of {kind}s, and '{text[:60]}' is none: write {name} {EXAMPLES.get(kind, '')}"
    )


def where_of_search(table: TypeTable, text: str) -> Where:
    """In all values. Numbers, which are slow to look at as texts, are left out if there is no digit to find."""
    has_digit = any(sign.isdigit() for sign in text)
    columns = [each for each in table.shown() if has_digit or each.unparsed or each.kind not in NUMERIC]
    return _contains(["r.page", "r.id", *map(place_of, columns)], text)


def _contains(places: Sequence[str], text: str) -> Where:
    """SQLite knows upper case of ASCII letters only; that of others is ours, and slower."""
    if not text.isascii():
        places, text = [f"folded({place})" for place in places], text.casefold()
    tries = " OR ".join(f"{place} LIKE ? ESCAPE '\\'" for place in places)
    return Where(f"({tries})", [like(text)] * len(places))


def like(text: str) -> str:
    """A pattern of LIKE that finds the text anywhere.

    >>> like("50%_off")
    '%50\\\\%\\\\_off%'
    """
    for sign in "\\%_":
        text = text.replace(sign, f"\\{sign}")
    return f"%{text}%"


def add_functions(connection: sqlite3.Connection) -> None:
    """What filters use besides SQLite's own."""
    connection.create_function("any_fits", 4, _any_fits, deterministic=True)
    connection.create_function("folded", 1, _folded, deterministic=True)


def _folded(cell: Cell) -> Cell:
    return cell.casefold() if isinstance(cell, str) else cell


def _any_fits(cell: str, kind: Kind, sign: str, wanted: Any) -> bool:
    """Whether one value of a cell is so."""
    compare = _COMPARE[sign]
    if kind in ("date", "time"):
        last = str(wanted) + LAST
        days = [str(value) for value in values_in(cell)]
        if sign == "=":
            return any(wanted <= day <= last for day in days)
        return any(compare(day, last if sign in (">", "<=") else wanted) for day in days)
    if kind in NUMERIC:
        found = (typed_value("number", value) for value in values_in(cell))
        return any(compare(value, wanted) for value in found if value is not None)
    return any(compare(str(value).casefold(), str(wanted).casefold()) for value in values_in(cell))
