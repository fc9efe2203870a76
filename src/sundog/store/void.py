"""A description of what a crawl has collected, in VoID and DCAT: for catalogues, and for whoever gets the data."""

from __future__ import annotations

import re
import tomllib
import uuid
from collections.abc import Iterator
from typing import Any

from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, Triple, serialize

from sundog.store.entities import iso_time
from sundog.store.reader import CrawlReader
from sundog.store.void_counts import Collected

VOID, DCAT, DC = "http://rdfs.org/ns/void#", "http://www.w3.org/ns/dcat#", "http://purl.org/dc/terms/"
RDF, XSD = "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "http://www.w3.org/2001/XMLSchema#"
PREFIXES = {"void": VOID, "dcat": DCAT, "dcterms": DC, "rdf": RDF, "xsd": XSD}
MEDIA = "https://www.iana.org/assignments/media-types/application/n-quads"
NAMESPACE = re.compile(r"<(.*[#/])[^#/]*>").fullmatch
MOST_PARTS, MOST_HOSTS, MOST_VOCABULARIES = 200, 500, 50


def description(reader: CrawlReader) -> bytes:
    """As Turtle."""
    described = _Description(reader)
    written = serialize(described.triples(), format=RdfFormat.TURTLE, prefixes=PREFIXES)
    assert written is not None
    return written


class _Description:
    def __init__(self, reader: CrawlReader) -> None:
        self._said = _spec_of(reader)
        self._found = Collected(reader)
        name = uuid.uuid5(uuid.NAMESPACE_URL, f"{reader.spec_text}\n{self._found.first}")
        self._dataset = NamedNode(f"urn:uuid:{name}")

    def triples(self) -> Iterator[Triple]:
        yield from self._totals()
        yield from self._distribution()
        yield from self._parts("propertyPartition", "property", "triples", self._found.properties)
        yield from self._parts("classPartition", "class", "entities", self._found.classes)
        for space in self._vocabularies():
            yield _triple(self._dataset, f"{VOID}vocabulary", NamedNode(space))
        yield from self._hosts()

    def _totals(self) -> Iterator[Triple]:
        me, found = self._dataset, self._found
        for kind in (f"{VOID}Dataset", f"{DCAT}Dataset"):
            yield _triple(me, f"{RDF}type", NamedNode(kind))
        seeds = [str(seed) for seed in self._said.get("seeds", [])]
        title = str(self._said.get("title") or f"Crawl from {', '.join(seeds[:3])}")
        yield _triple(me, f"{DC}title", Literal(title))
        if self._said.get("description"):
            yield _triple(me, f"{DC}description", Literal(str(self._said["description"])))
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
        for node in filter(None, map(_node, seeds)):
            yield _triple(me, f"{VOID}rootResource", node)

    def _distribution(self) -> Iterator[Triple]:
        form = BlankNode("nquads")
        yield _triple(self._dataset, f"{VOID}feature", NamedNode("http://www.w3.org/ns/formats/N-Quads"))
        yield _triple(self._dataset, f"{DCAT}distribution", form)
        yield _triple(form, f"{RDF}type", NamedNode(f"{DCAT}Distribution"))
        yield _triple(form, f"{DCAT}mediaType", NamedNode(MEDIA))
        yield _triple(form, f"{DC}description", Literal("sundog export --format nquads; the document as graph"))

    def _parts(self, part: str, key: str, unit: str, counts: Any) -> Iterator[Triple]:
        for number, (term, count) in enumerate(counts.most_common(MOST_PARTS)):
            node, what = BlankNode(f"{key}{number}"), _node(term[1:-1])
            if what is not None:
                yield _triple(self._dataset, f"{VOID}{part}", node)
                yield _triple(node, f"{VOID}{key}", what)
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
            subset = subsets[host] = NamedNode(f"{self._dataset.value}#{host.partition('://')[2]}")
            yield _triple(self._dataset, f"{VOID}subset", subset)
            yield _triple(subset, f"{RDF}type", NamedNode(f"{VOID}Dataset"))
            yield _triple(subset, f"{VOID}uriSpace", Literal(f"{host}/"))
            yield from _numbers(subset, triples=triples, documents=found.documents[host])
        for number, (pair, count) in enumerate(found.links.most_common(MOST_HOSTS)):
            here, _, there = pair.partition(" ")
            if here in subsets and there in subsets:
                linkset = BlankNode(f"links{number}")
                yield _triple(linkset, f"{RDF}type", NamedNode(f"{VOID}Linkset"))
                yield _triple(linkset, f"{VOID}subjectsTarget", subsets[here])
                yield _triple(linkset, f"{VOID}objectsTarget", subsets[there])
                yield from _numbers(linkset, triples=count)


def _spec_of(reader: CrawlReader) -> dict[str, Any]:
    try:
        return tomllib.loads(reader.spec_text)
    except tomllib.TOMLDecodeError:  # whoever changed it by hand still has the data
        return {}


def _triple(subject: Any, predicate: str, value: Any) -> Triple:
    return Triple(subject, NamedNode(predicate), value)


def _numbers(subject: Any, **counts: int) -> Iterator[Triple]:
    for name, count in counts.items():
        yield _triple(subject, VOID + name, Literal(str(count), datatype=NamedNode(f"{XSD}integer")))


def _time(at: float) -> Literal:
    return Literal(iso_time(at), datatype=NamedNode(f"{XSD}dateTime"))


def _node(iri: str) -> NamedNode | None:
    try:
        return NamedNode(iri)
    except ValueError:
        return None
