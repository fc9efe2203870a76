"""csv and parquet: tables of pages, links, items, and of every type of entity; or of one type."""

from __future__ import annotations

import re
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import BinaryIO
from zlib import crc32

from sundog.entities.reading import Selected, TableReader, columns_of
from sundog.results.formats.selected import selected_entities, selected_table
from sundog.store.formats.csv import CsvTable
from sundog.store.formats.format import Format, Selection
from sundog.store.formats.parquet import ParquetTable
from sundog.store.reader import CrawlReader
from sundog.store.tables import Table, write_item_tables, write_links, write_pages

MOST_TYPES = 200  # the most frequent ones have tables
CSV_TYPE, PARQUET_TYPE = "text/csv", "application/vnd.apache.parquet"


def _write(table: type[Table], reader: CrawlReader, out: Path | BinaryIO, selection: Selection) -> None:
    selection.check()
    with selected_entities(reader, selection) as selected:
        if selection.type:
            write_table(selected_table(selected, selection), out, table, selection.columns)
            return
        assert isinstance(out, Path)  # no folder goes to a pipe
        _write_folder(table, reader, out, selected)


def _write_folder(table: type[Table], reader: CrawlReader, out: Path, selected: Selected) -> None:
    out.mkdir()
    write_pages(reader, out, table)
    write_links(reader, out, table)
    folder = out / "entities"
    folder.mkdir()
    for name, file in _files(selected.types(MOST_TYPES)).items():
        write_table(selected.table(name), folder / f"{file}{table.suffix}", table)
    write_item_tables(reader, out / "items", table)


def write_table(
    reader: TableReader, out: Path | BinaryIO, table: type[Table], columns: tuple[str, ...] = ()
) -> None:
    fields = reader.fields(columns)
    with closing(table(out, columns_of(fields))) as writer:
        for rows in reader.rows(fields):
            writer.write(rows)


def _files(types: list[str]) -> dict[str, str]:
    """A name for each, which differs from the others in more than its case: not every file system sees that."""
    taken: set[str] = set()
    found = {}
    for iri in types:
        name = file_name(iri)
        if name.lower() in taken:
            name = f"{name}-{crc32(iri.encode()):08x}"
        taken.add(name.lower())
        found[iri] = name
    return found


def file_name(iri: str) -> str:
    """
    >>> file_name("http://schema.org/Product")
    'schema.org_Product'
    """
    return re.sub(r"[^A-Za-z0-9.-]+", "_", iri.partition("://")[2] or iri).strip("_.")[:80] or "type"


CSV = Format(
    name="csv",
    file="export-csv",
    media_type="application/zip",
    title="CSV",
    summary="tables of pages, links, entities and items, for spreadsheets",
    select=partial(_write, CsvTable),
    parts=frozenset({"pages.csv", "links.csv", "entities", "items"}),
    variants={"export.csv": CSV_TYPE},
    table_file="export.csv",
)
PARQUET = Format(
    name="parquet",
    file="export-parquet",
    media_type="application/zip",
    title="Parquet",
    summary="tables of pages, links, entities and items, for data frames",
    select=partial(_write, ParquetTable),
    parts=frozenset({"pages.parquet", "links.parquet", "entities", "items"}),
    variants={"export.parquet": PARQUET_TYPE},
    table_file="export.parquet",
)
