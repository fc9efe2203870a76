"""CSS selectors, by turbohtml; with ``::text`` and ``::attr(name)`` at their end."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import turbohtml

from sundog.patterns.engines import QueryError, error_at
from sundog.patterns.engines.nodes import Finder, NodeEngine

_ENDING = re.compile(r"(.*?)::(?:(text)|attr\(\s*([\w:-]+)\s*\))\s*", re.DOTALL)
_PSEUDO_CLASS = re.compile(r":[\w-]+$")
_POSITION = re.compile(r" at position (\d+)")


def engine(_: str) -> CssEngine:
    return CssEngine()


class CssEngine(NodeEngine):
    def compiled(self, query: str, where: str) -> Finder:
        """A page as a whole has no attributes; what is asked of it needs a selector."""
        ending = _ENDING.fullmatch(query)
        if ending and ending[3] and not ending[1].strip() and where.endswith("'.find"):
            raise QueryError(f"a selector is expected before {query.strip()}", 1, 1, where)
        return super().compiled(query, where)

    def compile(self, query: str) -> Finder:
        ending = _ENDING.fullmatch(query)
        selector, attribute = (ending[1].strip(), ending[3]) if ending else (query, None)
        if ending and not selector:
            return lambda page, node: _ended([node], attribute)
        try:
            turbohtml.parse("").select(selector)
        except ValueError as error:
            raise _readable(query, str(error)) from None
        if ending:
            return lambda page, node: _ended(node.select(selector), attribute)
        return lambda page, node: node.select(selector)


def _ended(nodes: Sequence[Any], attribute: str | None) -> list[str]:
    """The values of an attribute, or without one the texts. A page as a whole has no attributes."""
    if not attribute:
        return [node.text for node in nodes]
    elements = [node for node in nodes if isinstance(node, turbohtml.Element)]
    return [value for each in elements if (value := each.attr(attribute)) is not None]


def _readable(query: str, message: str) -> QueryError:
    if (colons := query.find("::")) >= 0:
        return error_at(query, colons, "::text or ::attr(name) may stand at the end, once, and no other '::'")
    found = _POSITION.search(message)
    if found and "unknown pseudo-class" in message and (name := _PSEUDO_CLASS.search(query[: int(found[1])])):
        return error_at(query, name.start(), f"unknown pseudo-class '{name[0]}'")
    reason = message.rpartition('": ')[2].replace(found[0] if found else "\0", "")
    return error_at(query, int(found[1]) if found else 0, reason)
