"""Whether values belong to one of several like parts of a page: a row, a card, an entry of a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sundog.patterns.example.expressions import Locator, is_telling
from sundog.patterns.example.locators import locators_to
from sundog.patterns.example.occurrences import Occurrence
from sundog.patterns.example.ranking import POSITION_COST, STEP_COST, TRUST, Finder
from sundog.patterns.example.tree import Node, ancestors, attribute, children, parent, upwards

LEAST_RECORDS = 3
LEAST_ROWS = 2  # of elements that are made to be repeated
ROWS = frozenset({"tr", "li", "dd", "article", "option"})
HIGHEST = 4  # how many elements a record may be above what all its values share
NEVER = frozenset({"html", "body", "head", "tbody", "thead", "table", "td"})


class Records(NamedTuple):
    """``one`` is the record that has the values, ``nodes`` are all that the locator finds."""

    locator: Locator
    one: Node
    nodes: list[Node]


def records_with(occurrences: Sequence[Sequence[Occurrence]], page: Finder, engine: str) -> Records | None:
    """The repeated part of the page that has all values, if there is one. ``occurrences``: those of each value."""
    for occurrence in occurrences[0]:
        if page.is_late:
            break
        common = _smallest_with_all(occurrence.node, occurrences)
        for candidate in [common, *list(ancestors(common))[:HIGHEST]] if common is not None else []:
            if candidate.tag in NEVER or len(_alike(candidate)) < _least(candidate):
                continue
            if (found := _best_locator(candidate, page, engine)) is not None:
                return found
    return None


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
    best: tuple[float, Records] | None = None
    for locator in locators_to(one, page.root):
        if engine == "css" and not locator.css:
            continue
        nodes = page.select(page.root, locator.xpath)
        kept = alike.intersection(nodes)
        if one not in kept or len(kept) < _least(one):
            continue
        if one.tag == "tr" and any(not _has_cells(node) for node in nodes):  # heads of tables are no records
            locator = locator._replace(
                xpath=f"{locator.xpath}[td]", css=f"{locator.css}:has(> td)" if locator.css else ""
            )
            nodes = [node for node in nodes if _has_cells(node)]
        score = (
            TRUST[locator.kind]
            - STEP_COST * locator.steps
            - POSITION_COST * locator.positions
            - 0.5 * (1 - len(kept) / len(alike))
        )
        if best is None or score > best[0]:
            best = score, Records(locator, one, nodes)
    return best[1] if best else None
