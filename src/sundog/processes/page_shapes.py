"""Program: SHACL shapes over one page after the other; it answers with the focus nodes that conform.

Only SHACL Core is run: rules, functions and constraints that are programs themselves are refused, and nothing
that a shapes graph imports is fetched.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import pyoxigraph as ox

from sundog.processes.serve import Answer, CannotReadError, serve
from sundog.rdf.namespaces import XSD_STRING

SH = "http://www.w3.org/ns/shacl#"
NOT_CORE = set("sparql select ask construct update js jsFunctionName jsLibrary rule target".split())
DEEPEST = 30  # shapes within shapes


def prepare(setup: Any) -> tuple[Answer, Any]:
    logging.disable(logging.CRITICAL)  # of values that are not of their datatype: pages are full of them
    import pyshacl
    import rdflib

    graph = rdflib.Graph()
    try:
        graph.parse(data=setup["shapes"], format="turtle", publicID="urn:shapes")
        targeted = _targeted_shapes(graph, check=setup["check"])
    except CannotReadError:
        raise
    except Exception as error:  # parser and validator raise whatever they meet
        raise CannotReadError(f"the shapes cannot be read: {_first_line(error)}") from None

    def answer(ntriples: Any) -> Any:
        page = rdflib.Graph()
        for triple in _triples(ntriples):
            page.add(triple)
        wanted = {node for shape in targeted for node in shape.focus_nodes(page)}
        focus = {node for node in wanted if (node, None, None) in page}
        if not focus:
            return []
        done = pyshacl.validate(page, shacl_graph=graph, max_validation_depth=DEEPEST, inplace=True)
        return sorted(node.n3() for node in focus - _violating(done[1]))

    return answer, []


def _targeted_shapes(graph: Any, *, check: bool) -> list[Any]:
    """The shapes that choose focus nodes; to check all of them takes a second."""
    import pyshacl
    import rdflib
    from pyshacl.shapes_graph import ShapesGraph

    _check_core(graph)
    if check:
        pyshacl.validate(rdflib.Graph(), shacl_graph=graph, meta_shacl=True)
    targeted = [shape for shape in ShapesGraph(graph).shapes if any(map(list, shape.target()))]
    if not targeted:
        raise CannotReadError("no shape has a target, so no page could be relevant: add e.g. sh:targetClass")
    return targeted


def _check_core(graph: Any) -> None:
    for predicate in set(graph.predicates()):
        namespace, _, name = str(predicate).rpartition("#")
        if f"{namespace}#" == SH and name in NOT_CORE:
            raise CannotReadError(f"only SHACL Core is run, without sh:{name}; a FILE.rq can do more")


def _violating(report: Any) -> set[Any]:
    """Focus nodes with a violation; warnings and informations are none."""
    from rdflib import URIRef

    severity, violation = URIRef(f"{SH}resultSeverity"), URIRef(f"{SH}Violation")
    results = [
        each for each in report.objects(None, URIRef(f"{SH}result")) if (each, severity, violation) in report
    ]
    return {node for each in results for node in report.objects(each, URIRef(f"{SH}focusNode"))}


def _triples(ntriples: str) -> Iterator[tuple[Any, Any, Any]]:
    """Blank nodes keep their labels; what is no statement is left out."""
    for line in ntriples.splitlines():
        try:
            for triple in ox.parse(line, ox.RdfFormat.N_TRIPLES, lenient=True):
                yield _term(triple.subject), _term(triple.predicate), _term(triple.object)
        except (SyntaxError, ValueError):
            continue


def _term(term: Any) -> Any:
    import rdflib

    if isinstance(term, ox.NamedNode):
        return rdflib.URIRef(term.value)
    if isinstance(term, ox.BlankNode):
        return rdflib.BNode(term.value)
    if not isinstance(term, ox.Literal):
        raise ValueError("triple terms are not known to SHACL")
    if term.language:
        return rdflib.Literal(term.value, lang=term.language)
    return rdflib.Literal(term.value, datatype=None if term.datatype.value == XSD_STRING else term.datatype.value)


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)[:300]


if __name__ == "__main__":
    serve(prepare)
