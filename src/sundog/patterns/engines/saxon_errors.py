"""What Saxon says of a query, as one sentence with the line and column of the user's own text."""

from __future__ import annotations

import re

from sundog.patterns.engines.base import QueryError, error_at

_PLACE = re.compile(r"on line (\d+) column (\d+)")
_NEAR = re.compile(r"at char (\d+)")
_CODE = re.compile(r"\b((?:XP|XQ|FO|XT|SE|SX)[A-Z]{2}\d{4})\s+")
_OUR_NAME = re.compile(r"Q\{urn:sundog:crawl\}")
_LAZY = re.compile(r"\s*During lazy evaluation of .*", re.DOTALL)
_FORBIDDEN = re.compile(r"has been (?:prohibited|disallowed)")


def readable(message: str, query: str, inserted: tuple[int, int]) -> QueryError:
    """``inserted``: where our own functions stand in the text that Saxon has read, and how long they are."""
    code = _CODE.search(message)
    lines = [line.strip() for line in message.strip().splitlines() if line.strip()]
    said = " ".join(lines[1:]) if len(lines) > 1 else " ".join(lines)
    reason = _OUR_NAME.sub("crawl:", _LAZY.sub("", _CODE.sub("", said, count=1))).strip() or "cannot be run"
    text = f"{reason} ({code[1]})" if code else reason
    if place := _PLACE.search(message):
        return QueryError(text, *_own_place(query, inserted, int(place[1]), int(place[2])))
    if near := _NEAR.search(message):
        offset = int(near[1]) - 1
        return error_at(query, offset - inserted[1] if offset > inserted[0] else offset, text)
    name = re.search(r"crawl:([\w-]+)\(", reason)
    return error_at(query, max(0, query.find(f"crawl:{name[1]}")) if name else 0, text)


def is_for_every_page(message: str) -> bool:
    """Whether the query itself is wrong: some errors come from what a page has or has not."""
    return message.lstrip().startswith("Static") or bool(_FORBIDDEN.search(message))


def _own_place(query: str, inserted: tuple[int, int], line: int, column: int) -> tuple[int, int]:
    """Ours is all in one line: what follows it there stands further left in the query itself."""
    before = query[: inserted[0]]
    own_line, own_column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1)
    if line == own_line and column > own_column:
        column = max(1, column - inserted[1])
    return line, max(1, column - (line > 1))  # Saxon counts the end of the line before
