"""Tables as Parquet, for data frames."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO


class ParquetTable:
    suffix = ".parquet"

    def __init__(self, out: Path | BinaryIO, columns: Any) -> None:
        import pyarrow.parquet as pq  # heavy, and needed only here

        self._columns = columns
        self._writer = pq.ParquetWriter(out, columns, compression="zstd")

    def write(self, rows: Sequence[Sequence[Any]]) -> None:
        import pyarrow as pa

        arrays = [
            pa.array(values, field.type)
            for values, field in zip(zip(*rows, strict=True), self._columns, strict=True)
        ]
        self._writer.write_table(pa.Table.from_arrays(arrays, schema=self._columns))

    def close(self) -> None:
        self._writer.close()
