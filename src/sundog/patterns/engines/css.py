"""CSS selectors, by turbohtml; with ``::text`` and ``::attr(name)`` at their end."""

from __future__ import annotations

import re

import turbohtml

from sundog.patterns.engines.base import QueryError, error_at
from sundog.patterns.engines.nodes import Finder, NodeEngine

_ENDING = re.compile(r"(.*?)::(?:(text)|attr\(\s*([\w:-]+)\s*\))\s*", re.DOTALL)
_POSITION = re.compile(r" at position (\d+)")


def engine(_: str) -> CssEngine:
    return CssEngine()


class CssEngine(NodeEngine):
    def compile(self, query: str) -> Finder:
        ending = _ENDING.fullmatch(query)
        selector, attribute = (ending[1], ending[3]) if ending else (query, None)
        try:
            turbohtml.parse("").select(selector)
        except ValueError as error:
            raise _readable(query, str(error)) from None
        if attribute:
            return lambda page, node: [
                value for each in node.select(selector) if (value := each.attr(attribute)) is not None
            ]
        if ending:
            return lambda page, node: [each.text for each in node.select(selector)]
        return lambda page, node: node.select(selector)


def _readable(query: str, message: str) -> QueryError:
    found = _POSITION.search(message)
    reason = message.rpartition('": ')[2].replace(found[0] if found else "\0", "")
    return error_at(query, int(found[1]) if found else 0, reason)
