"""A file of JSON-LD that stops half-way: its nodes before that."""

from __future__ import annotations

import re

from sundog.extract.timebox import TimeBox

_UP_TO_BRACKET = re.compile(r'(?:[^"{}\[\]]++|"(?:[^"\\]++|\\.)*+")*+([{}\[\]])', re.DOTALL)
_GRAPH = re.compile(r'"@graph"\s*:\s*\[$')
_BRACKETS_A_CHECK = 1 << 12


def closed(text: str, box: TimeBox) -> str:
    """The file up to the last node that is complete, with the brackets that are missing; '' if there is none.

    Nodes are the members of a list that is the whole file or its ``@graph``. Half a node is left out: what it is
    about may be said in its other half.

    >>> closed('{"@graph": [{"@id": "a"}, {"@id": "b", "p": [1, ', TimeBox(1))
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
