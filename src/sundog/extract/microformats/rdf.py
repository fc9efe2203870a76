"""Items as RDF.

Microformats have no RDF of their own; ours is the plainest that keeps what a query would ask for. All terms are
in one namespace, say mf: — ``mf:h-card`` is a type and ``mf:name`` a property, whatever the item. An item is a
blank node. A nested item is the object of its property, or of ``mf:children``; one that has nothing but a plain
value is that value. A URL of a ``u-*`` property is an IRI, everything else a literal, in its language if the page
says which; marked-up content is its plain text. An image's alternative text is a statement about the image:
``<photo> mf:alt "…"``. Empty values make no statement.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from sundog.extract.microformats.dates import date_of
from sundog.extract.microformats.reading import Url
from sundog.rdf.namespaces import MICROFORMATS
from sundog.rdf.terms import TYPE, BlankNodes, Triple, iri, literal


def statements(items: list[dict[str, Any]]) -> list[Triple]:
    """The statements of a page's items.

    >>> card = {"type": ["h-card"], "properties": {"name": ["Ada"]}, "lang": "en"}
    >>> for statement in statements([card]):
    ...     print(*statement)
    _:f1 <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://microformats.org/profile/h-card>
    _:f1 <http://microformats.org/profile/name> "Ada"@en
    """
    out: list[Triple] = []
    write_statements(items, out)
    return out


def write_statements(items: list[dict[str, Any]], out: list[Triple]) -> None:
    """Append them."""
    writer = _Writer(out)
    for item in items:
        writer.item(item)


class _Writer:
    def __init__(self, out: list[Triple]) -> None:
        self.names: dict[int, str] = {}  # by properties: an item that is the value of two properties is one node
        self.blank = BlankNodes("f")
        self.out = out

    def item(self, item: dict[str, Any]) -> str:
        key = id(item["properties"])
        if key in self.names:
            return self.names[key]
        name = self.names[key] = self.blank.new()
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
            if value.get("alt") and (image := iri(value["value"])):
                self.out.append((image, _term("alt"), literal(value["alt"], language)))
            value = value["value"]
        term = iri(value) if isinstance(value, Url) else None
        if term or value:
            self.out.append((subject, predicate, term or literal(value, "" if date_of(value) else language)))


@lru_cache(maxsize=1024)
def _term(name: str) -> str:
    return f"<{MICROFORMATS}{name}>"
