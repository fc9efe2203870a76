"""The include patterns of the classic formats: an item may take in parts of the page that stand elsewhere.

- ``<a class=include href="#id">`` and ``<object class=include data="#id">`` in an item stand for that element;
- ``itemref="id …"`` on an item appends those elements;
- ``headers="id …"`` on a table cell that is an item or in one appends those headers that hold properties of it.

What is included is copied, and a copy includes nothing itself: no chain or cycle of includes can grow.
"""

from __future__ import annotations

from sundog.extract.dom import Element
from sundog.extract.microformats.reading import Reading
from sundog.extract.microformats.roots import Root
from sundog.extract.microformats.values import properties_of

MOST_COPIED = 50_000  # elements and texts a page, apart from the last copy
_REFERENCE = {"a": "href", "object": "data"}
_CELLS = ("td", "th")
_INCLUDING = "[itemref], td[headers], th[headers], a[class*=include], object[class*=include]"


def resolve_includes(reading: Reading) -> None:
    """Fill ``reading.included`` and add the copied items to ``reading.roots``."""
    document = reading.document
    including = [each for each in map(document.view, document.nodes(_INCLUDING)) if _may_include(each)]
    if not including:
        return
    by_id = {element.attrs["id"]: element for element in reversed(document.having("id"))}
    room = MOST_COPIED
    for element in including:
        root = _item_around(element, reading)
        copies: list[Element | str] = []
        for target in _targets(element, root, by_id, reading) if root and root.classic else ():
            if room <= 0:
                return
            copy, size = _copy(target, element, reading)
            room -= size
            copies.append(copy)
        if copies:
            reading.included[element] = copies if _stands_for(element) else element.children + copies


def _may_include(element: Element) -> bool:
    attrs = element.attrs
    return "itemref" in attrs or ("headers" in attrs and element.tag in _CELLS) or _stands_for(element)


def _stands_for(element: Element) -> bool:
    return element.tag in _REFERENCE and "include" in element.attrs.get("class", "").split()


def _item_around(element: Element, reading: Reading) -> Root | None:
    above: Element | None = element
    while above is not None and above not in reading.roots:
        reading.spend(1)
        above = above.parent
    return reading.roots[above] if above is not None else None


def _targets(element: Element, root: Root, by_id: dict[str, Element], reading: Reading) -> list[Element]:
    """What an element includes; never what it is in itself."""
    attrs = element.attrs
    if _stands_for(element):
        reference = attrs.get(_REFERENCE[element.tag], "")
        found = [by_id.get(reference[1:])] if reference.startswith("#") else []
    else:
        found = [by_id.get(name) for name in attrs.get("itemref", "").split() if element in reading.roots]
        if element.tag in _CELLS:
            headers = [by_id.get(name) for name in attrs.get("headers", "").split()]
            found += [header for header in headers if header and _holds_property(header, root, reading)]
    outside = (target for target in found if target and not target.index <= element.index < target.end)
    return list(dict.fromkeys(outside))


def _holds_property(element: Element, root: Root, reading: Reading) -> bool:
    stack = [element]
    while stack:
        node = stack.pop()
        reading.spend(1)
        if properties_of(node, root):
            return True
        stack.extend(child for child in node.children if not isinstance(child, str))
    return False


def _copy(target: Element, parent: Element, reading: Reading) -> tuple[Element, int]:
    """A copy of an element and all that is in it, as a child of `parent`, and the copy's size."""
    copy = target.twin(parent)
    stack = [(target, copy)]
    size = 0
    while stack:
        original, twin = stack.pop()
        if original in reading.roots:
            reading.roots[twin] = reading.roots[original]
        for child in original.children:
            size += 1
            if isinstance(child, str):
                twin.children.append(child)
            else:
                below = child.twin(twin)
                twin.children.append(below)
                stack.append((child, below))
    reading.spend(size)
    return copy, size
