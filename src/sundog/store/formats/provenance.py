"""provenance: where and when each document was fetched, and which redirects led to it.

It is written in PROV and Dublin Core, in a graph of its own. A document is an entity that a fetch has generated;
the fetch used the URLs that were asked for. Each redirect says that one URL leads to the other (``rdfs:seeAlso``).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from sundog.rdf.namespaces import PREFIXES, RDF, RDFS, XSD
from sundog.rdf.terms import quoted, typed
from sundog.store.database import LATEST
from sundog.store.formats.format import Format
from sundog.store.reader import CrawlReader
from sundog.store.statements import HAS_STATEMENTS, graph_iri
from sundog.texts import iso_time

GRAPH = "<urn:sundog:provenance>"
AGENT = "<urn:sundog:crawler>"
RENDERED = "<urn:sundog:rendered>"  # the type of a fetch after which a browser ran the page's scripts
PROV, DC = PREFIXES["prov"], PREFIXES["dcterms"]
FETCHES = f"""SELECT o.step, u.url, coalesce(o.final_url, u.url), {{graph}}, l.at, coalesce(o.seconds, 0),
    o.content_type, o.candidate FROM outcomes o JOIN log l ON l.step = o.step JOIN urls u ON u.id = o.candidate
  WHERE {HAS_STATEMENTS} AND {LATEST} ORDER BY o.step"""


class Fetch(NamedTuple):
    step: int
    asked: str
    final: str
    graph: str
    at: float
    seconds: float
    content_type: str | None
    candidate: int


def provenance(reader: CrawlReader) -> Iterator[str]:
    """N-Quads, a line each."""
    yield _line(AGENT, f"{RDF}type", f"<{PROV}SoftwareAgent>")
    hops: dict[int, list[str]] = {}
    for step, url in reader.connection.execute("SELECT step, url FROM hops ORDER BY rowid"):
        hops.setdefault(step, []).append(url)
    done = "SELECT page FROM renders WHERE action <> 'plain' AND failure = ''"
    rendered = {page for (page,) in reader.connection.execute(done)}
    for fetch in map(Fetch._make, reader.connection.execute(FETCHES.format(graph=reader.graph_column))):
        yield from _of_fetch(fetch, hops.get(fetch.step, []), fetch.candidate in rendered)


def _of_fetch(fetch: Fetch, hops: list[str], is_rendered: bool) -> Iterator[str]:
    document, activity = graph_iri(fetch.graph), f"_:fetch{fetch.step}"
    yield _line(document, f"{RDF}type", f"<{PROV}Entity>")
    yield _line(document, f"{PROV}generatedAtTime", _time(fetch.at))
    yield _line(document, f"{PROV}wasGeneratedBy", activity)
    if fetch.content_type:
        yield _line(document, f"{DC}format", quoted(fetch.content_type))
    yield _line(activity, f"{RDF}type", f"<{PROV}Activity>")
    if is_rendered:
        yield _line(activity, f"{RDF}type", RENDERED)
    yield _line(activity, f"{PROV}startedAtTime", _time(fetch.at - fetch.seconds))
    yield _line(activity, f"{PROV}endedAtTime", _time(fetch.at))
    yield _line(activity, f"{PROV}wasAssociatedWith", AGENT)
    way = [*map(graph_iri, [fetch.asked, *hops, fetch.final])] if fetch.asked != fetch.final else [document]
    for url in dict.fromkeys(way):
        yield _line(activity, f"{PROV}used", url)
    for url, target in pairwise(way):
        yield _line(url, f"{RDFS}seeAlso", target)
    if document != way[0]:
        yield _line(document, f"{DC}source", way[0])


def _line(subject: str, predicate: str, value: str) -> str:
    return f"{subject} <{predicate}> {value} {GRAPH} .\n"


def _time(at: float) -> str:
    return typed(iso_time(at), f"{XSD}dateTime")


def write_provenance(reader: CrawlReader, out: Path) -> None:
    with out.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(provenance(reader))


PROVENANCE = Format(
    name="provenance",
    file="provenance.nq",
    media_type="application/n-quads",
    title="Provenance",
    summary="where and when each document was fetched, in PROV and Dublin Core",
    write=write_provenance,
)
