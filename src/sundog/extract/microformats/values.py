"""The value of a property's element: the rules for ``p-*``, ``u-*``, ``dt-*``, ``e-*`` and for values in parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from sundog.extract.dom import BLANKS, VOID, Element
from sundog.extract.microformats.classic import LONGEST, Property, classic_properties
from sundog.extract.microformats.dates import join_date
from sundog.extract.microformats.reading import Reading
from sundog.extract.microformats.roots import Root, modern_properties

_RAW = frozenset("script style xmp iframe noembed noframes plaintext noscript".split())
_URL_ATTRIBUTES = frozenset("href src action cite data formaction poster".split())
_LINKS = ("a", "area", "link")
# Per prefix, the attribute that speaks for an element of that tag instead of its text.
_P = {"abbr": "title", "link": "title", "data": "value", "input": "value", "img": "alt", "area": "alt"}
_U_SOURCE = {"a": "href", "area": "href", "link": "href", "object": "data"} | dict.fromkeys(
    ("img", "audio", "video", "source", "iframe"), "src"
)
_U = {"abbr": "title", "data": "value", "input": "value"}
_DT = _U | {"time": "datetime", "ins": "datetime", "del": "datetime"}
_VALUE = {"img": "alt", "area": "alt", "data": "value", "abbr": "title"}


def properties_of(element: Element, root: Root) -> tuple[Property, ...]:
    """The properties that an element inside an item holds for it."""
    return properties_by(element.attrs.get, element.tag, root)


def properties_by(attribute: Callable[[str], str | None], tag: str, root: Root) -> tuple[Property, ...]:
    """The same for an element of which there may be no view: `attribute` gives the value of one."""
    classes = attribute("class") or ""
    if len(classes) > LONGEST:
        return ()
    if not root.classic:
        return modern_properties(classes) if classes else ()
    rel = (attribute("rel") or "") if tag in _LINKS and attribute("href") is not None else ""
    return classic_properties(classes, rel[:LONGEST], root.types) if classes or rel else ()


def read_value(element: Element, prop: Property, root: Root, reading: Reading, *, nested: bool) -> Any:
    """The value of a property; `nested`: the element is an item itself, whose parts are not the property's."""
    if prop.prefix == "p":
        return _tag(element, reading) if prop.tag else _p(element, root, reading, nested)
    if prop.prefix == "u":
        return _u(element, root, reading, nested)
    if prop.prefix == "dt":
        return _dt(element, root, reading, nested)
    return _e(element, reading)


def read_image(image: Element, reading: Reading) -> str | dict[str, str]:
    """An image's URL, with its alternative text if it has one."""
    url = reading.url(image.attrs["src"])
    return {"value": url, "alt": image.attrs["alt"]} if "alt" in image.attrs else url


def _p(element: Element, root: Root, reading: Reading, nested: bool) -> str:
    pieces = None if nested else _pieces(element, root, reading, _VALUE)
    if pieces is not None:
        return "".join(pieces).strip()
    value = element.attrs.get(_P.get(element.tag, ""))
    return reading.text(element) if value is None else value


def _u(element: Element, root: Root, reading: Reading, nested: bool) -> str | dict[str, str]:
    attrs, tag = element.attrs, element.tag
    source = attrs.get(_U_SOURCE.get(tag, ""))
    if source is None and tag == "video":
        source = attrs.get("poster")
    if source is not None:
        # The classic formats know a photo's URL only.
        return read_image(element, reading) if tag == "img" and not root.classic else reading.url(source)
    pieces = None if nested else _pieces(element, root, reading, _VALUE)
    if pieces is not None:
        return reading.url("".join(pieces))
    value = attrs.get(_U.get(tag, ""))
    return reading.url(reading.text(element, images=False) if value is None else value)


def _dt(element: Element, root: Root, reading: Reading, nested: bool) -> str:
    pieces = None if nested else _pieces(element, root, reading, _VALUE | _DT)
    if pieces and (joined := join_date(pieces)):
        return joined
    value = element.attrs.get(_DT.get(element.tag, ""))
    return reading.text(element, images=False) if value is None else value.strip()


def _e(element: Element, reading: Reading) -> dict[str, str]:
    value = {"value": reading.text(element)}
    if reading.markup:
        value["html"] = inner_html(element, reading)
    language = reading.language(element)
    return value | {"lang": language} if language else value


def _tag(link: Element, reading: Reading) -> str:
    """The tag that a link stands for is the last segment of its path, as rel-tag defines."""
    path = reading.url(link.attrs.get("href", "")).partition("?")[0].partition("#")[0]
    return unquote(path.rstrip("/").rpartition("/")[2]).strip()


def _pieces(element: Element, root: Root, reading: Reading, attribute_of: dict[str, str]) -> list[str] | None:
    """The values of the value-class pattern in an element, None if it is not used.

    They count where they stand for this property: not inside another property or item.
    """
    if not reading.has_parts(element):
        return None
    pieces: list[str] = []
    stack = list(reversed(reading.children(element)))
    steps = 1
    while stack:
        node = stack.pop()
        steps += 1
        if isinstance(node, str) or node.tag == "template":
            continue
        words = node.attrs.get("class", "").split()
        if "value-title" in words:
            pieces.append(node.attrs.get("title", ""))
        elif "value" in words:
            value = node.attrs.get(attribute_of.get(node.tag, ""))
            pieces.append(reading.text(node) if value is None else value)
        elif not (words and (node in reading.roots or properties_of(node, root))):
            stack.extend(reversed(reading.children(node)))
    reading.spend(steps)
    return pieces or None


def inner_html(element: Element, reading: Reading) -> str:
    parts: list[str] = []
    # A pair with True is an element's end tag, still to be written after its children.
    stack: list[tuple[Element | str, bool]] = [(child, False) for child in reversed(reading.children(element))]
    raw = element.tag in _RAW
    steps = 1
    while stack:
        node, ends = stack.pop()
        steps += 1
        if isinstance(node, str):
            parts.append(node if raw else _escape(node))
        elif ends:
            parts.append(f"</{node.tag}>")
            raw = False
        elif node.tag != "template":
            parts.append(_start_tag(node, reading))
            if node.tag not in VOID:
                raw = node.tag in _RAW
                stack.append((node, True))
                stack.extend((child, False) for child in reversed(reading.children(node)))
    html = "".join(parts)
    reading.spend(steps + len(html) // 64)
    return html.strip(BLANKS)


def _start_tag(element: Element, reading: Reading) -> str:
    attributes = "".join(
        f' {name}="{_escape_attribute(_absolute(name, value, reading))}"' for name, value in element.attrs.items()
    )
    return f"<{element.tag}{attributes}>"


def _absolute(name: str, value: str, reading: Reading) -> str:
    """A link to a place in the same content (``#note``) stays as it is: it keeps its sense wherever that goes."""
    return reading.url(value) if name in _URL_ATTRIBUTES and not value.startswith("#") else value


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("\xa0", "&nbsp;").replace("<", "&lt;").replace(">", "&gt;")


def _escape_attribute(text: str) -> str:
    return text.replace("&", "&amp;").replace("\xa0", "&nbsp;").replace('"', "&quot;")
