"""JSON-LD to RDF in one pass: expansion (JSON-LD 1.1 API, 5) and its statements (8) at once.

The specification goes through an expanded document and a node map. Neither is needed here: what is stated of a
node is known the moment it is read, and RDF merges nodes by name anyway.
"""

from __future__ import annotations

from typing import Any

from sundog.extract.jsonld.active_context import PLAIN, Context, Term
from sundog.extract.jsonld.containers import ContainerReader
from sundog.extract.jsonld.local_context import Surroundings, apply
from sundog.extract.jsonld.statements import Terms, json_literal
from sundog.extract.output import Statements
from sundog.rdf.terms import literal
from sundog.urls.references import Base

_NO_TERM = Term()
_GRAPH_TERM = Term("@graph")

MANY_KEYS = 1_000  # of a node: from so many on the time is looked at


class Reader(ContainerReader):
    """Reads the documents of one page."""

    def __init__(self, out: Statements, around: Surroundings, *, repairs: bool) -> None:
        super().__init__(out, repairs=repairs)
        self.base, self.box, self.around = around.base, around.box, around

    def read(self, document: Any, *, alone: bool = True, linked: str = "") -> None:
        """Read a document. Only one that stands alone may mean the default graph by a bare ``@graph``.

        ``linked`` is a context that the document has without naming it.
        """
        context = Context(self.base)
        if linked:
            context = self.applied(context, linked, self.base)
        if alone and isinstance(document, dict):
            self._top(context, document)
        else:
            self.objects(context, _NO_TERM, document, "")

    def _top(self, context: Context, document: dict[str, Any]) -> None:
        inner = self.entered(context, _NO_TERM, document, False)
        if inner.meanings(document) == ["@graph"]:
            for key, value in document.items():
                if inner.property_iri(key) == "@graph":
                    self.objects(inner, _GRAPH_TERM, value, "")
        else:
            self.objects(context, _NO_TERM, document, "")

    # Values

    def objects(self, context: Context, term: Term, value: Any, graph: str, from_map: bool = False) -> Terms:
        """The terms that a value stands for; what it says of them is written on the way."""
        if value.__class__ is str:
            return [self.text(context, term, value)]
        if value.__class__ is dict:
            return self._map(context, term, value, graph, from_map)
        if value.__class__ is list:
            several: Terms = []
            for each in value:
                several += (
                    [self.list_of(context, term, each, graph)]
                    if each.__class__ is list and "@list" in term.container
                    else self.objects(context, term, each, graph, from_map)
                )
            return several
        return [] if value is None else [self._number(context, term, value)]

    def text(self, context: Context, term: Term, value: str) -> str | None:
        """Value expansion (5.3.2) of a string."""
        if term is _NO_TERM or term is _GRAPH_TERM:
            return None
        if term.scoped:
            context = self._scoped(context, term)
            term = context.own(term)
        kind = term.type
        if kind is None or kind == "@none":
            language = (context.language if term.language is None else term.language) or ""
            return literal(value, language) if self.repairs else self.written(value, None, language)
        if kind == "@id":
            return self.node_name(context.expand_iri(value, relative=True))
        if kind == "@vocab":
            return self.node_name(context.expand_iri(value, relative=True, vocab=True))
        return self.written(value, kind)

    def _number(self, context: Context, term: Term, value: Any) -> str | None:
        if term is _NO_TERM or term is _GRAPH_TERM:
            return None
        if term.scoped:
            term = self._scoped(context, term).own(term)
        return self.written(value, None if term.type in ("@id", "@vocab", "@none") else term.type)

    def _map(self, context: Context, term: Term, value: dict[str, Any], graph: str, from_map: bool) -> Terms:
        context = self.entered(context, term, value, from_map)
        term = context.own(term)
        keys = {context.property_iri(key): key for key in value}
        if "@value" in keys:
            found = self._value_object(context, value, keys)
            return [] if found is None and value[keys["@value"]] is None else [found]
        if "@list" in keys:
            if term.iri in (None, "@graph"):
                return []
            return [self.list_of(context, term, value[keys["@list"]], graph)]
        if "@set" in keys:
            return self.objects(context, term, value[keys["@set"]], graph)
        if keys.keys() <= {"@language", "@context", None} and "@language" in keys:
            return []
        return [self.node(context, value, graph)]

    def _value_object(self, context: Context, value: dict[str, Any], keys: dict[str | None, str]) -> str | None:
        content = value[keys["@value"]]
        kind = value[keys["@type"]] if "@type" in keys else None
        language = value[keys["@language"]] if "@language" in keys else None
        if isinstance(kind, list):
            kind = kind[0] if len(kind) == 1 else None
        if isinstance(kind, str):
            kind = context.expand_iri(kind, vocab=True, relative=True)
            if kind == "@json":
                return json_literal(content)
            return self.written(content, kind)
        return self.written(content, None, language if isinstance(language, str) else "")

    def list_of(self, context: Context, term: Term, value: Any, graph: str) -> str:
        items: Terms = []
        for each in value if isinstance(value, list) else [value]:
            if each.__class__ is list:
                items.append(self.list_of(context, term, each, graph))
            else:
                items += self.objects(context, term, each, graph)
        return self.linked(items, graph)

    # Nodes

    def node(
        self,
        context: Context,
        value: dict[str, Any],
        graph: str,
        identity: str | None = None,
        kind: str | None = None,
    ) -> str | None:
        """Write what a node object says, and return its name; None if it has one that RDF cannot use.

        ``identity`` and ``kind`` come from the map that the node stands in.
        """
        self.box.check()
        typing = context  # types are named in the context outside those that they bring with them
        if context.has_scoped:
            context = self._with_types(context, value)
        own = self._identity(context, value)
        identity = identity if own is None else own
        subject = self.blanks.new() if identity is None else self.node_name(identity)
        if kind is not None:
            self.add_type(subject, kind, graph)
        self._entries(context, typing, value, subject, graph)
        return subject

    def _identity(self, context: Context, value: dict[str, Any]) -> str | None:
        found = None
        for key, each in value.items():
            name = context.property_iri(key)
            if name == "@id" and isinstance(each, str):
                found = context.expand_iri(each, relative=True) or ""  # a name like @this is none
            elif name == "@nest":
                for nested in each if isinstance(each, list) else [each]:
                    if isinstance(nested, dict):
                        inner = self._identity(context, nested)
                        found = found if inner is None else inner
        return found

    def _entries(
        self, context: Context, typing: Context, value: dict[str, Any], subject: str | None, graph: str
    ) -> None:
        takes_long = len(value) > MANY_KEYS
        for key, each in value.items():
            if takes_long:
                self.box.check()
            name = context.property_iri(key)
            if not name:
                continue
            if name[0] == "@":
                self._keyword(context, typing, name, key, each, subject, graph)
                continue
            term = context.terms.get(key)
            if each is None and not (term is not None and term.type == "@json"):
                continue
            predicate = None if name[:2] == "_:" else self.iri(name)
            if predicate is None and ":" not in name:
                continue  # a key that stands for nothing: what is below it says nothing either
            if term is None and each.__class__ is str and self.repairs:  # as most are
                self.add(subject, predicate, literal(each, context.language or ""), graph)
            else:
                self._property(context, term or PLAIN, predicate, each, subject, graph)

    def _property(
        self, context: Context, term: Term, predicate: str | None, value: Any, subject: str | None, graph: str
    ) -> None:
        start = len(self.out)
        found = self.contained(context, term, value, graph)
        if subject is None or predicate is None:
            self.unlink(found, start)
        elif term.reverse:
            for each in found:
                if each is not None and each[0] != '"':
                    self.add(each, predicate, subject, graph)
        else:
            self.add_all(subject, predicate, found, graph)

    def _keyword(
        self,
        context: Context,
        typing: Context,
        name: str,
        key: str,
        value: Any,
        subject: str | None,
        graph: str,
    ) -> None:
        if name == "@type":
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, str):
                    self.add_type(subject, typing.expand_iri(each, vocab=True, relative=True), graph)
        elif name == "@graph":
            if subject is not None:
                self.objects(context, _GRAPH_TERM, value, subject)
        elif name == "@included":
            self.objects(context, _GRAPH_TERM, value, graph)
        elif name == "@nest":
            self._nested(context, typing, key, value, subject, graph)
        elif name == "@reverse" and isinstance(value, dict):
            self._reversed(context, value, subject, graph)

    def _nested(
        self, context: Context, typing: Context, key: str, value: Any, subject: str | None, graph: str
    ) -> None:
        term = context.terms.get(key)
        if term is not None and term.scoped:
            context = self._scoped(context, term)
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, dict):
                self._entries(context, typing, each, subject, graph)

    def _reversed(self, context: Context, value: dict[str, Any], subject: str | None, graph: str) -> None:
        context = self.entered(context, _NO_TERM, value, False)
        for key, each in value.items():
            name = context.property_iri(key)
            if not name or name[0] == "@" or ":" not in name:
                continue
            term = context.terms.get(key) or PLAIN
            predicate = self.iri(name)
            for found in self.contained(context, term, each, graph):
                if term.reverse:
                    self.add(subject, predicate, found, graph)
                elif found is not None and found[0] != '"':
                    self.add(found, predicate, subject, graph)

    # Contexts

    def entered(self, context: Context, term: Term, value: dict[str, Any], from_map: bool) -> Context:
        """The context inside a map: of its property, and its own."""
        if context.previous is not None and not from_map:
            names = {context.property_iri(key) for key in value}
            if "@value" not in names and names != {"@id"}:
                context = context.previous
        if term.scoped:
            context = self._scoped(context, term)
        if "@context" in value:
            context = self.applied(context, value["@context"], self.base)
        return context

    def applied(
        self,
        context: Context,
        local: Any,
        here: Base | None,
        *,
        overrides: bool = False,
        propagates: bool = True,
    ) -> Context:
        self.box.check()  # a context may be large, and be applied for each of many values
        return apply(context, local, self.around, here=here, overrides=overrides, propagates=propagates)

    def _scoped(self, context: Context, term: Term) -> Context:
        known = context.scoped.get(term)
        if known is None:
            known = self.applied(context, term.context, term.here, overrides=True)
            if known.previous is context.previous:  # else it may lead back here, and never be freed
                context.scoped[term] = known
        return known

    def _with_types(self, context: Context, value: dict[str, Any]) -> Context:
        """Contexts that the node's types bring with them."""
        outer = context
        for key in sorted(value) if len(value) > 1 else value:
            if outer.property_iri(key) != "@type":
                continue
            kinds = value[key] if isinstance(value[key], list) else [value[key]]
            for kind in sorted(each for each in kinds if isinstance(each, str)):
                term = outer.terms.get(kind)
                if term is not None and term.scoped:
                    context = self.applied(context, term.context, term.here, propagates=False)
        return context
