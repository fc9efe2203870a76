"""From trees to cells: which columns a type's table has, and what stands in a row.

A nested value is in the column of its path (``offers.price``). Several values are one cell, in their order. Cells
are SQLite's own values: numbers, and texts for everything else. Durations are seconds there, times are in UTC.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any, Final

from sundog.entities.things import NAMES, Tree
from sundog.entities.values import DURATIONS, Kind, Plain, as_duration, in_utc, kind_of, seconds_of
from sundog.entities.vocabulary import PREFIX_OF, local_key, path_for, split_iri
from sundog.texts import iso_duration

Cell = str | int | float | None
MOST_LEVELS: Final = 4  # of a path
MOST_IN_CELL: Final = 1_000  # values
LONGEST_CELL: Final = 100_000  # characters of a value
BETWEEN: Final = "\x1f"  # stands around and between several values of a cell
FIXED: Final = ("page", "fetched_at", "syntax", "id", "host", "sources")
COMMON: Final = 0.05  # share of rows with several values from which on a column is one of lists
TEXTUAL: Final = ("text", "url")
GROUPS: Final[dict[Kind, str]] = {"integer": "number", "date": "time", "url": "text"}  # kinds that are of one sort
UNPARSED: Final = ".text"  # ends the name of the column for what is not of the other column's type


def flattened(tree: Tree) -> dict[str, list[Plain]]:
    """Values by path.

    >>> flattened({"@type": ["T"], "name": "Tea", "offers": [{"price": 3}, {"price": 4, "seller": {"name": "A"}}]})
    {'name': ['Tea'], 'offers.price': [3, 4], 'offers.seller.name': ['A']}
    """
    found: dict[str, list[Plain]] = {}
    for key, value in tree.items():
        if not key.startswith("@"):
            _flatten(key, value, 1, found)
    return found


def _flatten(path: str, value: Any, level: int, found: dict[str, list[Plain]]) -> None:
    if isinstance(value, list):
        for each in value:
            _flatten(path, each, level, found)
    elif not isinstance(value, dict):
        found.setdefault(path, []).append(value)
    elif "@value" in value:
        found.setdefault(path, []).append(value["@value"])
    elif level < MOST_LEVELS:
        for key, inner in value.items():
            if key != "@type":
                _flatten(f"{path}.{'id' if key == '@id' else key}", inner, level + 1, found)


def cell_of(path: str, values: list[Plain]) -> Cell:
    """
    >>> cell_of("totalTime", ["PT30M"]), cell_of("tags", ["a", "b"]), cell_of("x", ["2025-01-31T20:00:00+01:00"])
    (1800, '\\x1fa\\x1fb\\x1f', '2025-01-31T19:00:00')
    """
    if len(values) == 1:
        return _cell_value(path, values[0])
    texts = [str(_cell_value(path, value)) for value in values[:MOST_IN_CELL]]
    return BETWEEN + BETWEEN.join(texts) + BETWEEN


def _cell_value(path: str, value: Plain) -> str | int | float:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return value
    if last_key(path) in DURATIONS:
        seconds = seconds_of(value)
        return value if seconds is None else seconds
    if len(value) > 10 and value[4:5] == "-" and kind_of(path, value) == "time":
        return in_utc(value)
    return value[:LONGEST_CELL].replace(BETWEEN, " ") if BETWEEN in value or len(value) > LONGEST_CELL else value


def values_in(cell: Cell) -> list[str | int | float]:
    """
    >>> values_in("\\x1fa\\x1f2\\x1f"), values_in(3), values_in(None)
    (['a', '2'], [3], [])
    """
    if cell is None:
        return []
    if isinstance(cell, str) and cell.startswith(BETWEEN):
        return list(cell[1:-1].split(BETWEEN))
    return [cell]


def last_key(path: str) -> str:
    """The local name of the property at the end of a path.

    >>> last_key("offers.price"), last_key("http://v.example/ns#price")
    ('price', 'price')
    """
    return local_key(path if "://" in path else path.rpartition(".")[2])


def cell_kind(path: str, cell: Cell) -> Kind:
    """The kind of a cell's first value."""
    (value, *_) = values_in(cell)
    if isinstance(value, str) and isinstance(cell, str) and cell[:1] == BETWEEN:
        return kind_of(path, _as_number(value))
    if value in ("true", "false"):
        return "boolean"
    return kind_of(last_key(path), value)


def _as_number(text: str) -> Plain:
    try:
        return int(text) if text.lstrip("-").isdigit() else float(text)
    except ValueError:
        return text


