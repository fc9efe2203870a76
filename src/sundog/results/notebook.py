"""A crawl in a notebook: its entities, pages and statements as tables, and questions in SPARQL."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from sundog.arrow import pa, pq
from sundog.entities.arrow import arrow_table
from sundog.entities.database import open_entities
from sundog.entities.raw import raw_entities
from sundog.entities.reading import Selected
from sundog.errors import UsageError
from sundog.short_repr import ShortRepr
from sundog.store import open_readonly
from sundog.store.formats.parquet import ParquetTable
from sundog.store.page_texts import page_texts
from sundog.store.query import Answer, query
from sundog.store.statements import split_triples
from sundog.store.tables import PAGE_COLUMNS, page_rows, write_rows


class Crawl(ShortRepr):
    """A crawl's directory, finished or running. Tables are Arrow's: ``.to_pandas()``, ``polars.from_arrow(…)``."""

    def __init__(self, directory: Path | str) -> None:
        self.directory = Path(directory)

    def _shown(self) -> dict[str, Any]:
        return {"directory": str(self.directory)}

    def types(self) -> dict[str, int]:
        """The types of entities that were found, with their numbers; the most frequent first."""
        with open_entities(self.directory) as (database, _):
            return {table.short: table.number for table in database.tables.listed()}

    def entities(self, type: str, *, columns: tuple[str, ...] = (), where: str = "", merged: bool = True) -> Any:
        """The table of a type, as ``sundog export --type`` gives it."""
        if isinstance(columns, str):
            raise UsageError(f"columns='{columns}': names in a list are expected, such as ['{columns}']")
        wanted = [where] if where else []
        with open_entities(self.directory) as (database, _):
            if merged:
                return arrow_table(Selected(database).table(type, wanted), columns)
            with raw_entities(database) as raw:
                return arrow_table(Selected(raw).table(type, wanted), columns)

    def pages(self) -> Any:
        """Every fetch, as in ``pages.parquet``."""
        out = io.BytesIO()
        with open_readonly(self.directory) as reader:
            write_rows(ParquetTable(out, PAGE_COLUMNS), page_rows(reader))
        out.seek(0)
        return pq.read_table(out)

    def statements(self) -> Any:
        """What pages say, as terms of N-Triples: page, syntax, subject, predicate, object."""
        names = ("page", "syntax", "subject", "predicate", "object")
        schema = pa.schema([(name, pa.string()) for name in names])
        batches = []
        with open_readonly(self.directory) as reader:
            for page in page_texts(reader):
                triples = split_triples(page.triples)
                columns = [
                    [page.graph] * len(triples),
                    [page.syntax] * len(triples),
                    *map(list, zip(*triples, strict=True)),
                ]
                if triples:
                    batches.append(
                        pa.RecordBatch.from_arrays(
                            [pa.array(each, pa.string()) for each in columns], schema=schema
                        )
                    )
        return pa.Table.from_batches(batches, schema=schema)

    def query(self, sparql: str, *, seconds: float = 60.0) -> Answer:
        """Ask in SPARQL; each page is a named graph."""
        return query(self.directory, sparql, seconds=seconds)
