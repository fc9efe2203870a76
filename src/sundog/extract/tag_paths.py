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

    __slots__ = ("_known", "_named")

    def __init__(self, page: Any) -> None:
        self._known: dict[Any, tuple[int, str]] = {}  # of elements that have links below them: length and path
        self._named = set(page.select("[class], [id]"))  # to ask each element takes longer

    def of(self, node: Any, tag: str) -> str:
        parent = node.parent
        length, path = self._known.get(parent) or self._climbed(parent)
        name = _made_name(tag, node.attr("id"), node.attr("class")) if node in self._named else tag
        return f"{path} {name}" if length else name

    def _climbed(self, node: Any) -> tuple[int, str]:
        """Of an element, and of all above it whose path is not known yet."""
        known, named, unknown = self._known, self._named, []
        above = None
        while above is None and type(node) is _ELEMENT:
            unknown.append(node)
            node = node.parent
            above = known.get(node)
        length, path = above or (0, "")
        for each in reversed(unknown):
            name = each.tag
            if each in named:
                name = _made_name(name, each.attr("id"), each.attr("class"))
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
