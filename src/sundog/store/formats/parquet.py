"""Tables as Parquet, for data frames."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

from sundog.arrow import pa, pq
from sundog.store.formats.columns import KINDS, Columns


@cache
def arrow_type(kind: str) -> Any:
    if kind.endswith("[]"):
        return pa.list_(arrow_type(kind[:-2]))
    types = (
        *(pa.int64(), pa.float64(), pa.bool_(), pa.date32(), pa.timestamp("us", "UTC")),
        *(pa.duration("ms"), pa.string(), pa.string()),
    )
    return dict(zip(KINDS, types, strict=True))[kind]


def arrow_schema(columns: Columns) -> Any:
    return pa.schema([(name, arrow_type(kind)) for name, kind in columns])


class ParquetTable:
    suffix = ".parquet"

    def __init__(self, out: Path | BinaryIO, columns: Columns) -> None:
        self._schema = arrow_schema(columns)
        self._writer = pq.ParquetWriter(out, self._schema, compression="zstd")

    def write(self, rows: Sequence[Sequence[Any]]) -> None:
        arrays = [
            pa.array(values, field.type)
            for values, field in zip(zip(*rows, strict=True), self._schema, strict=True)
        ]
        self._writer.write_table(pa.Table.from_arrays(arrays, schema=self._schema))

    def close(self) -> None:
        self._writer.close()
