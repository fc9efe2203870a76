"""The include patterns of the classic formats: an item may take in parts of the page that stand elsewhere.

- ``<a class=include href="#id">`` and ``<object class=include data="#id">`` in an item stand for that element;
- ``itemref="id …"`` on an item appends those elements;
- ``headers="id …"`` on a table cell that is an item or in one appends those headers that hold properties of it.

What is included is copied, and a copy includes nothing itself: no chain or cycle of includes can grow.
"""

from __future__ import annotations

from collections.abc import Sequence

from sundog.extract.dom import Element
from sundog.extract.microformats.page import Page
from sundog.extract.microformats.roots import Root
from sundog.extract.microformats.values import properties_of

MOST_COPIED = 50_000  # elements and texts a page, apart from the last copy
_REFERENCE = {"a": "href", "object": "data"}
_CELLS = ("td", "th")


def resolve_includes(elements: Sequence[Element], page: Page) -> None:
    """Fill ``page.included`` and add the copied items to ``page.roots``."""
    including = [element for element in elements if _may_include(element)]
    if not including:
        return
    by_id: dict[str, Element] = {}
    for element in elements:
        if "id" in element.attrs:
            by_id.setdefault(element.attrs["id"], element)
    room = MOST_COPIED
    for element in including:
        root = _item_around(element, page)
        copies: list[Element | str] = []
        for target in _targets(element, root, by_id, page) if root and root.classic else ():
            if room <= 0:
                return
            copy, size = _copy(target, element, page)
            room -= size
            copies.append(copy)
        if copies:
            page.included[element] = copies if _stands_for(element) else element.children + copies


def _may_include(element: Element) -> bool:
    attrs = element.attrs
    return "itemref" in attrs or ("headers" in attrs and element.tag in _CELLS) or _stands_for(element)


def _stands_for(element: Element) -> bool:
    return element.tag in _REFERENCE and "include" in element.attrs.get("class", "").split()


def _item_around(element: Element, page: Page) -> Root | None:
    above: Element | None = element
    while above is not None and above not in page.roots:
        page.spend(1)
        above = above.parent
    return page.roots[above] if above is not None else None


def _targets(element: Element, root: Root, by_id: dict[str, Element], page: Page) -> list[Element]:
    """What an element includes; never what it is in itself."""
    attrs = element.attrs
    if _stands_for(element):
        reference = attrs.get(_REFERENCE[element.tag], "")
        found = [by_id.get(reference[1:])] if reference.startswith("#") else []
    else:
        found = [by_id.get(name) for name in attrs.get("itemref", "").split() if element in page.roots]
        if element.tag in _CELLS:
            headers = (by_id.get(name) for name in attrs.get("headers", "").split())
            found += [header for header in headers if header is not None and _holds_property(header, root, page)]
    outside = (target for target in found if target and not target.index <= element.index < target.end)
    return list(dict.fromkeys(outside))


def _holds_property(element: Element, root: Root, page: Page) -> bool:
    stack = [element]
    while stack:
        node = stack.pop()
        page.spend(1)
        if properties_of(node, root):
            return True
        stack.extend(child for child in node.children if not isinstance(child, str))
    return False


def _copy(target: Element, parent: Element, page: Page) -> tuple[Element, int]:
    """A copy of an element and all that is in it, as a child of `parent`, and the copy's size."""
    copy = Element(target.tag, target.attrs, parent, target.index, target.start)
    stack = [(target, copy)]
    size = 0
    while stack:
        original, twin = stack.pop()
        if original in page.roots:
            page.roots[twin] = page.roots[original]
        for child in original.children:
            size += 1
            if isinstance(child, str):
                twin.children.append(child)
            else:
                below = Element(child.tag, child.attrs, twin, child.index, child.start)
                twin.children.append(below)
                stack.append((child, below))
    page.spend(size)
    return copy, size
