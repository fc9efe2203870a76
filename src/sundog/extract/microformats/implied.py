"""Properties that a microformats2 item has without saying so: the name, photo and url that its markup implies."""

from __future__ import annotations

from typing import Any

from sundog.extract.dom import Element
from sundog.extract.microformats.reading import SPACES, Reading
from sundog.extract.microformats.values import read_image

_NAMED_BY = (("img", "alt"), ("area", "alt"), ("abbr", "title"))
_SHOWN_BY = (("img", "src"), ("object", "data"))
_LINKED_BY = (("a", "href"), ("area", "href"))


def implied_name(element: Element, reading: Reading) -> str:
    """The alternative text or title of the element or of its only child or grandchild, else all its text."""
    attribute = dict(_NAMED_BY).get(element.tag)
    if attribute and attribute in element.attrs:
        return element.attrs[attribute].strip(SPACES)
    only = _only_child(element)
    for child in (only, _only_child(only)):
        if child is not None:
            attribute = dict(_NAMED_BY).get(child.tag)
            if attribute and child.attrs.get(attribute):
                return child.attrs[attribute].strip(SPACES)
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
