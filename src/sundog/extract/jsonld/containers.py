"""Values in containers: lists, graphs, and maps by language, index, name or type (JSON-LD 1.1 API, 5.1.2, 13)."""

from __future__ import annotations

from typing import Any

from sundog.extract.jsonld.active_context import PLAIN, Context, Term
from sundog.extract.jsonld.statements import StatementWriter, Terms, json_literal
from sundog.urls.references import Base


class ContainerReader(StatementWriter):
    """The half of the reader that takes containers apart; the other half reads what is in them."""

    def objects(self, context: Context, term: Term, value: Any, graph: str, from_map: bool = False) -> Terms:
        raise NotImplementedError

    def text(self, context: Context, term: Term, value: str) -> str | None:
        raise NotImplementedError

    def list_of(self, context: Context, term: Term, value: Any, graph: str) -> str:
        raise NotImplementedError

    def node(
        self,
        context: Context,
        value: dict[str, Any],
        graph: str,
        identity: str | None = None,
        kind: str | None = None,
    ) -> str | None:
        raise NotImplementedError

    def entered(self, context: Context, term: Term, value: dict[str, Any], from_map: bool) -> Context:
        raise NotImplementedError

    def applied(
        self,
        context: Context,
        local: Any,
        here: Base | None,
        *,
        overrides: bool = False,
        propagates: bool = True,
    ) -> Context:
        raise NotImplementedError

    def contained(self, context: Context, term: Term, value: Any, graph: str) -> Terms:
        """The terms that a property's value stands for, by the containers of the property."""
        container = term.container
        if term.type == "@json":
            found = json_literal(value)
            return [self.linked([found], graph) if "@list" in container else found]
        if container:
            if isinstance(value, dict):
                if "@language" in container:
                    return self._language_map(context, value)
                if "@index" in container or "@id" in container or "@type" in container:
                    return self._index_map(context, term, value, graph)
            if "@list" in container:
                if isinstance(value, dict) and "@list" in map(context.property_iri, value):
                    return self.objects(context, term, value, graph)
                return [self.list_of(context, term, value, graph)]
            if "@graph" in container and "@id" not in container and "@index" not in container:
                return self._graphs(context, term, value)
        return self.objects(context, term, value, graph)

    def _language_map(self, context: Context, value: dict[str, Any]) -> Terms:
        found: Terms = []
        for language, texts in value.items():
            tag = "" if context.expand_iri(language, vocab=True) == "@none" else language
            for text in texts if isinstance(texts, list) else [texts]:
                if isinstance(text, str):
                    found.append(self.written(text, None, tag))
        return found

    def _index_map(self, context: Context, term: Term, value: dict[str, Any], graph: str) -> Terms:
        """Values by index, by name or by type."""
        found: Terms = []
        by_name, by_type = "@id" in term.container, "@type" in term.container
        outer = context.previous or context if by_name or by_type else context
        for index, several in value.items():
            meaning = context.expand_iri(index, vocab=True)
            inner = outer
            key_term = context.terms.get(index)
            if by_type and key_term is not None and key_term.scoped:
                inner = self.applied(outer, key_term.context, key_term.here, propagates=False)
            identity = context.expand_iri(index, relative=True) if by_name and meaning != "@none" else None
            kind = meaning if by_type and meaning != "@none" else None
            for each in several if isinstance(several, list) else [several]:
                made = self._indexed(inner, term, each, graph, identity, kind)
                if term.index is not None and meaning != "@none":
                    self._add_index(context, term.index, index, made, graph)
                found += made
        return found

    def _indexed(
        self, context: Context, term: Term, value: Any, graph: str, identity: str | None, kind: str | None
    ) -> Terms:
        if "@graph" in term.container:
            return self._named_graph(context, term, value, graph, identity)
        if kind is not None and isinstance(value, str):
            if term.type not in ("@id", "@vocab"):
                return []
            name = context.expand_iri(value, relative=True, vocab=term.type == "@vocab")
            subject = self.node_name(name)
            self.add_type(subject, kind, graph)
            return [subject]
        if (identity is None and kind is None) or not isinstance(value, dict):
            return self.objects(context, term, value, graph, from_map=True)
        entered = self.entered(context, term, value, from_map=True)
        return [self.node(entered, value, graph, identity, kind)]

    def _add_index(self, context: Context, name: str, index: str, nodes: Terms, graph: str) -> None:
        """An index that is a property of its own."""
        expanded = context.expand_iri(name, vocab=True)
        predicate = self.iri(expanded) if expanded is not None else None
        value = self.text(context, context.terms.get(name) or PLAIN, index)
        if value is not None:
            for node in nodes:
                if node is not None and node[0] != '"':
                    self.add(node, predicate, value, graph)

    def _graphs(self, context: Context, term: Term, value: Any) -> Terms:
        """Each value is what a graph says; its name is a new one."""
        found: Terms = []
        for each in value if isinstance(value, list) else [value]:
            if each is None:
                continue
            name = self.blanks.new()
            self.objects(context, _scoped_graph(term), each, name)
            found.append(name)
        return found

    def _named_graph(self, context: Context, term: Term, value: Any, graph: str, name: str | None) -> Terms:
        """A graph in a map of graphs; a value that is a graph already is that one."""
        if isinstance(value, dict):
            inner = self.entered(context, term, value, True)
            if "@graph" in map(inner.property_iri, value):
                return [self.node(inner, value, graph, name)]
        subject = self.blanks.new() if name is None else self.node_name(name)
        if subject is None or value is None:
            return []
        self.objects(context, _scoped_graph(term), value, subject, True)
        return [subject]


def _scoped_graph(term: Term) -> Term:
    """A term for what is inside a graph container: nodes only, in the context of the property."""
    inner = Term("@graph")
    inner.context, inner.scoped, inner.type = term.context, term.scoped, term.type
    return inner
