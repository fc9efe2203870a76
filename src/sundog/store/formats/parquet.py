"""parquet: tables of pages, links, entities and items, for data frames."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sundog.store.formats.format import Format
from sundog.store.reader import CrawlReader


class ParquetTable:
    suffix = ".parquet"

    def __init__(self, path: Path, columns: Any) -> None:
        import pyarrow.parquet as pq  # heavy, and needed only here

        self._columns = columns
        self._writer = pq.ParquetWriter(path, columns, compression="zstd")

    def write(self, rows: Sequence[Sequence[Any]]) -> None:
        import pyarrow as pa

        arrays = [
            pa.array(values, field.type)
            for values, field in zip(zip(*rows, strict=True), self._columns, strict=True)
        ]
        self._writer.write_table(pa.Table.from_arrays(arrays, schema=self._columns))

    def close(self) -> None:
        self._writer.close()


def write_parquet(reader: CrawlReader, out: Path) -> None:
    from sundog.store.tables import write_tables  # loads pyarrow

    write_tables(reader, out, ParquetTable)


PARQUET = Format(
    name="parquet",
    file="export-parquet",
    media_type="application/zip",
    title="Parquet",
    summary="tables of pages, links, entities and items, for data frames",
    write=write_parquet,
    parts=frozenset({"pages.parquet", "links.parquet", "entities", "items"}),
)
