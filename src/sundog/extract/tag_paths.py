"""``div#main.wide ul.menu li a``: where on a page a link stands, as the engine learns it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final

import turbohtml

LENGTH: Final = 8  # the innermost elements
_NAME_LENGTH = 20
_CLASSES = 3
_DIGITS = re.compile(r"\d+")
_ELEMENT = turbohtml.Element


class TagPaths:
    """Of one page. Each element around links is climbed and named once."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[Any, tuple[int, str]] = {}  # of elements that have links below them: length and path

    def of(self, node: Any, tag: str) -> str:
        parent, attribute = node.parent, node.attr
        known = self._known.get(parent) or self._climbed(parent)
        identity, classes = attribute("id"), attribute("class")
        name = _made_name(tag, identity, classes) if identity or classes else tag
        return f"{known[1]} {name}" if known[0] else name

    def _climbed(self, node: Any) -> tuple[int, str]:
        """From the next element whose path is known."""
        known, climbed = self._known, []
        above = None
        while above is None and type(node) is _ELEMENT:
            climbed.append(node)
            node = node.parent
            above = known.get(node)
        length, path = above or (0, "")
        for each in reversed(climbed):
            attribute = each.attr
            identity, classes = attribute("id"), attribute("class")
            name = _made_name(each.tag, identity, classes) if identity or classes else each.tag
            if length == LENGTH - 1:
                path = f"{path.partition(' ')[2]} {name}"
            else:
                length, path = length + 1, f"{path} {name}" if length else name
            known[each] = (length, path)
        return length, path


@lru_cache(maxsize=8192)
def _made_name(tag: str, identity: str | None, classes: str | None) -> str:
    """With id and classes, numbers as 0.

    >>> _made_name("li", "item-4711", "even menu-item")
    'li#item-0.even.menu-item'
    """
    name = tag
    if identity:
        name += "#" + "".join(_DIGITS.sub("0", identity)[:_NAME_LENGTH].split())
    for each in sorted(set(classes.split()))[:_CLASSES] if classes else ():
        name += "." + _DIGITS.sub("0", each)[:_NAME_LENGTH]
    return name
