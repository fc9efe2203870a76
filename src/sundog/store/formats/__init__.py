"""Taking the data home. Every export streams, and appears under its name only when it is complete."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from sundog.errors import UsageError, nearest_or_all
from sundog.files import complete_or_absent
from sundog.store import database
from sundog.store.directory import DATABASE, check_target
from sundog.store.formats.answers import write_answers
from sundog.store.formats.csv import CsvTable
from sundog.store.formats.items import write_items
from sundog.store.formats.jsonl import write_jsonl
from sundog.store.formats.nquads import write_nquads, write_nquads_with_provenance
from sundog.store.formats.parquet import ParquetTable
from sundog.store.formats.provenance import write_provenance
from sundog.store.formats.void import write_void
from sundog.store.formats.warc import write_warc
from sundog.store.reader import CrawlReader, open_readonly
from sundog.store.tables import write_tables

FORMATS: dict[str, tuple[str, Callable[[CrawlReader, Path], None]]] = {
    "nquads": ("export.nq", write_nquads),
    "jsonl": ("export.jsonl", write_jsonl),
    "parquet": ("export-parquet", partial(write_tables, table=ParquetTable)),
    "csv": ("export-csv", partial(write_tables, table=CsvTable)),
    "answers": ("answers.jsonl", write_answers),
    "provenance": ("provenance.nq", write_provenance),
    "void": ("void.ttl", write_void),
    "items": ("items.jsonl", write_items),
    "warc": ("export.warc.gz", write_warc),
}
TABLES = ("parquet", "csv")


def export(
    directory: Path | str, form: str, out: Path | str | None = None, *, with_provenance: bool = False
) -> Path:
    """Write a crawl, finished or running, in a format; returns where. Tables fill a directory.

    ``with_provenance``: N-Quads have another graph, which says where the others come from.
    """
    if form not in FORMATS:
        raise UsageError(f"unknown format '{form}'{nearest_or_all(form, [*FORMATS, 'result'])}")
    name, write = FORMATS[form]
    if with_provenance:
        if form != "nquads":
            raise UsageError(f"provenance is added to nquads only, not to {form}: there is a format of that name")
        write = write_nquads_with_provenance
    target = Path(out) if out is not None else Path(directory) / name
    check_target(target, Path(directory), is_table=form in TABLES)
    errors = database.plain_errors(Path(directory) / DATABASE)
    with open_readonly(directory) as reader, errors, complete_or_absent(target) as temporary:
        reader.connection.execute("BEGIN")  # all tables as of one commit
        write(reader, temporary)
    return target
