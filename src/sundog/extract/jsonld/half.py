"""A file of JSON-LD that stops half-way: its nodes before that."""

from __future__ import annotations

import re

from sundog.extract.timebox import TimeBox

_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[{}\[\]]', re.DOTALL)
_TOKENS_A_CHECK = 1 << 14


def closed(text: str, box: TimeBox) -> str:
    """The file up to the last node that is complete, with the brackets that are missing; '' if there is none.

    Nodes are the members of a list that is the whole file or its ``@graph``. Half a node is left out: what it is
    about may be said in its other half.

    >>> closed('{"@graph": [{"@id": "a"}, {"@id": "b", "p": [1, ', TimeBox(1))
    '{"@graph": [{"@id": "a"}]}'
    """
    open_brackets: list[str] = []
    nodes: list[str] = ["["]  # what is open around them
    last_string, end = "", 0
    for number, match in enumerate(_STRING_OR_BRACKET.finditer(text)):
        if number % _TOKENS_A_CHECK == 0:
            box.check()
        token = match[0]
        if token in "{[":
            if token == "[" and open_brackets == ["{"] and last_string == '"@graph"' and not end:
                nodes = ["{", "["]
            open_brackets.append(token)
        elif token in "}]":
            if not open_brackets:
                return ""
            open_brackets.pop()
            if open_brackets == nodes:
                end = match.end()
        else:
            last_string = token
    if not end or not open_brackets:
        return ""
    return text[:end] + ("]" if nodes == ["["] else "]}")
