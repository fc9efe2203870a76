"""Native RDF: Turtle, TriG, N-Triples, N-Quads, N3, RDF/XML and JSON-LD documents."""

from __future__ import annotations

import re
from collections.abc import Callable

import pyoxigraph
from pyoxigraph import RdfFormat

from sundog.extract import jsonld
from sundog.extract.guards import triple_term_danger, xml_danger
from sundog.extract.terms import iri
from sundog.extract.timebox import TimeBox
from sundog.extract.urls import Base

FORMATS = {
    "turtle": RdfFormat.TURTLE,
    "trig": RdfFormat.TRIG,
    "ntriples": RdfFormat.N_TRIPLES,
    "nquads": RdfFormat.N_QUADS,
    "n3": RdfFormat.N3,
    "rdfxml": RdfFormat.RDF_XML,
}
_SINGLE_QUOTED = re.compile(rb"(<!ENTITY\s+[\w.:-]+\s+)'([^'\"]*)'")
_BOM = b"\xef\xbb\xbf"
_STATEMENTS_A_CHECK = 1024


def read_rdf(
    kind: str, body: bytes, base: str, box: TimeBox, out: list[tuple[str, ...]], report: Callable[[str], None]
) -> None:
    """Append the file's statements; of a broken one those before the error."""
    if kind == "jsonld":
        jsonld.read_document(body.decode("utf-8-sig", "replace"), Base(base), box, out, report)
        return
    body = body.removeprefix(_BOM)
    if kind == "rdfxml":
        body = _SINGLE_QUOTED.sub(rb'\1"\2"', body)  # XML allows both, pyoxigraph knows one
    danger = xml_danger(body) if kind == "rdfxml" else triple_term_danger(body)
    if danger:
        report(danger)
        return
    known_base = iri(base)
    quads = pyoxigraph.parse(
        body,
        format=FORMATS[kind],
        base_iri=known_base[1:-1] if known_base else None,
        rename_blank_nodes=True,
    )
    default = pyoxigraph.DefaultGraph()
    try:
        for number, quad in enumerate(quads, 1):
            terms = (str(quad.subject), str(quad.predicate), str(quad.object))
            out.append(terms if quad.graph_name == default else (*terms, str(quad.graph_name)))
            if number % _STATEMENTS_A_CHECK == 0:
                box.check()
    except SyntaxError as error:
        report(f"broken after {len(out):,} statements: {error.msg}")
