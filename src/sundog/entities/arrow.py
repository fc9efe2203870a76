"""Tables of entities as Arrow has them; pyarrow is loaded only here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from sundog.entities.reading import Field, TableReader

TYPES = {
    "integer": pa.int64(),
    "number": pa.float64(),
    "boolean": pa.bool_(),
    "date": pa.date32(),
    "time": pa.timestamp("us", "UTC"),
    "duration": pa.duration("ms"),
    "url": pa.string(),
    "text": pa.string(),
}


def schema_of(fields: Sequence[Field]) -> Any:
    return pa.schema([(field.name, _type(field)) for field in fields])


def _type(field: Field) -> Any:
    return pa.list_(TYPES[field.kind]) if field.is_list else TYPES[field.kind]


def batches_of(reader: TableReader, fields: Sequence[Field]) -> Iterator[Any]:
    """Record batches: a table may be larger than memory."""
    schema = schema_of(fields)
    for rows in reader.rows(fields):
        columns = zip(*rows, strict=True)
        yield pa.RecordBatch.from_arrays(
            [pa.array(values, each.type) for values, each in zip(columns, schema, strict=True)], schema=schema
        )


def arrow_table(reader: TableReader, names: Sequence[str] = ()) -> Any:
    fields = reader.fields(names)
    return pa.Table.from_batches(batches_of(reader, fields), schema=schema_of(fields))
