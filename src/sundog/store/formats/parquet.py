"""sundog.store.formats.parquet"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq


class ParquetTable:
    suffix = ".parquet"

    def __init__(self, path: Path, columns: Any) -> None:
        self._columns = columns
        self._writer = pq.ParquetWriter(path, columns, compression="zstd")

    def write(self, rows: Sequence[Sequence[Any]]) -> None:
        arrays = [
            pa.array(values, field.type)
            for values, field in zip(zip(*rows, strict=True), self._columns, strict=True)
        ]
        self._writer.write_table(pa.Table.from_arrays(arrays, schema=self._columns))

    def close(self) -> None:
        self._writer.close()
