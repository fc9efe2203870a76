"""Many descriptions of one thing as one tree, without losing what they say differently."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from sundog.entities.things import Tree

MOST_TYPES = 10


def merged(trees: Sequence[Tree]) -> Tree:
    """The first one counts most: that of the thing's own page, or the fullest. Others add what it does not say.

    Of two lists the longer one counts if it has all that is in the other. Nested things are merged likewise.

    >>> merged([{"name": "Tea", "tags": ["a"]}, {"name": "TEA", "price": 3, "tags": ["a", "b"]}])
    {'name': 'Tea', 'tags': ['a', 'b'], 'price': 3}
    """
    whole: Tree = dict(trees[0]) if trees else {}
    for tree in trees[1:]:
        for key, value in tree.items():
            if key == "@type":
                whole[key] = merged_types([whole.get(key, []), value])
            elif key not in whole:
                whole[key] = value
            else:
                whole[key] = _merged_value(whole[key], value)
    return whole


def merged_types(of_trees: Iterable[Sequence[str]]) -> list[str]:
    """
    >>> merged_types([["Product"], ["Thing", "Product"]])
    ['Product', 'Thing']
    """
    return [*dict.fromkeys(chain.from_iterable(of_trees))][:MOST_TYPES]


def _merged_value(mine: Any, its: Any) -> Any:
    if isinstance(mine, dict) and isinstance(its, dict):
        return merged([mine, its]) if _may_be_one(mine, its) else mine
    many, more = _as_list(mine), _as_list(its)
    if len(more) > len(many) and all(value in more for value in many):
        return its
    return mine


def _may_be_one(one: Tree, other: Tree) -> bool:
    """Nested things of the same name, or of which one has none."""
    for key in ("@id", "name", "price", "@value"):
        if key in one and key in other and one[key] != other[key]:
            return False
    return True


def not_in(whole: Tree, tree: Tree) -> Tree:
    """What a description says and the merged one does not.

    >>> not_in({"name": "Tea", "price": 3}, {"name": "TEA", "price": 3})
    {'name': 'TEA'}
    """
    found: Tree = {}
    for key, value in tree.items():
        if key == "@type" or value == whole.get(key):
            continue
        known = _as_list(whole.get(key))
        left = [each for each in _as_list(value) if not _is_within(each, known)]
        if left:
            found[key] = left if len(left) > 1 else left[0]
    return found


def _is_within(value: Any, known: Sequence[Any]) -> bool:
    if value in known:
        return True
    if not isinstance(value, dict):
        return False
    return any(isinstance(each, dict) and not not_in(each, value) for each in known)


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]
