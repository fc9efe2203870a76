"""Items as RDF.

Microformats have no RDF of their own; ours is the plainest that keeps what a query would ask for. All terms are
in `NAMESPACE`, say mf: — ``mf:h-card`` is a type and ``mf:name`` a property, whatever the item. An item is a blank
node. A nested item is the object of its property, or of ``mf:children``; one that has nothing but a plain value is
that value. A URL of a ``u-*`` property is an IRI, everything else a literal, in its language if the page says
which; marked-up content is its plain text. An image's alternative text is said of the image:
``<photo> mf:alt "…"``. Empty values make no statement.

A leaf statement is one whose object is a value: neither a type nor a nested item.
"""

from __future__ import annotations

import re
from typing import Any

from sundog.extract.microformats.dates import date_of
from sundog.extract.microformats.page import Url

NAMESPACE = "http://microformats.org/profile/"
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|^`\\\ud800-\udfff]+")
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")
_ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n", "\r": r"\r"})

Statement = tuple[str, str, str]  # subject, predicate and object as N-Triples writes them


def statements(items: list[dict[str, Any]]) -> list[Statement]:
    """The statements of a page's items.

    >>> card = {"type": ["h-card"], "properties": {"name": ["Ada"]}, "lang": "en"}
    >>> for statement in statements([card]):
    ...     print(*statement)
    _:mf0 <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://microformats.org/profile/h-card>
    _:mf0 <http://microformats.org/profile/name> "Ada"@en
    """
    writer = _Writer()
    for item in items:
        writer.item(item)
    return writer.out


def count(made: list[Statement]) -> int:
    """How many of the statements are leaves.

    >>> count(statements([{"type": ["h-card"], "properties": {"name": ["Ada"], "note": [""]}}]))
    1
    """
    return sum(1 for _, predicate, value in made if predicate != TYPE and not value.startswith("_:"))


class _Writer:
    def __init__(self) -> None:
        self.names: dict[int, str] = {}  # by properties: an item that is the value of two properties is one node
        self.out: list[Statement] = []

    def item(self, item: dict[str, Any]) -> str:
        key = id(item["properties"])
        if key in self.names:
            return self.names[key]
        name = self.names[key] = f"_:mf{len(self.names)}"
        self.out.extend((name, TYPE, _term(kind)) for kind in item["type"])
        for property_name, values in item["properties"].items():
            for value in values:
                self._value(name, _term(property_name), value, item.get("lang", ""))
        for child in item.get("children", ()):
            self.out.append((name, _term("children"), self.item(child)))
        return name

    def _value(self, subject: str, predicate: str, value: Any, language: str) -> None:
        if isinstance(value, dict):
            if value.get("properties") or value.get("children"):
                self.out.append((subject, predicate, self.item(value)))
                return
            language = value.get("lang", language)
            if value.get("alt") and _IRI.fullmatch(value["value"]):
                self.out.append((f"<{value['value']}>", _term("alt"), _literal(value["alt"], language)))
            value = value["value"]
        if isinstance(value, Url) and _IRI.fullmatch(value):
            self.out.append((subject, predicate, f"<{value}>"))
        elif value:
            self.out.append((subject, predicate, _literal(value, language)))


def _term(name: str) -> str:
    return f"<{NAMESPACE}{name}>"


def _literal(text: str, language: str) -> str:
    tag = f"@{language}" if _LANGUAGE.fullmatch(language) and not date_of(text) else ""
    return f'"{text.translate(_ESCAPES)}"{tag}'
