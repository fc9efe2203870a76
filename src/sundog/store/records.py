"""Records with whatever fields they have, as tables: a column for each field, of the type of all its values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa

from sundog.store.tables import Table

Record = Mapping[str, Any]
AT_ONCE = 5_000
MOST_COLUMNS = 1_000


def write_records(records: Sequence[Record], path: Path, table: type[Table]) -> None:
    """Items within items become JSON. A table needs a column, so one without records has an empty one."""
    names = list(dict.fromkeys(name for record in records for name in record))[:MOST_COLUMNS] or ["id"]
    types = {name: _type(record.get(name) for record in records) for name in names}
    schema = pa.schema([(name, types[name]) for name in names])
    out = table(path, schema)
    try:
        for begin in range(0, len(records), AT_ONCE):
            some = records[begin : begin + AT_ONCE]
            out.write([[_cell(record.get(name), types[name]) for name in names] for record in some])
    finally:
        out.close()


def _type(values: Iterable[Any]) -> Any:
    """
    >>> [str(_type(values)) for values in ([1, None], [1, 2.5], ["a", 1], [["a"], []], [{"b": 1}], [1 << 63])]
    ['int64', 'double', 'string', 'list<item: string>', 'string', 'string']
    """
    known = [value for value in values if value is not None]
    kinds = {type(value) for value in known}
    if kinds == {bool}:
        return pa.bool_()
    if kinds and kinds <= {int, float} and all(_fits(value) for value in known):
        return pa.int64() if kinds == {int} else pa.float64()
    return pa.list_(pa.string()) if kinds == {list} else pa.string()


def _fits(value: float) -> bool:
    """Whether it is no whole number of more than 64 bits: Parquet has none, and a float would round it."""
    return isinstance(value, float) or -(1 << 63) <= value < 1 << 63


def _cell(value: Any, kind: Any) -> Any:
    if value is None:
        return None
    if pa.types.is_list(kind):
        return [_text(each) for each in value]
    return _text(value) if pa.types.is_string(kind) else value


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return str(value) if type(value) is int else orjson.dumps(value).decode()  # which stops at 64 bits
