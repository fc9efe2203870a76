"""Whether two values are of one kind, such as the prices of two cards: then they are one field of a list.

They are if the ways to them, from where these part, have the same tags and no classes that tell them apart. Facts
with different labels are not, though rows of an info-box look like those of a list; nor are two parts of a card.
"""

from __future__ import annotations

from sundog.patterns.example.expressions import is_telling
from sundog.patterns.example.label_locators import by_label, by_own_label, by_pair, heads_of
from sundog.patterns.example.records import HIGHEST, ROWS, is_repeated
from sundog.patterns.example.tree import Node, attribute, siblings_before, text_of, upwards


def of_one_kind(first: Node, second: Node) -> bool:
    """
    >>> import turbohtml
    >>> page = turbohtml.parse("<ul><li><a>Ulm</a> <b>1</b><li><a>Bonn</a> <b>2</b></ul>")
    >>> (ulm, bonn), (one, two) = page.select("a"), page.select("b")
    >>> of_one_kind(ulm, bonn), of_one_kind(ulm, one), of_one_kind(ulm, two)
    (True, False, False)
    """
    ways = ways_apart(first, second)
    if ways is None:
        return False
    above, way, other = ways
    if above.tag == "tr" or [node.tag for node in way] != [node.tag for node in other]:
        return False
    if any(_are_told_apart(*pair) for pair in zip(way, other, strict=True)) or bool(_telling(first)) != bool(
        _telling(second)
    ):
        return False
    if any(_stand_apart(*pair) for pair in zip(way[1:], other[1:], strict=True)):
        return False
    fills_its_way = text_of(way[0]) == text_of(first)
    if fills_its_way and way[0].tag not in ROWS and _is_in_a_card(above):
        return False
    return _label(first, own=fills_its_way) == _label(second, own=fills_its_way)


def ways_apart(first: Node, second: Node) -> tuple[Node, list[Node], list[Node]] | None:
    """The smallest element around both, and the ways down from it to each. None if one is inside the other."""
    down, other = upwards(first)[::-1], upwards(second)[::-1]
    shared = next((i for i, pair in enumerate(zip(down, other, strict=False)) if pair[0] != pair[1]), 0)
    return (down[shared - 1], down[shared:], other[shared:]) if shared else None


def _telling(node: Node) -> frozenset[str]:
    return frozenset(name for name in attribute(node, "class").split() if is_telling(name))


def _are_told_apart(node: Node, other: Node) -> bool:
    mine, its = _telling(node), _telling(other)
    return bool(mine and its and not mine & its)


def _stand_apart(node: Node, other: Node) -> bool:
    """Within two cards, what has no name is known by its number; cells always are."""
    is_named = bool(_telling(node)) and node.tag not in ("td", "th")
    return not is_named and _number(node) != _number(other)


def _number(node: Node) -> int:
    return sum(each.tag == node.tag for each in siblings_before(node))


def _is_in_a_card(node: Node) -> bool:
    """Its parts are fields of one card rather than cards."""
    return any(is_repeated(above) for above in upwards(node)[: HIGHEST + 1])


def _label(node: Node, *, own: bool) -> str:
    """What is written beside it; nothing in a table whose columns have heads. ``own``: or before its own colon."""
    table = next((each for each in upwards(node) if each.tag == "table"), None)
    if table is not None and heads_of(table):
        return ""
    around = next((each for each in upwards(node) if each.tag in ("td", "dd")), node)
    pairs = [locator for locator in by_pair(node, "//") if locator.kind == "label"]
    labels = [*by_label(around, "//"), *by_label(node, "//"), *pairs, *(by_own_label(node, "//") if own else ())]
    return labels[0].name if labels else ""
