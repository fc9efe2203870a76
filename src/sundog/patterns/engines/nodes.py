"""What XPath 1.0 and CSS have in common: both find nodes in turbohtml's tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan
from typing import Any

from turbohtml import Element, Node

from sundog.patterns.document import PageDocument, empty_page
from sundog.patterns.engines import FieldPlan, QueryError, Raw, Reference

Finder = Callable[[PageDocument, Any], Any]  # of a page and a node in it: nodes and texts, or a single value
VALUE_KINDS = {bool: "true or false", float: "a number", str: "a text"}
HREFS = ("href", "src", "xlink:href", "action")  # attributes that link, the first one that is there counts


class NodeEngine:
    """``compile`` is all that the two differ in."""

    def compile(self, query: str) -> Finder:
        raise NotImplementedError

    def compiled(self, query: str, where: str) -> Finder:
        try:
            return self.compile(query)
        except QueryError as error:
            error.where = where
            raise

    def data(self, find: str, fields: Sequence[FieldPlan], where: str) -> Callable[[PageDocument], Sequence[Raw]]:
        items = self.compiled(find, f"{where}.find") if find else None
        if items:
            _check_kind(items, (bool, float, str) if fields else (bool,), f"{where}.find")
        record = self._record(fields, f"{where}.fields")

        def found(page: PageDocument) -> Sequence[Raw]:
            nodes = as_list(items(page, page.tree)) if items else [page.tree]
            return [record(page, node) for node in nodes] if fields else texts(nodes)

        return found

    def _record(
        self, fields: Sequence[FieldPlan], where: str
    ) -> Callable[[PageDocument, Any], dict[str, list[Raw]]]:
        finders = [(each["name"], self._field(each, f"{where}.{each['name']}")) for each in fields]

        def record(page: PageDocument, node: Any) -> dict[str, list[Raw]]:
            return {name: find(page, node) for name, find in finders}

        return record

    def _field(self, field: FieldPlan, where: str) -> Callable[[PageDocument, Any], list[Raw]]:
        name = field["name"]
        finder = self.compiled(field["find"], where) if field["find"] else None
        inner = self._record(field["fields"], where) if field["fields"] else None

        def found(page: PageDocument, node: Any) -> list[Raw]:
            if not isinstance(node, Node):
                return []
            nodes = as_list(finder(page, node)) if finder else members(node, name)
            return [inner(page, each) for each in nodes] if inner else texts(nodes)

        return found

    def links(self, find: str, where: str) -> Callable[[PageDocument], Sequence[Reference]]:
        finder = self.compiled(find, f"{where}.find")
        _check_kind(finder, (bool, float), f"{where}.find")
        return lambda page: [reference(node) for node in as_list(finder(page, page.tree))]

    def test(self, query: str, where: str) -> Callable[[PageDocument], bool]:
        finder = self.compiled(query, f"{where}.when")
        return lambda page: truth(finder(page, page.tree))


def _check_kind(finder: Finder, kinds: tuple[type, ...], where: str) -> None:
    """What a query gives, nodes or a single value, is the same on every page: so an empty one can tell."""
    page = empty_page()
    found = finder(page, page.tree)
    if isinstance(found, kinds):
        raise QueryError(f"it gives {VALUE_KINDS[type(found)]}, and elements are expected", 1, 1, where)


def as_list(found: Any) -> list[Any]:
    if isinstance(found, list):
        return found
    is_nothing = found is None or found == "" or (isinstance(found, float) and isnan(found))
    return [] if is_nothing else [found]


def truth(found: Any) -> bool:
    """As XPath's boolean()."""
    return bool(found) and not (isinstance(found, float) and isnan(found))


def texts(nodes: Sequence[Any]) -> list[Raw]:
    """Of nodes their texts; attributes and single values are what they are."""
    return [node.text if isinstance(node, Node) else node for node in nodes]


def members(node: Any, name: str) -> list[Any]:
    """Child elements of a name, else the attribute."""
    found = [child for child in node.children if isinstance(child, Element) and child.tag == name]
    if found or not isinstance(node, Element):
        return found
    attribute = node.attr(name)
    return [] if attribute is None else [attribute]


def reference(node: Any) -> Reference:
    """Where an element leads; in feeds and sitemaps its text says so."""
    if not isinstance(node, Element):
        return Reference(str(texts([node])[0]), "")
    text = " ".join(node.text.split())
    href = next((value for name in HREFS if (value := node.attr(name))), text)
    return Reference(href, text[:500])
