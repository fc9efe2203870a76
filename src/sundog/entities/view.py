"""A type's table for somebody who looks at it: a page of its rows, and counts of what stands in its columns.

Counts are of the rows that all filters keep, without those of the column itself: whoever has chosen a value still
sees what else there is to choose.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, reduce
from operator import and_
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sundog.entities.arrays import Kept, TableArrays
from sundog.entities.columns import FIXED, LONGEST_CELL, MOST_IN_CELL, TEXTUAL, Column, last_key, shown, values_in
from sundog.entities.database import EntityDatabase
from sundog.entities.filters import Condition, add_functions, where_of
from sundog.entities.histogram import Bin, date_bins, day_of, number_bins
from sundog.entities.tables import TypeTable, find_column, place_of
from sundog.entities.values import Plain

MOST_FACETS: Final = 50
MOST_WORDS: Final = 300_000  # different cells of which all values are looked at,
MOST_CHARACTERS: Final = 30_000_000  # if they are no longer than this
A_TIME: Final = 19  # characters
SAMPLE: Final = 2_000  # rows, to see which columns have few values
FEW: Final = 0.35  # values a row, in such a column
SHORT: Final = 60  # characters of a value that is worth choosing
LATITUDES: Final = {"latitude": "longitude", "lat": "long"}
GRID: Final = 48  # squares of a map, in each direction

Row = tuple[dict[str, Any], dict[str, list[Plain]]]


class Facet(NamedTuple):
    value: str
    number: int


class Facets(NamedTuple):
    """``different``: how many values there are; ``empty``: how many rows have none."""

    values: list[Facet]
    different: int
    empty: int


class Spot(NamedTuple):
    """Rows that are close to each other on a map; ``entity`` is one of them."""

    latitude: float
    longitude: float
    number: int
    entity: int
    name: str


class TableView:
    """One type, with the rows that conditions and a search keep."""

    def __init__(
        self, database: EntityDatabase, kind: str, conditions: Sequence[Condition] = (), *, search: str = ""
    ) -> None:
        self._database = database
        self._connection = database.connection
        add_functions(self._connection)
        self.table: TypeTable = database.tables.find(kind)
        where_of(self.table, conditions)  # tells what is wrong with them
        self._conditions = [(find_column(self.table, each.column), each) for each in conditions]
        self._search = search
        self._arrays = TableArrays(database, self.table)

    @cached_property
    def _kept(self) -> Kept:
        return self._kept_without(None)

    def _kept_without(self, column: Column | str | None) -> Kept:
        masks = [self._arrays.kept_by(each) for of, each in self._conditions if of != column]
        if self._search:
            masks.append(self._arrays.kept_by_search(self._search))
        return reduce(and_, masks, np.ones(len(self._arrays.entities()), np.bool_))

    @property
    def total(self) -> int:
        return int(np.count_nonzero(self._kept))

    # -- rows --------------------------------------------------------------------------------------

    def rows(
        self,
        columns: Sequence[Column],
        *,
        sort: str = "",
        descending: bool = False,
        offset: int = 0,
        limit: int = 50,
    ) -> list[Row]:
        """What every row has, and the values of those columns that it has, by name."""
        places: NDArray[np.signedinteger[Any]]
        if sort:
            order = self._arrays.order(find_column(self.table, sort), descending=descending)
            places = order[self._kept[order]]
        else:
            places = np.flatnonzero(self._kept)[:: -1 if descending else 1]
        entities = self._arrays.entities()[places[offset : offset + limit]].tolist()
        names = ["r.entity", *(f"r.{name}" for name in FIXED), *(place_of(column) for column in columns)]
        sql = f"SELECT {', '.join(names)} FROM {self.table.name} r WHERE entity IN ({_marks(entities)})"
        found = {row[0]: row for row in self._connection.execute(sql, entities)}
        return [_row(columns, found[entity]) for entity in entities]

    # -- counts ------------------------------------------------------------------------------------

    def facet(self, name: str, most: int = MOST_FACETS, *, like: str = "") -> Facets:
        """The most frequent values of a column, with the number of rows that have them.

        ``like``: values with this text in them only.
        """
        column = find_column(self.table, name)
        cells = self._arrays.cells(column)
        counts = self._counts(column)
        empty = int(counts[0]) if cells.has_empty else 0
        if cells.number > MOST_WORDS or self._arrays.characters(column) > MOST_CHARACTERS:
            return self._facet_of_many(column, counts, most, empty)
        words: _Words = self._arrays.of_cells(
            column, "words", lambda found: _words(column, found), LONGEST_CELL * MOST_IN_CELL
        )
        numbers = np.bincount(words.word, counts[words.cell], len(words.texts)).astype(np.int64)
        order = np.lexsort((np.arange(len(numbers)), -numbers))
        order = order[: np.count_nonzero(numbers)]
        wanted = like.casefold()
        chosen = [at for at in order.tolist() if wanted in words.texts[at].casefold()] if like else order.tolist()
        return Facets([Facet(words.texts[at], int(numbers[at])) for at in chosen[:most]], len(chosen), empty)

    def _facet_of_many(self, column: Column | str, counts: NDArray[np.int64], most: int, empty: int) -> Facets:
        """Cells as they are: nearly all are different, and nobody chooses among them."""
        cells = self._arrays.cells(column)
        counts = counts.copy()
        if cells.has_empty:
            counts[0] = 0
        top = np.argsort(-counts, kind="stable")[:most]
        found = []
        for cell in top[counts[top] > 0].tolist():
            entity = int(self._arrays.entities()[cells.example[cell]])
            sql = f"SELECT {place_of(column)} FROM {self.table.name} r WHERE entity = ?"
            (value,) = self._connection.execute(sql, (entity,)).fetchone()
            found.append(Facet(", ".join(_texts(column, value)), int(counts[cell])))
        return Facets(found, int(np.count_nonzero(counts)), empty)

    def histogram(self, name: str) -> list[Bin]:
        """How the numbers of a column are spread, or its dates. Cells with several values are not counted."""
        column = find_column(self.table, name)
        if isinstance(column, str) or column.kind in (*TEXTUAL, "boolean"):
            return []
        values = self._values(column)
        counts = self._counts(column)
        there = np.isfinite(values) & (counts > 0)
        bins = date_bins if column.kind in ("date", "time") else number_bins
        return bins(values[there], counts[there], column.kind)

    def _counts(self, column: Column | str) -> NDArray[np.int64]:
        """Of every different cell of a column: how many rows have it."""
        cells = self._arrays.cells(column)
        return np.bincount(cells.of_rows[self._kept_without(column)], minlength=cells.number)

    def _values(self, column: Column) -> NDArray[np.float64]:
        """Of every different cell: its number, or the number of its day."""
        read = day_of if column.kind in ("date", "time") else _number
        values: NDArray[np.float64] = self._arrays.of_cells(
            column, "values", lambda found: np.fromiter(map(read, found), np.float64, len(found)), A_TIME
        )
        return values

    # -- a map -------------------------------------------------------------------------------------

    def coordinates(self) -> list[tuple[str, str]]:
        """Columns of latitudes with those of longitudes that belong to them; the fullest first."""
        columns = [each for each in self.table.shown() if each.kind in ("number", "integer")]
        by_name = {each.name: each for each in columns}
        found = []
        for each in sorted(columns, key=lambda column: -column.filled):
            key = last_key(each.path)
            other = each.name.removesuffix(key) + LATITUDES.get(key, "?")
            if key in LATITUDES and other in by_name:
                found.append((each.name, other))
        return found

    def spots(
        self, latitudes: str, longitudes: str, bounds: tuple[float, float, float, float]
    ) -> tuple[list[Spot], int]:
        """Rows on a map between south, west, north and east, those close to each other together; and how many."""
        south, west, north, east = bounds
        y, x = (self._of_rows(find_column(self.table, name)) for name in (latitudes, longitudes))
        inside = self._kept & (y >= max(south, -90)) & (y <= min(north, 90))
        places = np.flatnonzero(inside & (x >= max(west, -180)) & (x <= min(east, 180)))
        if not len(places):
            return [], 0
        y, x = y[places], x[places]
        down = ((y - south) / max(north - south, 1e-9) * GRID).astype(np.int64)
        across = ((x - west) / max(east - west, 1e-9) * GRID).astype(np.int64)
        _, first, at, numbers = np.unique(
            down * (GRID + 1) + across, return_index=True, return_inverse=True, return_counts=True
        )
        mean_y, mean_x = np.bincount(at, y) / numbers, np.bincount(at, x) / numbers
        entities = self._arrays.entities()[places[first]].tolist()
        names = self._names(entities)
        spots = [
            Spot(float(lat), float(lon), int(number), entity, names.get(entity, ""))
            for lat, lon, number, entity in zip(mean_y, mean_x, numbers, entities, strict=True)
        ]
        return spots, len(places)

    def _of_rows(self, column: Column | str) -> NDArray[np.float64]:
        assert isinstance(column, Column)
        return self._values(column)[self._arrays.cells(column).of_rows]

    def _names(self, entities: Sequence[int]) -> dict[int, str]:
        sql = f"SELECT id, name FROM entities WHERE id IN ({_marks(entities)})"
        return {entity: name or "" for entity, name in self._connection.execute(sql, entities)}

    # -- which columns are worth counting ----------------------------------------------------------

    def choosable(self) -> set[str]:
        """The names of columns with few and short values, by a sample of the rows."""
        return self._arrays.remember("choosable", self._find_choosable)

    def _find_choosable(self) -> set[str]:
        columns = [each for each in self.table.shown() if each.kind in ("text", "boolean")]
        entities = self._arrays.entities()
        sample = entities[np.linspace(0, len(entities) - 1, min(SAMPLE, len(entities))).astype(np.int64)].tolist()
        places = ", ".join(["r.host", *map(place_of, columns)])
        sql = f"SELECT {places} FROM {self.table.name} r WHERE entity IN ({_marks(sample)})"
        rows = self._connection.execute(sql, sample).fetchall()
        by_column = zip(columns, list(zip(*rows, strict=True))[1:], strict=True)
        return {"host", *(column.name for column, cells in by_column if _are_few(cells))}


class _Words(NamedTuple):
    """Values of a column's cells. Of those that differ in case only, the first one stands for all."""

    texts: list[str]
    cell: NDArray[np.int32]  # pairs of a cell
    word: NDArray[np.int32]  # and a value in it


