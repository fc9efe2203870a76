"""What a JSON-LD document says, written as it is read: statements, lists, and the names of nodes."""

from __future__ import annotations

from typing import Any

from sundog.extract.jsonld.values import scalar
from sundog.extract.terms import FIRST, NIL, REST, TYPE, BlankNodes, iri, language_suffix, strict_iri

Terms = list[str | None]  # None is something that RDF cannot name: it has its place in a list all the same


class Statements:
    """Of one page: its blank nodes share names. A statement without subject, predicate or object is none."""

    def __init__(self, out: list[tuple[str, ...]], *, repairs: bool) -> None:
        self.out = out
        self.repairs = repairs
        self.iri = iri if repairs else strict_iri  # of IRIs with spaces and the like
        self.blanks = BlankNodes("j")
        self._names: dict[str, str] = {}

    def node_name(self, name: str | None) -> str | None:
        """A node by its IRI or blank name, as a term."""
        if name is None:
            return None
        if name[:2] == "_:":
            return self._names.get(name) or self._names.setdefault(name, self.blanks.new())
        return self.iri(name)

    def written(self, value: Any, datatype: str | None = None, language: str = "") -> str | None:
        """A literal. With repairs a broken datatype or language is left out, without them the whole is none."""
        if not self.repairs:
            if datatype is not None and self.iri(datatype) is None:
                return None
            if language and not language_suffix(language):
                return None
        return scalar(value, datatype, language)

    def say(self, subject: str | None, predicate: str | None, value: str | None, graph: str) -> None:
        if subject is not None and predicate is not None and value is not None:
            self.out.append((subject, predicate, value, graph) if graph else (subject, predicate, value))

    def say_all(self, subject: str | None, predicate: str | None, values: Terms, graph: str) -> None:
        for each in values:
            self.say(subject, predicate, each, graph)

    def unlink(self, values: Terms, start: int) -> None:
        """Take back the lists among values that nothing leads to, written since ``start``; not what is in them."""
        cells = set(values)
        kept: list[tuple[str, ...]] = []
        for statement in reversed(self.out[start:]):  # a list's first cell was written last
            if statement[0] in cells and statement[1] in (FIRST, REST):
                cells.add(statement[2])
            else:
                kept.append(statement)
        self.out[start:] = reversed(kept)

    def say_type(self, subject: str | None, name: str | None, graph: str) -> None:
        self.say(subject, TYPE, self.node_name(name), graph)

    def linked(self, items: Terms, graph: str) -> str:
        """A list of RDF: its first node."""
        head = NIL
        for item in reversed(items):
            node = self.blanks.new()
            self.say(node, FIRST, item, graph)
            self.say(node, REST, head, graph)
            head = node
        return head
