"""An item: its types, its properties in document order, the items nested in it, and what its markup implies."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Any

from sundog.extract.dom import BLANKS, Element
from sundog.extract.microformats.classic import ITEM, Property
from sundog.extract.microformats.dates import date_of, time_of
from sundog.extract.microformats.reading import Reading
from sundog.extract.microformats.roots import Root
from sundog.extract.microformats.values import properties_by, properties_of, read_image, read_value

DEEPEST = 40  # items in items; what is deeper is left out, so that any JSON writer can write the result
_H_ITEM = Root(("h-item",), True)
_VALUE_FROM = {"p": "name", "u": "url"}
Item = dict[str, Any]
_NAMED_BY = (("img", "alt"), ("area", "alt"), ("abbr", "title"))
_SHOWN_BY = (("img", "src"), ("object", "data"))
_LINKED_BY = (("a", "href"), ("area", "href"))


def read_item(element: Element, root: Root, reading: Reading, seen: set[Element], depth: int = 1) -> Item:
    """The canonical JSON of an item; adds the roots of its nested items to `seen`."""
    reader = _ItemReader(element, root, reading, seen, depth)
    reader.walk()
    item: Item = {"type": list(root.types), "properties": reader.finish()}
    if element.attrs.get("id") and not root.classic:  # classic items have none, as in the public suite
        item["id"] = element.attrs["id"]
    if language := reading.language(element):
        item["lang"] = language
    if reader.children:
        item["children"] = reader.children
    return item


class _ItemReader:
    """One item being read."""

    def __init__(self, element: Element, root: Root, reading: Reading, seen: set[Element], depth: int) -> None:
        self.element, self.root, self.reading, self.seen, self.depth = element, root, reading, seen, depth
        self.properties: dict[str, list[Any]] = {}
        self.children: list[Item] = []
        self.fallbacks: list[tuple[str, Any]] = []
        self.prefixes: set[str] = set()
        self.nests = False
        self.date = ""
        self.timeless: list[tuple[list[Any], int]] = []  # where times stand that still lack a date

    def walk(self) -> None:
        """Visit all descendants that may be properties in document order, without entering nested items."""
        if self.reading.included:
            self._walk_with_included()
            return
        document, roots = self.reading.document, self.reading.roots
        nodes, indexes = self.reading.marked
        position, last = bisect_right(indexes, self.element.index), bisect_left(indexes, self.element.end)
        steps = 1
        while position < last:
            node = nodes[position]
            position += 1
            steps += 1
            tag = node.tag
            properties = properties_by(node.attr, tag, self.root)
            if not properties and document.known(node) not in roots:
                continue
            element = document.view(node)
            if tag != "template" and self._visit(element, properties):
                position = bisect_left(indexes, element.end, position)
        self.reading.spend(steps)

    def _visit(self, element: Element, properties: tuple[Property, ...]) -> bool:
        """Whether it was a nested item."""
        root = self.reading.roots.get(element) or self._item_root(properties)
        if root is not None:
            self._nest(element, root, properties)
            return True
        for prop in properties:
            self._add(prop, read_value(element, prop, self.root, self.reading, nested=False), element)
        return False

    def _walk_with_included(self) -> None:
        reading = self.reading
        stack = list(reversed(reading.children(self.element)))
        steps = 1
        while stack:
            node = stack.pop()
            steps += 1
            if isinstance(node, str) or node.tag == "template":
                continue
            if not self._visit(node, properties_of(node, self.root)):
                stack.extend(reversed(reading.children(node)))
        reading.spend(steps)

    def _item_root(self, properties: tuple[Property, ...]) -> Root | None:
        """In a review the class ``item`` alone makes an item."""
        return _H_ITEM if self.root.classic and any(prop.name == ITEM for prop in properties) else None

    def _nest(self, node: Element, root: Root, properties: tuple[Property, ...]) -> None:
        self.nests = True
        self.seen.add(node)
        if self.depth >= DEEPEST:
            self.seen.update(self.reading.roots_inside(node))
            return
        child = read_item(node, root, self.reading, self.seen, self.depth + 1)
        if not properties:
            self.children.append(child)
        for prop in properties:
            value = read_value(node, prop, self.root, self.reading, nested=True)
            self._add(prop, _with_value(child, prop, value), node)

    def _add(self, prop: Property, value: Any, node: Element) -> None:
        self.prefixes.add(prop.prefix)
        if prop.fallback:
            if prop.prefix != "dt" or "datetime" in node.attrs:
                self.fallbacks.append((prop.name, value))
            return
        values = self.properties.setdefault(prop.name, [])
        values.append(value)
        if prop.prefix == "dt" and isinstance(value, str):
            self._complete(values, value)

    def _complete(self, values: list[Any], value: str) -> None:
        """A time without a date is on the day of the item's last date before it, else of the first after it."""
        if time := time_of(value):
            if self.date:
                values[-1] = f"{self.date} {time}"
            else:
                self.timeless.append((values, len(values) - 1))
        elif date := date_of(value):
            self.date = date
            for waiting, index in self.timeless:
                waiting[index] = f"{date} {time_of(waiting[index])}"
            self.timeless.clear()

    def finish(self) -> dict[str, list[Any]]:
        found = set(self.properties)
        for name, value in self.fallbacks:
            if name not in found:
                self.properties.setdefault(name, []).append(value)
        if not self.root.classic and not self.nests:
            self._imply()
        return self.properties

    def _imply(self) -> None:
        element, reading, properties = self.element, self.reading, self.properties
        if "name" not in properties and not self.prefixes & {"p", "e"}:
            properties["name"] = [implied_name(element, reading)]
        if "u" in self.prefixes:
            return
        if "photo" not in properties and (photo := implied_photo(element, reading)) is not None:
            properties["photo"] = [photo]
        if "url" not in properties and (url := implied_url(element, reading)) is not None:
            properties["url"] = [url]


