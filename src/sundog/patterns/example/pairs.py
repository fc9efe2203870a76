"""Labels that nothing marks as such but their place: ``<p><span>Height</span><span>3,967 m</span></p>``, or
``<p>Height <span>3,967 m</span></p>``.

The title and the price of a card stand so, too. So what has no colon, and is not called a label, is trusted less.
"""

from __future__ import annotations

from collections.abc import Iterator

from sundog.patterns.example.expressions import Kind, Way, label_test, stable_label
from sundog.patterns.example.names import field_name
from sundog.patterns.example.tree import Node, attribute, parent, plain
from sundog.patterns.example.types import type_of

NAMES_OF_LABELS = ("label", "key", "term", "caption", "property")  # in classes


def by_pair(node: Node, start: str) -> Iterator[Way]:
    """The one element, or the one text, before it, where there is nothing else beside it."""
    above = parent(node)
    parts = [part for part in above.children if part.text.strip()] if above is not None else []
    if above is None or len(parts) != 2 or parts[1] != node:
        return
    first, text = parts[0], plain(parts[0].text)
    test = label_test(text)
    if not test or type_of(text) != "text":
        return
    if not isinstance(first, Node):
        path = f"{start}{above.tag}[text()[{test}]]/{node.tag}"
    elif _has_link(first):  # it is the name of a thing
        return
    else:
        path = f"{start}{first.tag}[{test}]/following-sibling::*[1]"
    yield Way(path, _kind(first, text), field_name(stable_label(text)), steps=2)


def _kind(first: object, text: str) -> Kind:
    called = attribute(first, "class").lower() if isinstance(first, Node) else ""
    return "label" if text.endswith(":") or any(name in called for name in NAMES_OF_LABELS) else "pair"


def _has_link(node: Node) -> bool:
    return node.tag == "a" or node.select_one("a") is not None
