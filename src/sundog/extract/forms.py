"""Statements in other forms: items as people expect them, and JSON-LD."""

from __future__ import annotations

import re
from typing import Any

import pyoxigraph

from sundog.extract.result import Extraction
from sundog.extract.terms import TYPE, value_of

_LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"(?:@([\w-]+)|\^\^<([^>]*)>)?', re.DOTALL)
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}
_NUMBERS = ("integer", "decimal", "double")

Item = dict[str, Any]


def as_items(found: Extraction) -> dict[str, list[Item]]:
    """By syntax: ``{"type": …, "id": …, property: value …}``; an item that is a value stands in its place."""
    return {name: items_of(statements) for name, statements in found.by_syntax.items() if statements}


def items_of(statements: list[tuple[str, ...]]) -> list[Item]:
    """
    >>> items_of([("_:a", "<http://schema.org/name>", '"Ada"'), ("_:a", "<http://schema.org/knows>", "_:b"),
    ...           ("_:b", "<http://schema.org/name>", '"Bob"')])
    [{'name': 'Ada', 'knows': {'name': 'Bob'}}]
    """
    items: dict[str, Item] = {}
    for statement in statements:
        if statement[0] not in items:
            items[statement[0]] = {} if statement[0][0] == "_" else {"id": value_of(statement[0])}
    nested: set[str] = set()
    for subject, predicate, value in (statement[:3] for statement in statements):
        if predicate == TYPE:
            _add(items[subject], "type", _short(value))
        elif (
            value[0] == "_" and value in items and value not in nested and not _holds(items[value], items[subject])
        ):
            nested.add(value)
            _add(items[subject], _short(predicate), items[value])
        else:
            _add(items[subject], _short(predicate), _plain(value))
    return [item for name, item in items.items() if name not in nested]


def _may_hold(items: dict[str, Item], outer: str, inner: str) -> bool:
    return inner in items and not _holds(items[inner], items[outer])


def _holds(item: Item, other: Item) -> bool:
    """Whether one is inside the other: a cycle cannot be printed."""
    stack: list[Any] = [item]
    seen: set[int] = set()
    while stack:
        node = stack.pop()
        if node is other:
            return True
        if isinstance(node, (dict, list)) and id(node) not in seen:
            seen.add(id(node))
            stack.extend(node.values() if isinstance(node, dict) else node)
    return False


def _add(item: Item, name: str, value: Any) -> None:
    if name not in item:
        item[name] = value
    elif isinstance(item[name], list):
        item[name].append(value)
    else:
        item[name] = [item[name], value]


def _short(term: str) -> str:
    """The last part of an IRI: what people call it."""
    name = value_of(term)
    return re.split(r"[/#]", name.rstrip("/#"))[-1] or name


def _plain(term: str) -> Any:
    match = _LITERAL.fullmatch(term)
    if match is None:
        return value_of(term)
    text = _ESCAPE.sub(_unescaped, match[1])
    kind = (match[3] or "").rpartition("#")[2]
    if kind == "boolean":
        return text in ("true", "1")
    if kind in _NUMBERS:
        try:
            return int(text) if kind == "integer" and len(text) < 19 else float(text)
        except ValueError:
            return text
    return text


def _unescaped(match: re.Match[str]) -> str:
    found = match[1]
    if found[0] in "uU" and len(found) > 1:
        return chr(int(found[1:], 16))
    return _ESCAPED.get(found, found)


def as_jsonld(found: Extraction) -> str:
    """All statements as one JSON-LD document, each in its graph."""
    quads = pyoxigraph.parse(found.nquads().encode(), format=pyoxigraph.RdfFormat.N_QUADS)
    written = pyoxigraph.serialize(quads, format=pyoxigraph.RdfFormat.JSON_LD)
    return written.decode() + "\n" if written else "[]\n"
