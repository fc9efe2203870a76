"""Whether values belong to one of several like parts of a page: a row, a card, an entry of a list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sundog.patterns.example.expressions import Locator, is_telling
from sundog.patterns.example.locators import locators_to
from sundog.patterns.example.occurrences import Occurrence
from sundog.patterns.example.ranking import POSITION_COST, STEP_COST, TRUST, Finder
from sundog.patterns.example.tree import Node, ancestors, attribute, children, parent, upwards

LEAST_RECORDS = 3
LEAST_ROWS = 2  # of elements that are made to be repeated
ROWS = frozenset({"tr", "li", "dd", "article", "option"})
GOOD_ENOUGH = 0.5  # of a locator of records: a larger part of the page need not be looked at
MOST_COMPARED = 200
HIGHEST = 4  # how many elements a record may be above what all its values share
NEVER = frozenset({"html", "body", "head", "tbody", "thead", "table", "td"})


class Records(NamedTuple):
    """``one`` is the record that has the values, ``nodes`` are all that the locator finds; ``score`` rates it."""

    locator: Locator
    one: Node
    nodes: list[Node]
    score: float


def records_with(occurrences: Sequence[Sequence[Occurrence]], page: Finder, engine: str) -> Records | None:
    """The repeated part of the page that has all values, if there is one. ``occurrences``: those of each value."""
    for occurrence in occurrences[0]:
        if page.is_late:
            break
        common = _smallest_with_all(occurrence.node, occurrences)
        for candidate in [common, *list(ancestors(common))[:HIGHEST]] if common is not None else []:
            if is_repeated(candidate) and (found := _best_locator(candidate, page, engine)) is not None:
                return found
    return None


def records_around(groups: Sequence[Sequence[Sequence[Node]]], page: Finder, engine: str) -> Records | None:
    """The smallest repeated part of the page that has one value of each group.

    A group has examples of one kind, each in another part; an example has the elements that may be meant.
    """
    several = max(groups, key=len)
    best: Records | None = None
    for candidate in upwards(several[0][0]):
        if page.is_late or any(candidate in upwards(node) for other in several[1:] for node in other):
            break
        if candidate.tag in NEVER or (len(several) == 1 and not is_repeated(candidate)):
            continue
        for found in _all_with(candidate, groups, page, engine):
            if best is None or found.score > best.score:
                best = found
        if best is not None and best.score >= GOOD_ENOUGH:
            break
    return best


def _all_with(
    one: Node, groups: Sequence[Sequence[Sequence[Node]]], page: Finder, engine: str
) -> Iterator[Records]:
    """Records like this one that have all examples."""
    for locator in (*locators_to(one, page.root), *_by_position_of_parent(one, page.root)):
        if engine == "css" and not locator.css:
            continue
        nodes = page.select(page.root, locator.xpath)
        if one not in nodes or len(nodes) < LEAST_ROWS or not all(_are_apart(group, nodes) for group in groups):
            continue
        yield _without_heads(Records(locator, one, nodes, _score(locator, one, nodes)))


def _are_apart(group: Sequence[Sequence[Node]], nodes: Sequence[Node]) -> bool:
    """Whether each example of a group is in a record, and no two are in the same."""
    known = set(nodes)
    around = [next((above for node in each for above in upwards(node) if above in known), None) for each in group]
    return None not in around and len(set(around)) == len(group)


def _tags_above(node: Node) -> list[str]:
    return [str(each.tag) for each in upwards(node)]


def _by_position_of_parent(node: Node, root: Node) -> Iterator[Locator]:
    """All of its tag below its parent, wherever that stands."""
    above = parent(node)
    if above is not None and above != root:
        locator = list(locators_to(above, root))[-1]
        yield locator._replace(
            xpath=f"{locator.xpath}/{node.tag}", css=f"{locator.css} > {node.tag}" if locator.css else ""
        )


def is_repeated(node: Node) -> bool:
    """Whether it is one of several of the same make."""
    return node.tag not in NEVER and len(_alike(node)) >= _least(node)


def _smallest_with_all(node: Node, occurrences: Sequence[Sequence[Occurrence]]) -> Node | None:
    """The smallest element around ``node`` that shows every value."""
    around = [{above for occurrence in each for above in upwards(occurrence.node)} for each in occurrences]
    return next((above for above in upwards(node) if all(above in each for each in around)), None)


def _least(node: Node) -> int:
    return LEAST_ROWS if node.tag in ROWS else LEAST_RECORDS


def _has_cells(row: Node) -> bool:
    return any(child.tag == "td" for child in children(row))


def _alike(node: Node) -> list[Node]:
    """The element and its siblings of the same make."""
    above = parent(node)
    if above is None:
        return [node]
    make = _make(node)
    return [child for child in children(above) if _make(child) == make]


def _make(node: Node) -> tuple[str, frozenset[str], bool]:
    telling = frozenset(name for name in attribute(node, "class").split() if is_telling(name))
    return str(node.tag), telling, bool(children(node))


def _best_locator(one: Node, page: Finder, engine: str) -> Records | None:
    """The most trusted locator that finds all of its kind; a few others, such as heads of tables, do no harm."""
    alike = set(_alike(one))
    best: Records | None = None
    for locator in locators_to(one, page.root):
        if engine == "css" and not locator.css:
            continue
        nodes = page.select(page.root, locator.xpath)
        kept = alike.intersection(nodes)
        if one not in kept or len(kept) < _least(one):
            continue
        score = _score(locator, one, nodes) - 0.5 * (1 - len(kept) / len(alike))
        if best is None or score > best.score:
            best = _without_heads(Records(locator, one, nodes, score))
    return best


def _score(locator: Locator, one: Node, nodes: Sequence[Node]) -> float:
    """It is worse, the more it finds that stands elsewhere than the record."""
    compared = nodes[:MOST_COMPARED]
    elsewhere = sum(_tags_above(node) != _tags_above(one) for node in compared) / len(compared)
    cost = STEP_COST * locator.steps + POSITION_COST * locator.positions
    return TRUST[locator.kind] - cost - 0.5 * elsewhere


def _without_heads(records: Records) -> Records:
    """Heads of tables are no records."""
    locator, nodes = records.locator, records.nodes
    if records.one.tag != "tr" or all(_has_cells(node) for node in nodes):
        return records
    with_cells = locator._replace(
        xpath=f"{locator.xpath}[td]", css=f"{locator.css}:has(> td)" if locator.css else ""
    )
    return records._replace(locator=with_cells, nodes=[node for node in nodes if _has_cells(node)])
