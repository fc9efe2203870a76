"""Taking the data home. Every export streams, and appears under its name only when it is complete."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import orjson

from sundog.errors import SundogError, UsageError, nearest_or_all
from sundog.store import database
from sundog.store.directory import DATABASE, WARC
from sundog.store.entities import as_jsonld, entities, iso_time, page_texts
from sundog.store.entity_tables import write_entities
from sundog.store.provenance import provenance
from sundog.store.reader import CrawlReader, Item, open_readonly
from sundog.store.records import Record, write_records
from sundog.store.statements import graph_iri, nquads
from sundog.store.tables import CsvTable, ParquetTable, Table, write_links, write_pages
from sundog.store.targets import check_target, complete_or_absent
from sundog.store.void import description

CHUNK = 1 << 20


def _nquads(reader: CrawlReader, out: Path) -> None:
    with out.open("w", encoding="utf-8", newline="\n") as file:
        for page in page_texts(reader):
            file.write(nquads(graph_iri(page.graph), page.triples))


def _provenance(reader: CrawlReader, out: Path) -> None:
    with out.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(provenance(reader))


def _nquads_with_provenance(reader: CrawlReader, out: Path) -> None:
    _nquads(reader, out)
    with out.open("a", encoding="utf-8", newline="\n") as file:
        file.writelines(provenance(reader))


def _void(reader: CrawlReader, out: Path) -> None:
    out.write_bytes(description(reader))


def _jsonl(reader: CrawlReader, out: Path) -> None:
    """One entity a line, with its page, time and syntax."""
    with out.open("wb") as file:
        for page in page_texts(reader):
            about = {"page": page.url, "fetched_at": iso_time(page.at), "syntax": page.syntax}
            for entity in entities(page):
                item = {**about, "entity": as_jsonld(entity)}
                file.write(orjson.dumps(item, option=orjson.OPT_APPEND_NEWLINE))


def _answers(reader: CrawlReader, out: Path) -> None:
    """One answer a line: rows of a query, records of a form, what was kept of an API; with its page and time."""
    with out.open("wb") as file:
        for url, at, answer in reader.connection.execute(ANSWERS):
            item = {"page": url, "fetched_at": iso_time(at), "answer": orjson.loads(answer)}
            file.write(orjson.dumps(item, option=orjson.OPT_APPEND_NEWLINE))


def _items(reader: CrawlReader, out: Path) -> None:
    """One item a line, with its page and the pattern that found it."""
    with out.open("wb") as file:
        for each in reader.items() if reader.knows_patterns else ():
            item = {**_about(each), "item": each.item}
            file.write(orjson.dumps(item, option=orjson.OPT_APPEND_NEWLINE))


def _about(item: Item) -> dict[str, Any]:
    return {"page": item.url, "fetched_at": iso_time(item.at), "pattern": item.pattern, "node_id": item.page}


def _write_items(reader: CrawlReader, out: Path, table: type[Table]) -> None:
    """A table for each data pattern."""
    by_pattern: dict[str, list[Record]] = {}
    for each in reader.items() if reader.knows_patterns else ():
        by_pattern.setdefault(each.pattern, []).append({**_about(each), **each.item})
    for pattern, records in by_pattern.items():
        out.mkdir(exist_ok=True)
        write_records(records, out / f"{pattern}{table.suffix}", table)


def _warc(reader: CrawlReader, out: Path) -> None:
    """The committed part of the file."""
    left = int(reader.state("warc", 0))
    if not left or not (reader.directory / WARC).is_file():
        raise SundogError(f"{reader.directory} has no {WARC}: the crawl was not asked to keep pages")
    with (reader.directory / WARC).open("rb") as source, out.open("wb") as file:
        while left and (data := source.read(min(CHUNK, left))):
            file.write(data)
            left -= len(data)


def _tables(reader: CrawlReader, out: Path, table: type[Table]) -> None:
    out.mkdir()
    write_pages(reader, out, table)
    write_links(reader, out, table)
    write_entities(reader, out / "entities", table)
    _write_items(reader, out / "items", table)


FORMATS: dict[str, tuple[str, Callable[[CrawlReader, Path], None]]] = {
    "nquads": ("export.nq", _nquads),
    "jsonl": ("export.jsonl", _jsonl),
    "parquet": ("export-parquet", partial(_tables, table=ParquetTable)),
    "csv": ("export-csv", partial(_tables, table=CsvTable)),
    "answers": ("answers.jsonl", _answers),
    "provenance": ("provenance.nq", _provenance),
    "void": ("void.ttl", _void),
    "items": ("items.jsonl", _items),
    "warc": ("export.warc.gz", _warc),
}
ANSWERS = """SELECT u.url, l.at, a.answer FROM answers a JOIN log l ON l.step = a.step
  JOIN urls u ON u.id = l.subject ORDER BY a.id"""
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
        write = _nquads_with_provenance
    target = Path(out) if out is not None else Path(directory) / name
    check_target(target, Path(directory), is_table=form in TABLES)
    errors = database.plain_errors(Path(directory) / DATABASE)
    with open_readonly(directory) as reader, errors, complete_or_absent(target) as temporary:
        reader.connection.execute("BEGIN")  # all tables as of one commit
        write(reader, temporary)
    return target
