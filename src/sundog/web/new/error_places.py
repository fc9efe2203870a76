"""Line and column of an error in a draft, also of an error inside a pattern's query."""

from __future__ import annotations

import re
from typing import Any

from sundog.store.directory import SPEC
from sundog.web.request_bodies import Draft

LINE_AND_COLUMN = re.compile(r"line (\d+),? column (\d+)|(?<!\d)(\d+):(\d+)(?!\d)")
NAMED_KEY = re.compile(r"(?:key '|: |^)([\w.]+)(?:'| =)")
ERROR = re.compile(r"patterns\.(?P<kind>\w+)(?: '(?P<name>[\w-]+)')?\.(?P<key>[\w.-]+), line (?P<line>\d+)")
COLUMN = re.compile(r"line \d+, column (\d+)")


def located(message: str, draft: Draft) -> dict[str, Any]:
    """The message with its line, its column and the text that it is about: the spec, or one of the files."""
    place = next((name for name in draft.files if name in message), "spec")
    message = message.removeprefix(f"{SPEC}: ")
    if place == "spec" and (there := place_in_spec(message, draft.spec or "")):
        return {"message": message, "line": there[0], "column": there[1], "place": place}
    found = LINE_AND_COLUMN.search(message)
    if found:
        at, column = (int(part) for part in found.groups() if part is not None)
        return {"message": message, "line": at, "column": column, "place": place}
    line = _line_of(message, draft.spec or "") if place == "spec" else None
    return {"message": message, "line": line, "column": 1 if line else None, "place": place}


def _line_of(message: str, text: str) -> int | None:
    """The line that sets the key of which the message speaks."""
    named = NAMED_KEY.search(message)
    key = named[1].rpartition(".")[2] if named else message.partition(" ")[0]
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(rf'\s*"?{re.escape(key)}"?\s*=', line):
            return number
    return None


def place_in_spec(message: str, spec: str) -> tuple[int, int] | None:
    """Line and column, both from 1 on; None if the message is not about a query, or the query is not found.

    >>> spec = '[[patterns.data]]\\nname = "it"\\nfind = "//p["'
    >>> place_in_spec("patterns.data 'it'.find, line 1, column 5: expected a node test", spec)
    (3, 13)
    """
    error = ERROR.search(message)
    if error is None:
        return None
    lines = spec.splitlines()
    for begin, end in _tables(lines, error["kind"]):
        if error["name"] and not any(_sets_name(line, error["name"]) for line in lines[begin:end]):
            continue
        for number in range(begin, end):
            found = re.search(rf"\b{re.escape(error['key'].rpartition('.')[2])}\b\s*=", lines[number])
            if found:
                column = COLUMN.search(message)
                return _shifted(
                    lines[number], number, found.end(), int(error["line"]), int(column[1]) if column else 1
                )
    return None


def _tables(lines: list[str], kind: str) -> list[tuple[int, int]]:
    """Where tables of patterns of this kind begin and end."""
    heads = [number for number, line in enumerate(lines) if re.match(r"\s*\[", line)]
    ends = [*heads[1:], len(lines)]
    return [
        (begin, end)
        for begin, end in zip(heads, ends, strict=True)
        if re.match(rf"\s*\[+\s*patterns\.{kind}\b", lines[begin])
    ]


def _sets_name(line: str, name: str) -> bool:
    return re.match(rf"\s*name\s*=\s*[\"']{re.escape(name)}[\"']", line) is not None


def _shifted(text: str, number: int, after: int, line: int, column: int) -> tuple[int, int]:
    """From a place in the query to one in the spec; a query in three quotes may begin on the next line."""
    opening = re.search(r"\"\"\"|'''|[\"']", text[after:])
    if opening is None:
        return number + 1, 1
    begin = after + opening.end()
    if len(opening[0]) == 3 and not text[begin:].strip():
        return number + 1 + line, column
    return number + line, begin + column if line == 1 else column
