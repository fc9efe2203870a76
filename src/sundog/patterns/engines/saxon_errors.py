"""What Saxon says of a query, as one sentence with the line and column of the user's own text."""

from __future__ import annotations

import re

from sundog.errors import nearest
from sundog.patterns.engines.base import QueryError, error_at
from sundog.patterns.surroundings import FUNCTIONS, VARIABLES

_PLACE = re.compile(r"on line (\d+) (?:at )?column (\d+)")
_NEAR = re.compile(r"at char (\d+)")
_CODE = re.compile(r"\b((?:XP|XQ|FO|XT|SE|SX)[A-Z]{2}\d{4})\s+")
_OUR_NAME = re.compile(r"Q\{urn:sundog:crawl\}")
_THEIR_NAME = re.compile(r"Q\{http://www\.w3\.org/2005/xpath-functions\}")
_NO_FUNCTION = re.compile(r"Cannot find an? (\d+)-argument function named ([\w:.-]+)\(\)")
_NO_VARIABLE = re.compile(r"Unresolved reference to variable \$([\w:.-]+)")
_UNEXPECTED = re.compile(r"(?:found|Unexpected token) (?:`([^`]+)`|([^\s<`]\S*))")
_LAZY = re.compile(r"\s*During lazy evaluation of .*", re.DOTALL)
_FORBIDDEN = re.compile(r"has been (?:prohibited|disallowed)")


def readable(message: str, query: str, inserted: tuple[int, int]) -> QueryError:
    """``inserted``: where our own functions stand in the text that Saxon has read, and how long they are."""
    code = _CODE.search(message)
    lines = [line.strip() for line in message.strip().splitlines() if line.strip()]
    said = " ".join(lines[1:]) if len(lines) > 1 else " ".join(lines)
    reason = _LAZY.sub("", _CODE.sub("", said, count=1)).strip() or "cannot be run"
    reason = _THEIR_NAME.sub("", _OUR_NAME.sub("crawl:", reason))
    if name := _NO_FUNCTION.search(reason):
        near = nearest(name[2].removeprefix("crawl:"), FUNCTIONS) if name[2].startswith("crawl:") else ""
        reason = f"unknown function {name[2]}() with {name[1]} arguments{near}"
        return error_at(query, _called(name[2], query), reason)
    if name := _NO_VARIABLE.search(reason):
        reason = f"unknown variable ${name[1]}{nearest(name[1], VARIABLES)}"
    text = f"{reason} ({code[1]})" if code else reason
    offset = _offset(message, query, inserted)
    if word := _UNEXPECTED.search(reason):  # Saxon has read on: what it did not expect stands before
        before = query.rfind(word[1] or word[2], 0, offset + 1)
        offset = before if before >= 0 else offset
    return error_at(query, offset, text)


def _called(function: str, query: str) -> int:
    found = re.search(rf"(?<![\w:.-]){re.escape(function)}\s*\(", query)
    return found.start() if found else 0


def is_for_every_page(message: str) -> bool:
    """Whether the query itself is wrong: some errors come from what a page has or has not."""
    return message.lstrip().startswith("Static") or bool(_FORBIDDEN.search(message))


def _offset(message: str, query: str, inserted: tuple[int, int]) -> int:
    """The place that Saxon names, in the user's own text."""
    if place := _PLACE.search(message):
        line, column = _own_place(query, inserted, int(place[1]), int(place[2]))
        begin = sum(len(each) for each in query.splitlines(keepends=True)[: line - 1])
        return min(begin + column - 1, len(query))
    if near := _NEAR.search(message):
        offset = int(near[1]) - 1
        return offset - inserted[1] if offset > inserted[0] else offset
    return 0


def _own_place(query: str, inserted: tuple[int, int], line: int, column: int) -> tuple[int, int]:
    """Ours is all in one line: what follows it there stands further left in the query itself."""
    before = query[: inserted[0]]
    own_line, own_column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1)
    if line == own_line and column > own_column:
        column = max(1, column - inserted[1])
    return line, max(1, column - (line > 1))  # Saxon counts the end of the line before
