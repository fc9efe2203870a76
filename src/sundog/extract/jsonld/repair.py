"""Broken JSON read without guessing: comments, commas, escapes, several values, and files that stop half-way."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import orjson

from sundog.extract.guards import TimeBox

# What pages put around their JSON. Patterns are possessive: none reads the same text twice.
_BEFORE = re.compile(r"(?:\s|\ufeff|<!--|<!\[CDATA\[|//\s*+<!\[CDATA\[|/\*\s*+<!\[CDATA\[\s*+\*/)*+")
_AFTER = (";", "-->", "//]]>", "// ]]>", "/*]]>*/", "/* ]]> */", "]]>")
_MOST_ENDINGS = 4
# Strings come first: what looks like a comment in one is none.
_STRING_OR_COMMENT = re.compile(r'"(?:[^"\\]++|\\.)*+"?|/\*(?:(?!\*/).)*+(?:\*/)?|//[^\n]*+', re.DOTALL)
_STRING_OR_COMMA = re.compile(r'"(?:[^"\\]++|\\.)*+"?|,(?=\s*+[}\]])', re.DOTALL)
_BAD_ESCAPE = re.compile(r'\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})')
_SEPARATORS = re.compile(r"[\s,;]*")
_LENIENT = json.JSONDecoder(strict=False)  # control characters are let through
_UP_TO_BRACKET = re.compile(r'(?:[^"{}\[\]]++|"(?:[^"\\]++|\\.)*+")*+([{}\[\]])', re.DOTALL)
_GRAPH = re.compile(r'"@graph"\s*:\s*\[$')
_BRACKETS_A_CHECK = 1 << 12


def parse(text: str, box: TimeBox) -> list[Any]:
    """The JSON values in a script block, usually one; ValueError if it cannot be read.

    >>> parse('{"a": 1, /* one */} {"b": [2,],}', TimeBox(1))
    [{'a': 1}, {'b': [2]}]
    """
    try:
        return [orjson.loads(text)]
    except ValueError as error:
        first = error
    text = _unwrapped(text)
    for attempt in (_as_is, _without_junk, _unescaped):
        try:
            return attempt(text, box)
        except ValueError:
            continue
    raise ValueError(str(first))


def _unwrapped(text: str) -> str:
    match = _BEFORE.match(text)
    text = text[match.end() :].rstrip() if match else text
    for _ in range(_MOST_ENDINGS):
        ending = next((each for each in _AFTER if text.endswith(each)), "")
        text = text.removesuffix(ending).rstrip()
    return text


def _as_is(text: str, box: TimeBox) -> list[Any]:
    """One value after the other."""
    values, position = [], _after_separators(text, 0)
    while position < len(text):
        box.check()
        value, position = _LENIENT.raw_decode(text, position)
        values.append(value)
        position = _after_separators(text, position)
    if not any(isinstance(value, (dict, list)) for value in values):
        raise ValueError("there is no object")
    return values


def _after_separators(text: str, position: int) -> int:
    match = _SEPARATORS.match(text, position)
    return match.end() if match else position


def _without_junk(text: str, box: TimeBox) -> list[Any]:
    def without_comment(match: re.Match[str]) -> str:
        box.check()
        found = match[0]
        return _BAD_ESCAPE.sub(r"\\\\", found) if found[0] == '"' else " "

    def without_comma(match: re.Match[str]) -> str:
        box.check()
        return match[0] if match[0][0] == '"' else ""

    text = _STRING_OR_COMMENT.sub(without_comment, text)
    return _as_is(_STRING_OR_COMMA.sub(without_comma, text), box)


def _unescaped(text: str, box: TimeBox) -> list[Any]:
    """JSON that an HTML escaper has escaped."""
    if "&" not in text:
        raise ValueError("there are no entities")
    return _without_junk(html.unescape(text), box)


def complete_nodes(text: str, box: TimeBox) -> str:
    """The file up to the last node that is complete, with the brackets that are missing; '' if there is none.

    Nodes are the members of a list that is the whole file or its ``@graph``. Half a node is left out: its name may
    be in its other half.

    >>> complete_nodes('{"@graph": [{"@id": "a"}, {"@id": "b", "p": [1, ', TimeBox(1))
    '{"@graph": [{"@id": "a"}]}'
    """
    depth, end, number = 0, 0, 0
    nodes_at = 1 if text.lstrip().startswith("[") else 2  # how many brackets are open around them
    in_nodes = nodes_at == 1
    match = _UP_TO_BRACKET.match(text)
    while match:
        if match[1] in "{[":
            in_nodes = in_nodes or (depth == 1 and _GRAPH.search(match[0]) is not None)
            depth += 1
        else:
            depth -= 1
            if in_nodes and depth == nodes_at:
                end = match.end()
            elif depth < nodes_at:
                in_nodes = False
        number += 1
        if number % _BRACKETS_A_CHECK == 0:
            box.check()
        match = _UP_TO_BRACKET.match(text, match.end())
    if not end or not depth:
        return ""
    return text[:end] + ("]" if nodes_at == 1 else "]}")
