"""nquads: all statements; each page is a graph."""

from __future__ import annotations

from pathlib import Path

from sundog.store.formats.format import Format
from sundog.store.formats.provenance import provenance
from sundog.store.page_texts import page_texts
from sundog.store.reader import CrawlReader
from sundog.store.statements import graph_iri, nquads


def write_nquads(reader: CrawlReader, out: Path) -> None:
    with out.open("w", encoding="utf-8", newline="\n") as file:
        for page in page_texts(reader):
            file.write(nquads(graph_iri(page.graph), page.triples))


def write_nquads_with_provenance(reader: CrawlReader, out: Path) -> None:
    write_nquads(reader, out)
    with out.open("a", encoding="utf-8", newline="\n") as file:
        file.writelines(provenance(reader))


NQUADS = Format(
    name="nquads",
    file="export.nq",
    media_type="application/n-quads",
    title="N-Quads",
    summary="all statements; each page is a graph",
    write=write_nquads,
    with_provenance=write_nquads_with_provenance,
)