@dataclass(slots=True)
class Column:
    """Of a type's table. ``number`` is its place in SQLite, ``counts`` how many cells are of which kind."""

    path: str
    number: int
    name: str
    several: int = 0  # cells with more than one value
    counts: dict[Kind, int] = field(default_factory=dict)

    @property
    def filled(self) -> int:
        return sum(self.counts.values())

    @property
    def kind(self) -> Kind:
        """What most of its values are."""
        groups: dict[str, int] = {}
        for kind, count in self.counts.items():
            group = GROUPS.get(kind, kind)
            groups[group] = groups.get(group, 0) + count
        most = max(groups, key=lambda group: groups[group], default="text")
        if most == "number":
            return "number" if self.counts.get("number") else "integer"
        if most == "time":
            return "time" if self.counts.get("time") else "date"
        if most == "text":
            return "url" if self.counts.get("url", 0) > self.counts.get("text", 0) else "text"
        return most  # type: ignore[return-value]

    @property
    def unparsed(self) -> int:
        """How many cells are not what most are."""
        kind = self.kind
        if kind in TEXTUAL:
            return 0
        group = GROUPS.get(kind, kind)
        return sum(count for each, count in self.counts.items() if GROUPS.get(each, each) != group)

    @property
    def is_list(self) -> bool:
        return self.several > COMMON * self.filled

    def count(self, cell: Cell, by: int) -> None:
        kind = cell_kind(self.path, cell)
        self.counts[kind] = self.counts.get(kind, 0) + by
        if isinstance(cell, str) and cell[:1] == BETWEEN:
            self.several += by

    def reader(self) -> Callable[[Cell], Any]:
        """What makes of a cell what stands in the table: a list, a value, or texts in lines of their own."""
        kind, is_list = self.kind, self.is_list

        def read(cell: Cell) -> Any:
            if cell is None:
                return [] if is_list else None
            found = [typed for value in values_in(cell) if (typed := typed_value(kind, value)) is not None]
            if is_list:
                return found
            if kind in TEXTUAL:
                return "\n".join(found)
            return found[0] if found else None

        return read

    def unparsed_reader(self) -> Callable[[Cell], str | None]:
        """The same for the values that are not of the column's type."""
        kind = self.kind

        def read(cell: Cell) -> str | None:
            left = [str(value) for value in values_in(cell) if typed_value(kind, value) is None]
            return "\n".join(left) or None

        return read


def typed_value(kind: Kind, value: str | int | float) -> Any:
    """None if it is not of that kind."""
    if kind in TEXTUAL:
        return value if isinstance(value, str) else repr(value)
    if kind == "boolean":
        return {"true": True, "false": False}.get(str(value))
    if kind in ("date", "time"):
        return _moment(kind, value)
    number = _as_number(value) if isinstance(value, str) else value
    if isinstance(number, str):
        return None
    return as_duration(number) if kind == "duration" else float(number) if kind == "number" else number


def _moment(kind: Kind, value: str | int | float) -> Any:
    try:
        if kind == "date":
            return date.fromisoformat(value) if isinstance(value, str) and len(value) == 10 else None
        return datetime.fromisoformat(value).replace(tzinfo=UTC) if isinstance(value, str) else None
    except ValueError:
        return None


def column_name(path: str, type_iri: str) -> str:
    """The path, unless it is one of the columns that every table has.

    >>> column_name("name", "http://schema.org/T"), column_name("foaf:page", "http://xmlns.com/foaf/0.1/Document")
    ('name', 'foaf:page')
    """
    name = path_for(path, type_iri)
    if name not in FIXED:
        return name
    space = split_iri(type_iri)[0]
    return f"{PREFIX_OF.get(space, space)}:{name}"


def in_order(columns: Iterable[Column]) -> list[Column]:
    """Names first, then others; of each, those first that most rows have."""
    return sorted(columns, key=lambda each: (_rank(each) == len(NAMES), -each.filled, _rank(each), each.number))


def _rank(column: Column) -> int:
    is_nested = "." in column.path.partition("://")[0]
    name = local_key(column.path)
    return len(NAMES) if is_nested or name not in NAMES else NAMES.index(name)


def shown(column: Column, cell: Cell) -> list[Plain]:
    """A cell's values for people and JSON: durations and times as ISO 8601."""
    found: list[Plain] = []
    for value in values_in(cell):
        number = (
            _as_number(value)
            if isinstance(value, str) and column.kind in ("integer", "number", "duration")
            else value
        )
        found.append(iso_duration(number) if column.kind == "duration" and not isinstance(number, str) else number)
    return found
