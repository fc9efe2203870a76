"""Tables of entities as Arrow has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sundog.arrow import pa
from sundog.entities.reading import Field, TableReader, columns_of
from sundog.store.formats.parquet import arrow_schema


def batches_of(reader: TableReader, fields: Sequence[Field]) -> Iterator[Any]:
    """Record batches: a table may be larger than memory."""
    schema = arrow_schema(columns_of(fields))
    for rows in reader.rows(fields):
        columns = zip(*rows, strict=True)
        yield pa.RecordBatch.from_arrays(
            [pa.array(values, each.type) for values, each in zip(columns, schema, strict=True)], schema=schema
        )


def arrow_table(reader: TableReader, names: Sequence[str] = ()) -> Any:
    fields = reader.fields(names)
    return pa.Table.from_batches(batches_of(reader, fields), schema=arrow_schema(columns_of(fields)))
