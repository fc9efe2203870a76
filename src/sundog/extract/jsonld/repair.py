"""Broken JSON as pages have it, read as far as it can be read without guessing."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import orjson

_WRAPPING = re.compile(
    r"^(?:\s|\ufeff|<!--|//\s*<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/|<!\[CDATA\[)+"
    r"|(?:\s|;|-->|//\s*\]\]>|/\*\s*\]\]>\s*\*/|\]\]>)+$"
)
_STRING_OR_JUNK = re.compile(
    r'"(?:[^"\\]|\\.)*"'  # strings come first: what looks like a comment in one is none
    r"|/\*.*?\*/|//[^\n]*"
    r"|,(?=(?:\s|/\*.*?\*/|//[^\n]*\n)*[}\]])",
    re.DOTALL,
)
_BAD_ESCAPE = re.compile(r'\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})')
_SEPARATORS = re.compile(r"[\s,;]*")
_LENIENT = json.JSONDecoder(strict=False)  # control characters are let through


def parse(text: str) -> list[Any]:
    """The JSON values in a script block, usually one; ValueError if it cannot be read.

    >>> parse('{"a": 1, /* one */} {"b": [2,],}')
    [{'a': 1}, {'b': [2]}]
    """
    try:
        return [orjson.loads(text)]
    except ValueError as error:
        first = error
    text = _WRAPPING.sub("", text)
    for attempt in (_as_is, _without_junk, _unescaped):
        try:
            return attempt(text)
        except ValueError:
            continue
    raise ValueError(str(first))


def _as_is(text: str) -> list[Any]:
    """One value after the other."""
    values, position = [], _after_separators(text, 0)
    while position < len(text):
        value, position = _LENIENT.raw_decode(text, position)
        values.append(value)
        position = _after_separators(text, position)
    if not any(isinstance(value, (dict, list)) for value in values):
        raise ValueError("there is no object")
    return values


def _after_separators(text: str, position: int) -> int:
    match = _SEPARATORS.match(text, position)
    return match.end() if match else position


def _without_junk(text: str) -> list[Any]:
    return _as_is(_STRING_OR_JUNK.sub(_cleaned, text))


def _cleaned(match: re.Match[str]) -> str:
    found = match[0]
    if found[0] == '"':
        return _BAD_ESCAPE.sub(r"\\\\", found)
    return " " if found[0] == "/" else ""


def _unescaped(text: str) -> list[Any]:
    """JSON that went through an HTML escaper on its way into the script."""
    if "&" not in text:
        raise ValueError("there are no entities")
    return _without_junk(html.unescape(text))
