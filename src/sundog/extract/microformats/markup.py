"""The inner HTML of an element, as the HTML standard serialises it, with absolute URLs."""

from __future__ import annotations

from sundog.extract.dom import Element
from sundog.extract.microformats.reading import SPACES, Reading

_VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
_RAW = frozenset("script style xmp iframe noembed noframes plaintext noscript".split())
_URL_ATTRIBUTES = frozenset("href src action cite data formaction poster".split())


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
            if node.tag not in _VOID:
                raw = node.tag in _RAW
                stack.append((node, True))
                stack.extend((child, False) for child in reversed(reading.children(node)))
    html = "".join(parts)
    reading.spend(steps + len(html) // 64)
    return html.strip(SPACES)


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
