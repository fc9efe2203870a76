"""Values in containers: lists, graphs, and maps by language, index, name or type (JSON-LD 1.1 API, 5.1.2, 13)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sundog.extract.jsonld.active_context import PLAIN, Context, Term
from sundog.extract.jsonld.statements import Terms, json_literal

if TYPE_CHECKING:
    from sundog.extract.jsonld.reader import Reader


def contained(reader: Reader, context: Context, term: Term, value: Any, graph: str) -> Terms:
    container = term.container
    if term.type == "@json":
        found = json_literal(value)
        return [reader.linked([found], graph) if "@list" in container else found]
    if container:
        if isinstance(value, dict):
            if "@language" in container:
                return _language_map(reader, context, term, value)
            if "@index" in container or "@id" in container or "@type" in container:
                return _index_map(reader, context, term, value, graph)
        if "@list" in container:
            if isinstance(value, dict) and "@list" in map(context.property_iri, value):
                return reader.objects(context, term, value, graph)
            return [reader.list_of(context, term, value, graph)]
        if "@graph" in container and "@id" not in container and "@index" not in container:
            return _graphs(reader, context, term, value, graph)
    return reader.objects(context, term, value, graph)


def _graphs(reader: Reader, context: Context, term: Term, value: Any, graph: str) -> Terms:
    """Each value is what a graph says; its name is a new one."""
    found: Terms = []
    for each in value if isinstance(value, list) else [value]:
        if each is None:
            continue
        name = reader.blanks.new()
        reader.objects(context, _scoped_graph(term), each, name)
        found.append(name)
    return found


def _graph(reader: Reader, context: Context, term: Term, value: Any, graph: str, name: str | None) -> Terms:
    """A graph in a map of graphs; a value that is a graph already is that one."""
    if isinstance(value, dict):
        inner = reader.entered(context, term, value, True)
        if "@graph" in map(inner.property_iri, value):
            return [reader.node(inner, value, graph, name)]
    subject = reader.blanks.new() if name is None else reader.node_name(name)
    if subject is None or value is None:
        return []
    reader.objects(context, _scoped_graph(term), value, subject, True)
    return [subject]


def _language_map(reader: Reader, context: Context, term: Term, value: dict[str, Any]) -> Terms:
    found: Terms = []
    for language, texts in value.items():
        tag = "" if context.expand_iri(language, vocab=True) == "@none" else language
        for text in texts if isinstance(texts, list) else [texts]:
            if isinstance(text, str):
                found.append(reader.written(text, None, tag))
    return found


def _index_map(reader: Reader, context: Context, term: Term, value: dict[str, Any], graph: str) -> Terms:
    """Values by index, by name or by type."""
    found: Terms = []
    by_name, by_type = "@id" in term.container, "@type" in term.container
    outer = context.previous or context if by_name or by_type else context
    for index, several in value.items():
        meaning = context.expand_iri(index, vocab=True)
        inner = outer
        key_term = context.terms.get(index)
        if by_type and key_term is not None and key_term.scoped:
            inner = reader.applied(outer, key_term.context, propagates=False)
        identity = context.expand_iri(index, relative=True) if by_name and meaning != "@none" else None
        kind = meaning if by_type and meaning != "@none" else None
        for each in several if isinstance(several, list) else [several]:
            made = _indexed(reader, inner, term, each, graph, identity, kind)
            if term.index is not None and meaning != "@none":
                _say_index(reader, context, term.index, index, made, graph)
            found += made
    return found


def _indexed(
    reader: Reader, context: Context, term: Term, value: Any, graph: str, identity: str | None, kind: str | None
) -> Terms:
    if "@graph" in term.container:
        return _graph(reader, context, term, value, graph, identity)
    if kind is not None and isinstance(value, str):
        if term.type not in ("@id", "@vocab"):
            return []
        name = context.expand_iri(value, relative=True, vocab=term.type == "@vocab")
        subject = reader.node_name(name)
        reader.say_type(subject, kind, graph)
        return [subject]
    if (identity is None and kind is None) or not isinstance(value, dict):
        return reader.objects(context, term, value, graph, from_map=True)
    entered = reader.entered(context, term, value, from_map=True)
    return [reader.node(entered, value, graph, identity, kind)]


def _say_index(reader: Reader, context: Context, name: str, index: str, nodes: Terms, graph: str) -> None:
    """An index that is a property of its own."""
    expanded = context.expand_iri(name, vocab=True)
    predicate = reader.iri(expanded) if expanded is not None else None
    value = reader.text(context, context.terms.get(name) or PLAIN, index)
    if value is not None:
        for node in nodes:
            if node is not None and node[0] != '"':
                reader.say(node, predicate, value, graph)


def _scoped_graph(term: Term) -> Term:
    """A term for what is inside a graph container: nodes only, in the context of the property."""
    inner = Term("@graph")
    inner.context, inner.scoped, inner.type = term.context, term.scoped, term.type
    return inner
