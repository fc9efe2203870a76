"""What a server may have under a URL, and the forms in which triples are published."""

from __future__ import annotations

import bz2
import gzip
import io
import zipfile
from collections.abc import Callable, Sequence
from html import escape
from itertools import groupby
from typing import NamedTuple

from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, parse, serialize

Triple = tuple[str, str, str]  # terms as in N-Triples


class Document(NamedTuple):
    """``form`` is how the triples are written, ``declared`` what the server says of it ('' if nothing)."""

    url: str
    triples: list[Triple]
    form: str
    declared: str
    headers: tuple[str, ...] = ()


class Thing(NamedTuple):
    """Answers 303: ``data`` to those who want RDF, ``page`` to others if there is one."""

    url: str
    data: str
    page: str = ""


class Negotiated(NamedTuple):
    """Answers with one of two documents of the same URL, by what is wanted."""

    data: Document
    page: Document


class Gone(NamedTuple):
    """Answers with this status; ``location`` is where a redirect leads."""

    url: str
    status: int
    location: str = ""


Entry = Document | Thing | Negotiated | Gone


NATIVE = {
    "turtle": RdfFormat.TURTLE,
    "rdfxml": RdfFormat.RDF_XML,
    "jsonld": RdfFormat.JSON_LD,
    "ntriples": RdfFormat.N_TRIPLES,
}
PREFIXES = {"v": "http://vocabulary.example/ns#", "rdfs": "http://www.w3.org/2000/01/rdf-schema#"}
GRAPH = "<http://dumps.example/graph>"
XSD_STRING = "http://www.w3.org/2001/XMLSchema#string"


def lines(triples: Sequence[Triple], graph: str = "") -> bytes:
    return "".join(f"{' '.join(triple)} {graph}{' ' if graph else ''}.\n" for triple in triples).encode()


def native(triples: Sequence[Triple], form: str) -> bytes:
    quads = parse(lines(triples), RdfFormat.N_TRIPLES)
    written = serialize((quad.triple for quad in quads), format=NATIVE[form], prefixes=PREFIXES)
    assert written is not None
    return written


def page(triples: Sequence[Triple]) -> bytes:
    """HTML with RDFa; without triples a page that says nothing to machines."""
    found = parse(lines(triples), RdfFormat.N_TRIPLES)
    groups = groupby(found, key=lambda quad: quad.subject)
    things = [
        _section(subject, [_property(quad.predicate, quad.object) for quad in group]) for subject, group in groups
    ]
    return f"<!doctype html><html><head><title>A page</title></head><body>{''.join(things)}</body></html>".encode()


def _section(subject: object, properties: list[str]) -> str:
    return f'<section about="{_name(subject)}">{"".join(properties)}</section>'


def _name(term: object) -> str:
    if isinstance(term, BlankNode):
        return f"[_:{term.value}]"
    assert isinstance(term, NamedNode)
    return escape(term.value)


def _property(predicate: NamedNode, value: object) -> str:
    if not isinstance(value, Literal):
        return f'<span rel="{_name(predicate)}" resource="{_name(value)}"></span>'
    kind = "" if value.datatype.value == XSD_STRING or value.language else f' datatype="{value.datatype.value}"'
    language = f' lang="{value.language}"' if value.language else ""
    return f'<p><span property="{_name(predicate)}"{kind}{language}>{escape(value.value)}</span></p>'


def archive(triples: Sequence[Triple]) -> bytes:
    """Two files in a zip, and one that is no data. No blank node is in both."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as files:
        files.writestr(zipfile.ZipInfo("README.txt"), "The data is beside this file.")
        files.writestr(zipfile.ZipInfo("some.nt"), lines([each for each in triples if not _has_blank(each)]))
        files.writestr(
            zipfile.ZipInfo("others.ttl"), native([each for each in triples if _has_blank(each)], "turtle")
        )
    return out.getvalue()


def _has_blank(triple: Triple) -> bool:
    return triple[0].startswith("_:") or triple[2].startswith("_:")


COPY = b'<#it> <http://vocabulary.example/ns#name> "the same" ; <http://vocabulary.example/ns#next> </all> .'

FORMS: dict[str, Callable[[Sequence[Triple]], bytes]] = {
    **{form: (lambda triples, form=form: native(triples, form)) for form in NATIVE},  # type: ignore[misc]
    "nquads": lambda triples: lines(triples, GRAPH),
    "rdfa": page,
    "copy": lambda triples: COPY,
    "ntriples.gz": lambda triples: gzip.compress(lines(triples), mtime=0),
    "nquads.gz": lambda triples: gzip.compress(lines(triples, GRAPH), mtime=0),
    "turtle.bz2": lambda triples: bz2.compress(native(triples, "turtle")),
    "zip": archive,
}
