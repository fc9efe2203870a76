"""What the SPARQL parser says of a query that it cannot read, as one line with the place."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sundog.errors import nearest

AROUND = 30  # characters of the query that are shown on either side of the place
_PLACE = re.compile(r"error at (\d+):(\d+): (?:expected )?(?:one of )?(.*)", re.DOTALL)
_CHARACTER_CLASS = re.compile(r"\[(?:[^\]']|'[^']*')*\]")
_PREFIX_BEFORE = re.compile(r"([\w.-]*):[^\s:]*$")
_DECLARED = re.compile(r"\bPREFIX\s+([\w.-]*):", re.IGNORECASE)


def readable_error(message: str, query: str, prefixes: Iterable[str]) -> str:
    """The parser's message without the letters that it would also have taken.

    >>> readable_error("error at 1:7: expected one of HAVING, ['0'..='9'], LIMIT", "SELECT", [])
    "error at 1:7, in 'SELECT': expected HAVING or LIMIT"
    """
    found = _PLACE.fullmatch(message)
    if not found:
        return " ".join(message.split())
    row, column = int(found[1]), int(found[2])
    lines = query.splitlines() or [""]
    line = lines[min(row, len(lines)) - 1]
    near = line[max(0, column - 1 - AROUND) : column - 1 + AROUND].strip()
    names = [*prefixes, *_DECLARED.findall(query)]
    reason = _reason(_CHARACTER_CLASS.sub("", found[3]), line[: column - 1], names)
    return f"error at {row}:{column}, in '{near}': {reason}"


def _reason(expected: str, before: str, prefixes: Iterable[str]) -> str:
    parts = [" ".join(part.split()) for part in expected.split(", ")]
    parts = [part for part in parts if part]
    sentences = [part for part in parts if " " in part]
    if "Prefix not found" in sentences:
        return _unknown_prefix(before, prefixes)
    if sentences:
        return sentences[0]
    if len(parts) > 1:
        return f"expected {', '.join(parts[:-1])} or {parts[-1]}"
    return f"expected {parts[0]}" if parts else "something else is expected there"


def _unknown_prefix(before: str, prefixes: Iterable[str]) -> str:
    name = _PREFIX_BEFORE.search(before)
    if not name:
        return "a prefix is not declared"
    return f"prefix '{name[1]}' is not declared{nearest(name[1], prefixes)}"