def _words(column: Column | str, found: Sequence[Any]) -> _Words:
    known: dict[str, int] = {}
    texts: list[str] = []
    pairs: list[tuple[int, int]] = []
    for at, cell in enumerate(found):
        if cell is None:
            continue
        for text in dict.fromkeys(_texts(column, cell)):
            word = known.setdefault(text.casefold(), len(texts))
            if word == len(texts):
                texts.append(text)
            if not pairs or pairs[-1] != (at, word):
                pairs.append((at, word))
    both = np.array(pairs, np.int32).reshape(-1, 2)
    return _Words(texts, both[:, 0], both[:, 1])


def _are_few(cells: Sequence[Any]) -> bool:
    values = [str(value) for cell in cells for value in values_in(cell)]
    different = set(values)
    if not values or sum(map(len, different)) > SHORT * len(different):
        return False
    return len(different) <= max(FEW * len(values), 3 if len(values) > 3 else 1)


def _row(columns: Sequence[Column], row: tuple[Any, ...]) -> Row:
    about = dict(zip(("entity", *FIXED), row, strict=False))
    cells = zip(columns, row[len(FIXED) + 1 :], strict=True)
    return about, {column.name: shown(column, cell) for column, cell in cells if cell is not None}


def _texts(column: Column | str, cell: Any) -> list[str]:
    if isinstance(column, str):
        return [str(cell)]
    return [str(value) for value in (shown(column, cell) if column.kind == "duration" else values_in(cell))]


def _number(cell: Any) -> float:
    return float(cell) if isinstance(cell, int | float) else np.nan


def _marks(values: Sequence[Any]) -> str:
    return ", ".join("?" * len(values))