def _with_value(child: Item, prop: Property, value: Any) -> Item:
    """A nested item as a property's value: it also has a plain value, its name or url if it can."""
    if isinstance(value, dict):
        return {**child, **value}
    own = child["properties"].get(_VALUE_FROM.get(prop.prefix, ""), ())
    first = own[0] if own else value
    return {**child, "value": first["value"] if isinstance(first, dict) else first}


def implied_name(element: Element, reading: Reading) -> str:
    """The alternative text or title of the element or of its only child or grandchild, else all its text."""
    attribute = dict(_NAMED_BY).get(element.tag)
    if attribute and attribute in element.attrs:
        return element.attrs[attribute].strip(BLANKS)
    only = _only_child(element)
    for child in (only, _only_child(only)):
        if child is not None:
            attribute = dict(_NAMED_BY).get(child.tag)
            if attribute and child.attrs.get(attribute):
                return child.attrs[attribute].strip(BLANKS)
    return reading.text(element, sources=False)


def implied_photo(element: Element, reading: Reading) -> Any:
    source = _source(element, _SHOWN_BY)
    if source is None:
        return None
    return read_image(source, reading) if source.tag == "img" else reading.url(source.attrs["data"])


def implied_url(element: Element, reading: Reading) -> str | None:
    source = _source(element, _LINKED_BY)
    return None if source is None else reading.url(source.attrs["href"])


def _source(element: Element, kinds: tuple[tuple[str, str], ...]) -> Element | None:
    """The element itself, else the only one of its kind among its children, or among those of its only child."""
    for tag, attribute in kinds:
        if element.tag == tag and attribute in element.attrs:
            return element
    for parent in (element, _only_child(element)):
        for tag, attribute in kinds if parent is not None else ():
            same = [child for child in _elements(parent) if child.tag == tag]
            if len(same) == 1 and attribute in same[0].attrs:
                return same[0]
    return None


def _only_child(element: Element | None) -> Element | None:
    children = _elements(element)
    return children[0] if len(children) == 1 else None


def _elements(element: Element | None) -> list[Element]:
    if element is None:
        return []
    return [child for child in element.children if not isinstance(child, str) and child.tag != "template"]
