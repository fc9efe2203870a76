"""void: a description of what was collected, in VoID and DCAT, for catalogues and for whoever gets the data.

What there is is counted first, in memory that does not grow with the crawl.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, Triple, serialize

from sundog.rdf.namespaces import PREFIXES
from sundog.rdf.terms import TYPE
from sundog.store.database import LATEST
from sundog.store.formats.format import Format
from sundog.store.formats.nquads import NQUADS
from sundog.store.page_texts import page_texts
from sundog.store.reader import CrawlReader
from sundog.store.statements import HAS_STATEMENTS, split_triples
from sundog.texts import iso_time
from sundog.urls.hosts import origin_of
from sundog.urls.iris import as_iri, page_iri

MOST_KEYS = 100_000  # of a counter: a host may invent names without end
BATCH = 10_000
DOCUMENTS = f"""SELECT {{graph}} FROM outcomes o JOIN urls u ON u.id = o.candidate
  WHERE {HAS_STATEMENTS} AND {LATEST}"""
USED = {name: PREFIXES[name] for name in ("void", "dcat", "dcterms", "rdf", "xsd")}
NS, DCAT, DC, RDF, XSD = USED.values()
HOW = f"sundog export --format {NQUADS.name}; the document as graph"
MEDIA_TYPES = "https://www.iana.org/assignments/media-types"
NAMESPACE = re.compile(r"<(.*[#/])[^#/]*>").fullmatch
MOST_PARTS, MOST_HOSTS, MOST_VOCABULARIES = 200, 500, 50


def write_void(reader: CrawlReader, out: Path) -> None:
    out.write_bytes(description(reader))


def description(reader: CrawlReader) -> bytes:
    """As Turtle."""
    described = _Description(reader)
    written = serialize(described.triples(), format=RdfFormat.TURTLE, prefixes=USED)
    assert written is not None
    return written


class _Description:
    def __init__(self, reader: CrawlReader) -> None:
        self._spec = reader.spec_table
        self._found = Collected(reader)
        name = uuid.uuid5(uuid.NAMESPACE_URL, f"{reader.spec_text}\n{self._found.first}")
        self._dataset = NamedNode(f"urn:uuid:{name}")

    def triples(self) -> Iterator[Triple]:
        yield from self._totals()
        yield from self._distribution()
        yield from self._parts("propertyPartition", "property", "triples", self._found.properties)
        yield from self._parts("classPartition", "class", "entities", self._found.classes)
        for space in self._vocabularies():
            yield _triple(self._dataset, f"{NS}vocabulary", NamedNode(space))
        yield from self._hosts()

    def _totals(self) -> Iterator[Triple]:
        me, found = self._dataset, self._found
        for kind in (f"{NS}Dataset", f"{DCAT}Dataset"):
            yield _triple(me, f"{RDF}type", NamedNode(kind))
        seeds = [str(seed) for seed in self._spec.get("seeds", [])]
        title = str(self._spec.get("title") or f"Crawl from {', '.join(seeds[:3])}")
        yield _triple(me, f"{DC}title", Literal(title))
        if self._spec.get("description"):
            yield _triple(me, f"{DC}description", Literal(str(self._spec["description"])))
        if found.pages:
            yield _triple(me, f"{DC}created", _time(found.first))
            yield _triple(me, f"{DC}modified", _time(found.last))
        yield from _numbers(
            me,
            triples=found.triples,
            documents=found.pages,
            distinctSubjects=found.subjects,
            distinctObjects=found.objects,
            properties=len(found.properties),
            classes=len(found.classes),
        )
        for iri in filter(None, map(as_iri, seeds)):
            yield _triple(me, f"{NS}rootResource", NamedNode(iri))

    def _distribution(self) -> Iterator[Triple]:
        form = BlankNode("nquads")
        yield _triple(self._dataset, f"{NS}feature", NamedNode("http://www.w3.org/ns/formats/N-Quads"))
        yield _triple(self._dataset, f"{DCAT}distribution", form)
        yield _triple(form, f"{RDF}type", NamedNode(f"{DCAT}Distribution"))
        yield _triple(form, f"{DCAT}mediaType", NamedNode(f"{MEDIA_TYPES}/{NQUADS.media_type}"))
        yield _triple(form, f"{DC}description", Literal(HOW))

    def _parts(self, part: str, key: str, unit: str, counts: Any) -> Iterator[Triple]:
        for number, (term, count) in enumerate(counts.most_common(MOST_PARTS)):
            node, what = BlankNode(f"{key}{number}"), _node(term[1:-1])
            if what is not None:
                yield _triple(self._dataset, f"{NS}{part}", node)
                yield _triple(node, f"{NS}{key}", what)
                yield from _numbers(node, **{unit: count})

    def _vocabularies(self) -> list[str]:
        terms = [*self._found.properties, *self._found.classes]
        spaces = dict.fromkeys(match[1] for term in terms if (match := NAMESPACE(term)))
        return [space for space in spaces if _node(space) is not None][:MOST_VOCABULARIES]

    def _hosts(self) -> Iterator[Triple]:
        """A subset for each host, and a linkset for each two of them between which statements lead."""
        found = self._found
        subsets: dict[str, NamedNode] = {}
        for host, triples in found.triples_by_host.most_common(MOST_HOSTS):
            if _node(host) is None:
                continue
            subset = subsets[host] = NamedNode(page_iri(f"{self._dataset.value}#{host.partition('://')[2]}"))
            yield _triple(self._dataset, f"{NS}subset", subset)
            yield _triple(subset, f"{RDF}type", NamedNode(f"{NS}Dataset"))
            yield _triple(subset, f"{NS}uriSpace", Literal(f"{host}/"))
            yield from _numbers(subset, triples=triples, documents=found.documents[host])
        for number, (pair, count) in enumerate(found.links.most_common(MOST_HOSTS)):
            here, _, there = pair.partition(" ")
            if here in subsets and there in subsets:
                linkset = BlankNode(f"links{number}")
                yield _triple(linkset, f"{RDF}type", NamedNode(f"{NS}Linkset"))
                yield _triple(linkset, f"{NS}subjectsTarget", subsets[here])
                yield _triple(linkset, f"{NS}objectsTarget", subsets[there])
                yield from _numbers(linkset, triples=count)


def _triple(subject: Any, predicate: str, value: Any) -> Triple:
    return Triple(subject, NamedNode(predicate), value)


def _numbers(subject: Any, **counts: int) -> Iterator[Triple]:
    for name, count in counts.items():
        yield _triple(subject, NS + name, Literal(str(count), datatype=NamedNode(f"{XSD}integer")))


def _time(at: float) -> Literal:
    return Literal(iso_time(at), datatype=NamedNode(f"{XSD}dateTime"))


def _node(iri: str) -> NamedNode | None:
    try:
        return NamedNode(iri)
    except ValueError:
        return None


class BoundedCounter(Counter[str]):
    """Knows no more than so many keys; those that came first are counted."""

    def note(self, key: str, times: int = 1) -> None:
        if key in self or len(self) < MOST_KEYS:
            self[key] += times


class Distinct:
    """How many different strings were added, counted in a temporary table of the database."""

    def __init__(self, connection: sqlite3.Connection, name: str) -> None:
        self._connection, self._name = connection, name
        self._batch: set[int] = set()
        connection.execute(f"CREATE TEMP TABLE {name}(key INTEGER PRIMARY KEY) WITHOUT ROWID")

    def add(self, text: str) -> None:
        key = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest()
        self._batch.add(int.from_bytes(key, "big", signed=True))
        if len(self._batch) >= BATCH:
            self._write()

    def _write(self) -> None:
        rows = ((key,) for key in self._batch)
        self._connection.executemany(f"INSERT OR IGNORE INTO {self._name} VALUES (?)", rows)
        self._batch.clear()

    def close(self) -> int:
        """The number; the table is gone afterwards."""
        self._write()
        (count,) = self._connection.execute(f"SELECT count(*) FROM {self._name}").fetchone()
        self._connection.execute(f"DROP TABLE {self._name}")
        return int(count)


class Collected:
    """Counts of all statements of a crawl."""

    def __init__(self, reader: CrawlReader) -> None:
        self.triples = 0
        self.properties, self.classes = BoundedCounter(), BoundedCounter()
        self.documents, self.triples_by_host, self.links = BoundedCounter(), BoundedCounter(), BoundedCounter()
        self.first, self.last = float("inf"), float("-inf")
        self._subjects = Distinct(reader.connection, "void_subjects")
        self._objects = Distinct(reader.connection, "void_objects")
        for page in page_texts(reader):
            self.first, self.last = min(self.first, page.at), max(self.last, page.at)
            self.triples_by_host.note(origin_of(page.graph), self._take(split_triples(page.triples)))
        self.subjects, self.objects = self._subjects.close(), self._objects.close()
        self.pages = 0
        for (url,) in reader.connection.execute(DOCUMENTS.format(graph=reader.graph_column)):
            self.pages += 1
            self.documents.note(origin_of(url))

    def _take(self, triples: Iterable[tuple[str, ...]]) -> int:
        count = 0
        for subject, predicate, value in triples:
            count += 1
            self._subjects.add(subject)
            self._objects.add(value)
            self.properties.note(predicate)
            if predicate == TYPE and value.startswith("<"):
                self.classes.note(value)
            elif subject.startswith("<http") and value.startswith("<http"):
                self._note_link(origin_of(subject[1:-1]), origin_of(value[1:-1]))
        self.triples += count
        return count

    def _note_link(self, here: str, there: str) -> None:
        if here != there:
            self.links.note(f"{here} {there}")


VOID = Format(
    name="void",
    file="void.ttl",
    media_type="text/turtle",
    title="VoID",
    summary="a description of what was collected, in VoID and DCAT",
    write=write_void,
)
