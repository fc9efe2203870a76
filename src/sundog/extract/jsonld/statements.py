"""Statements of a JSON-LD document as it is read: literals (JSON-LD 1.1 API, 8.2), lists, names of nodes."""

from __future__ import annotations

import json
import math
from typing import Any

from sundog.extract.output import Statements
from sundog.rdf.namespaces import RDF, XSD
from sundog.rdf.terms import (
    FIRST,
    NIL,
    REST,
    TYPE,
    BlankNodes,
    Statement,
    iri,
    language_suffix,
    literal,
    strict_iri,
    typed,
)

DOUBLE = f"{XSD}double"
JSON = f"{RDF}JSON"
Terms = list[str | None]  # None is something that RDF cannot name: it has its place in a list all the same


def scalar(value: Any, datatype: str | None = None, language: str = "") -> str | None:
    """A string, number or boolean as a literal; anything else is none."""
    if isinstance(value, str):
        return typed(value, datatype) if datatype else literal(value, language)
    if isinstance(value, bool):
        return typed("true" if value else "false", datatype or f"{XSD}boolean")
    if isinstance(value, int) and datatype != DOUBLE and abs(value) < 10**21:
        return typed(str(value), datatype or f"{XSD}integer")
    if isinstance(value, float) and value.is_integer() and datatype != DOUBLE and abs(value) < 1e21:
        return typed(str(int(value)), datatype or f"{XSD}integer")
    if isinstance(value, (int, float)):
        return _double(value, datatype)
    return None


def _double(value: float, datatype: str | None) -> str | None:
    try:
        number = float(value)
    except OverflowError:
        return None
    return typed(canonical_double(number), datatype or DOUBLE) if math.isfinite(number) else None


def canonical_double(value: float) -> str:
    """
    >>> canonical_double(5.3), canonical_double(100.0)
    ('5.3E0', '1.0E2')
    """
    mantissa, _, exponent = f"{value:.15E}".partition("E")
    mantissa = mantissa.rstrip("0")
    return f"{mantissa}{'0' if mantissa.endswith('.') else ''}E{int(exponent)}"


def json_literal(value: Any) -> str:
    """``@json``: the value in its canonical form (RFC 8785)."""
    return typed(canonical_json(value), JSON)


def canonical_json(value: Any) -> str:
    """
    >>> canonical_json({"b": 1.0, "a": [True, None, 1e21]})
    '{"a":[true,null,1e+21],"b":1}'
    """
    if isinstance(value, dict):
        members = sorted(value.items(), key=lambda item: item[0].encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(f"{_string(key)}:{canonical_json(each)}" for key, each in members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical_json, value)) + "]"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, float) or (isinstance(value, int) and not isinstance(value, bool)):
        return _number(value)
    return json.dumps(value)


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _number(value: float) -> str:
    """As ECMAScript writes it."""
    try:
        number = float(value)
    except OverflowError:
        return str(value)
    if number.is_integer() and abs(number) < 1e21:
        return str(int(number))
    mantissa, _, exponent = repr(number).partition("e")
    if not exponent:
        return mantissa
    power = int(exponent)
    if -7 < power < 0:
        return f"{number:.{len(mantissa.lstrip('-').replace('.', '')) - 1 - power}f}"
    return f"{mantissa.removesuffix('.0')}e{power:+d}"


class StatementWriter:
    """Of one page: its blank nodes share names. A statement without subject, predicate or object is none."""

    def __init__(self, out: Statements, *, repairs: bool) -> None:
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
        found = self.iri(name)
        self.out.spend(len(name))
        return found

    def written(self, value: Any, datatype: str | None = None, language: str = "") -> str | None:
        """A literal. With repairs a broken datatype or language is left out, without them the whole is none."""
        if not self.repairs:
            if datatype is not None and self.iri(datatype) is None:
                return None
            if language and not language_suffix(language):
                return None
        if datatype is not None:
            self.out.spend(len(datatype))
        return scalar(value, datatype, language)

    def add(self, subject: str | None, predicate: str | None, value: str | None, graph: str) -> None:
        if subject is not None and predicate is not None and value is not None:
            self.out.append((subject, predicate, value, graph) if graph else (subject, predicate, value))

    def add_all(self, subject: str | None, predicate: str | None, values: Terms, graph: str) -> None:
        for each in values:
            self.add(subject, predicate, each, graph)

    def unlink(self, values: Terms, start: int) -> None:
        """Take back the lists among values that nothing leads to, written since ``start``; not what is in them."""
        cells = set(values)
        kept: list[Statement] = []
        for statement in reversed(self.out[start:]):  # a list's first cell was written last
            if statement[0] in cells and statement[1] in (FIRST, REST):
                cells.add(statement[2])
            else:
                kept.append(statement)
        self.out[start:] = reversed(kept)

    def add_type(self, subject: str | None, name: str | None, graph: str) -> None:
        self.add(subject, TYPE, self.node_name(name), graph)

    def linked(self, items: Terms, graph: str) -> str:
        """A list of RDF: its first node."""
        head = NIL
        for item in reversed(items):
            node = self.blanks.new()
            self.add(node, FIRST, item, graph)
            self.add(node, REST, head, graph)
            head = node
        return head
