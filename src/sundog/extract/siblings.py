"""Siblings in a document's graph: URIs that share subject and property, or property and object."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

MOST_CONNECTIONS: Final = 200_000  # of a document; those of the others are not looked for

Connection = tuple[
    str, str, str, bool
]  # a term, its property, the term at the other end, whether that is an object


def ungrouped(connections: Iterable[Connection]) -> dict[tuple[str, str], int]:
    """Terms with their properties, each once; nobody asks for siblings."""
    return dict.fromkeys(((term, name) for term, name, _, _ in connections), 0)


def sibling_groups(connections: Iterator[Connection]) -> dict[tuple[str, str], int]:
    """The same with the numbers of their groups, from 1 on; 0 if unknown. Of several groups the largest counts.

    >>> seen = [("a", "knows", "x", False), ("b", "knows", "x", False), ("b", "knows", "y", False)]
    >>> sibling_groups(iter([*seen, ("c", "knows", "b", True), ("c", "likes", "x", False)]))
    {('a', 'knows'): 1, ('b', 'knows'): 1, ('c', 'knows'): 2, ('c', 'likes'): 3}
    """
    some = list(islice(connections, MOST_CONNECTIONS))
    sizes = Counter(connection[1:] for connection in some)
    largest: dict[tuple[str, str], tuple[str, str, bool]] = {}
    for term, name, other, is_object in some:
        group = name, other, is_object
        if sizes[group] > sizes[largest.setdefault((term, name), group)]:
            largest[term, name] = group
    numbers: dict[tuple[str, str, bool], int] = {}
    groups = {key: numbers.setdefault(group, len(numbers) + 1) for key, group in largest.items()}
    for term, name, _, _ in connections:
        groups.setdefault((term, name), 0)
    return groups
