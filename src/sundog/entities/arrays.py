"""A type's table as arrays, for questions about all its rows: which of them a filter keeps, their order, counts.

SQLite answers each of them in a second or two for a million rows. What is asked of a table is asked again and
again, with another filter or by another column; so the parts that answers are made of are kept: for each column
which rows have equal cells, and for each condition which rows it keeps. Rows have places, 0 to n - 1, in the order
of their entities. Parts are exact, belong to one state of the database, and are forgotten when there are too many.
"""

from __future__ import annotations

import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from itertools import chain
from threading import RLock
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from sundog.entities.columns import Column
from sundog.entities.database import EntityDatabase
from sundog.entities.filters import Condition, Where, where_of_one, where_of_search
from sundog.entities.tables import TypeTable, find_column, order_of, place_of

Places = NDArray[np.int32]
Kept = NDArray[np.bool_]
Made = TypeVar("Made")
MOST_BYTES: Final = 300_000_000
DIFFERENT: Final = 0.5  # cells a row
WITH_INDEX: Final = 20_000  # rows from which on a column gets an index when it is first asked about


class Cells(NamedTuple):
    """Which rows of a column have equal cells: the number of its cell for every row, in the order of SQLite."""

    of_rows: Places
    example: Places  # a row for every cell
    has_empty: bool  # the first cell is NULL

    @property
    def number(self) -> int:
        return len(self.example)


class TableArrays:
    """Of one table, at the state that the connection's transaction sees."""

    def __init__(self, database: EntityDatabase, table: TypeTable) -> None:
        self._connection = database.connection
        self._table = table
        self._state = (*database.state(), table.id)

    def entities(self) -> NDArray[np.int64]:
        """Their numbers, ascending."""
        return self.remember(
            "entities", lambda: self._numbers(f"SELECT entity FROM {self._table.name} ORDER BY 1")
        )

    def cells(self, column: Column | str) -> Cells:
        return self.remember(("cells", place_of(column)), lambda: self._read_cells(column))

    def of_cells(self, column: Column | str, name: str, read: Callable[[list[Any]], Made], longest: int) -> Made:
        """What ``read`` makes of the different cells of a column, of which it gets so many characters."""
        return self.remember((name, place_of(column)), lambda: read(self._different(column, longest)))

    def characters(self, column: Column | str) -> int:
        """How long the different cells of a column are together."""
        place = place_of(column)
        sql = f"SELECT sum(n) FROM (SELECT length({place}) AS n FROM {self._table.name} r GROUP BY {place})"
        return self.remember(("characters", place), lambda: int(self._connection.execute(sql).fetchone()[0] or 0))

    def order(self, column: Column | str, *, descending: bool) -> Places:
        """The places of all rows, sorted."""
        return self.remember(("order", place_of(column), descending), lambda: self._read_order(column, descending))

    def kept_by(self, condition: Condition) -> Kept:
        """Which rows a condition keeps."""
        return self.remember(condition, lambda: self._read_kept(condition))

    def kept_by_search(self, text: str) -> Kept:
        return self.remember(("search", text), lambda: self._rows_with(where_of_search(self._table, text)))

    def _read_cells(self, column: Column | str) -> Cells:
        self._ensure_index(column)
        place = place_of(column)
        rows = self._places(f"SELECT r.entity FROM {self._table.name} r ORDER BY {place}, r.entity")
        counts = self._numbers(f"SELECT count(*) FROM {self._table.name} r GROUP BY {place} ORDER BY {place}")
        of_rows = np.empty(len(rows), np.int32)
        of_rows[rows] = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
        example = rows[np.cumsum(counts) - counts]
        sql = f"SELECT count(*) > 0 FROM (SELECT 1 FROM {self._table.name} r WHERE {place} IS NULL LIMIT 1)"
        return Cells(of_rows, example, bool(self._connection.execute(sql).fetchone()[0]))

    def _different(self, column: Column | str, longest: int) -> list[Any]:
        place = place_of(column)
        cell = f"CASE typeof({place}) WHEN 'text' THEN substr({place}, 1, {longest}) ELSE {place} END"
        sql = f"SELECT {cell} FROM {self._table.name} r GROUP BY {place} ORDER BY {place}"
        return list(chain.from_iterable(self._connection.execute(sql)))

    def _read_order(self, column: Column | str, descending: bool) -> Places:
        self._ensure_index(column)
        order = order_of(column, descending=descending)
        return self._places(f"SELECT r.entity FROM {self._table.name} r ORDER BY {order}")

    def _read_kept(self, condition: Condition) -> Kept:
        """A condition is asked of each different cell, or of each row if nearly all are different."""
        where = where_of_one(self._table, condition)
        column = find_column(self._table, condition.column)
        cells = self.cells(column)
        if cells.number > DIFFERENT * len(cells.of_rows):
            return self._rows_with(where)
        place = place_of(column)
        sql = f"SELECT coalesce({where.sql}, 0) FROM {self._table.name} r GROUP BY {place} ORDER BY {place}"
        fits = self._numbers(sql, where.values).astype(np.bool_)
        kept: Kept = fits[cells.of_rows]
        return kept

    def _rows_with(self, where: Where) -> Kept:
        found = self._places(f"SELECT r.entity FROM {self._table.name} r WHERE {where.sql}", where.values)
        kept = np.zeros(len(self.entities()), np.bool_)
        kept[found] = True
        return kept

    def _places(self, sql: str, values: Iterable[Any] = ()) -> Places:
        return np.searchsorted(self.entities(), self._numbers(sql, values)).astype(np.int32)

    def _numbers(self, sql: str, values: Iterable[Any] = ()) -> NDArray[np.int64]:
        return np.fromiter(chain.from_iterable(self._connection.execute(sql, tuple(values))), np.int64)

    def _ensure_index(self, column: Column | str) -> None:
        """A large table is sorted by an index, which the first who asks for it makes."""
        if self._table.number < WITH_INDEX:
            return
        name = place_of(column).removeprefix("r.")
        try:
            self._connection.execute(
                f"CREATE INDEX IF NOT EXISTS {self._table.name}_{name} ON {self._table.name}({name})"
            )
        except sqlite3.OperationalError as error:
            if "interrupted" in str(error):
                raise
            return  # another process writes, or nobody may: it takes longer without

    def remember(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What ``make`` has given for this state of the table."""
        return _memory.get((self._state, key), make)


class _Memory:
    """Results by key, up to so many bytes; the one that was not asked for the longest goes first.

    They are made one at a time: whoever needs the same waits for it, and threads that read rows in turns would
    hinder each other.
    """

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._making = RLock()
        self._held: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._bytes = 0

    def get(self, key: Hashable, make: Callable[[], Made]) -> Made:
        with self._making:
            if key not in self._held:
                made = make()
                self._held[key] = made, _size(made)
                self._bytes += self._held[key][1]
            self._held.move_to_end(key)
            while self._bytes > self._most and len(self._held) > 1:
                _, (_, size) = self._held.popitem(last=False)
                self._bytes -= size
            found: Made = self._held[key][0]
            return found


def _size(made: Any) -> int:
    if isinstance(made, np.ndarray):
        return made.nbytes
    if isinstance(made, tuple | list):
        return 64 + sum(map(_size, made))
    return 80 + len(made) if isinstance(made, str) else 32


_memory = _Memory(MOST_BYTES)
