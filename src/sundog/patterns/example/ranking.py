"""Which locator of a value is the most robust: few steps, no positions, one match, names that mean something."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import log2
from time import monotonic
from typing import Any, NamedTuple

from sundog.patterns.example.expressions import Kind, Locator
from sundog.patterns.example.label_locators import locators_to_piece
from sundog.patterns.example.locators import locators_to
from sundog.patterns.example.occurrences import Fit, Occurrence
from sundog.patterns.example.tree import Node, ancestors, children, plain, text_of
from sundog.patterns.field_types import Type

# How far one may trust that other pages have the same, before steps, positions and matches are counted.
TRUST: dict[Kind, float] = {
    "itemprop": 1.0,
    "label": 0.95,
    "id": 0.9,
    "class": 0.8,
    "column": 0.8,
    "heading": 0.7,
    "pair": 0.64,
    "tag": 0.5,
    "position": 0.2,
}
TELLING_TAGS = {"//h1": 0.35, "//time": 0.2, ".//h2": 0.2, ".//h3": 0.2, ".//h4": 0.2, ".//time": 0.2, ".//a": 0.1}
STEP_COST = 0.05
POSITION_COST = 0.2
FIT_COSTS = {Fit.EXACT: 0.0, Fit.BEGINS: 0.1, Fit.CONTAINS: 0.3}
ATTRIBUTE_COSTS = {"": 0.0, "content": 0.02, "datetime": 0.02, "value": 0.05, "href": 0.05, "src": 0.05}
SHOWN_MATCHES = 200
MOST_CHOICES = 12
MOST_COMPARED = 100  # records in which a locator is tried
SECONDS = 5.0
WHOLES = frozenset({"html", "body", "table", "tbody", "tr", "ul", "ol", "dl"})

Nodes = Sequence[Node]


class Finder:
    """What expressions find on a page. Each is evaluated once, for many values lead to the same ones."""

    def __init__(self, root: Node) -> None:
        self.root = root
        self._known: dict[tuple[Node, str], list[Node]] = {}
        self._end = monotonic() + SECONDS

    @property
    def is_late(self) -> bool:
        """A page may be made to take long: from now on, what was found must do."""
        return monotonic() > self._end

    def select(self, root: Node, xpath: str) -> list[Node]:
        if (root, xpath) not in self._known:
            result: Any = root.xpath(xpath)
            self._known[root, xpath] = [node for node in result if isinstance(node, Node)]
        return self._known[root, xpath]


class Choice(NamedTuple):
    """A locator with how good it is, and what it gives on the page."""

    locator: Locator
    xpath: str
    css: str
    score: float
    matches: tuple[str, ...]


def choices(occurrences: Sequence[Occurrence], page: Finder, kind: Type) -> list[Choice]:
    """All locators of a value of the page, the best first. Only those whose first match is the value."""

    def rating(locator: Locator) -> float:
        matches = len(page.select(page.root, locator.xpath))
        return -0.1 - 0.15 * log2(matches) if matches > 1 else 0.0

    return _ranked(occurrences, page, page.root, kind, rating, lambda xpath: shown(page.root, xpath))


def relative_choices(
    occurrences: Sequence[Occurrence], page: Finder, record: Node, records: Nodes, kind: Type
) -> list[Choice]:
    """The same for a part of the page that is repeated: a locator is good if it gives one match in each part."""
    sample = records[:MOST_COMPARED]

    def rating(locator: Locator) -> float:
        single = sum(len(page.select(each, locator.xpath)) == 1 for each in sample) / len(sample)
        return -0.5 * (1 - single)

    def matches(xpath: str) -> tuple[str, ...]:
        return tuple(text for each in records[:SHOWN_MATCHES] for text in shown(each, xpath)[:1])

    return _ranked(occurrences, page, record, kind, rating, matches)


def _ranked(
    occurrences: Sequence[Occurrence],
    page: Finder,
    root: Node,
    kind: Type,
    rating: Callable[[Locator], float],
    matches: Callable[[str], tuple[str, ...]],
) -> list[Choice]:
    found: dict[str, Choice] = {}
    for occurrence, target, locator, xpath, css in _all_locators(occurrences, root, kind):
        if found and page.is_late:
            break
        nodes = page.select(root, locator.xpath)
        if not nodes or nodes[0] != target:
            continue
        score = _score(locator, occurrence, kind) + rating(locator)
        if xpath not in found or found[xpath].score < score:
            found[xpath] = Choice(locator, xpath, css, score, ())
    ordered = sorted(found.values(), key=lambda choice: (-choice.score, len(choice.xpath)))[:MOST_CHOICES]
    return [choice._replace(matches=matches(choice.xpath)) for choice in ordered]


def _all_locators(
    occurrences: Sequence[Occurrence], root: Node, kind: Type
) -> Iterator[tuple[Occurrence, Node, Locator, str, str]]:
    """Each with the element that it leads to, and with the whole expressions."""
    for occurrence in occurrences:
        if occurrence.piece is not None:
            for target, locator, xpath in locators_to_piece(occurrence.piece, root, kind):
                yield occurrence._replace(fit=Fit.EXACT), target, locator, xpath, ""
            continue
        for target in targets(occurrence, root):
            for locator in locators_to(target, root):
                yield occurrence, target, locator, *_with_end(locator, occurrence, target, kind)


def targets(occurrence: Occurrence, root: Node) -> Iterator[Node]:
    """The element and those around it that show the same text: a cell is as good as the link that fills it."""
    yield occurrence.node
    text = text_of(occurrence.node)
    for above in ancestors(occurrence.node) if not occurrence.attribute else ():
        if above == root or above.tag in WHOLES or len(children(above)) > 1 or text_of(above) != text:
            return
        yield above


def shown(root: Node, xpath: str) -> tuple[str, ...]:
    """What an expression gives, as texts."""
    result: Any = root.xpath(xpath)
    found = result if isinstance(result, list) else [result]
    return tuple(text_of(each) if isinstance(each, Node) else plain(str(each)) for each in found[:SHOWN_MATCHES])


def _with_end(locator: Locator, occurrence: Occurrence, target: Node, kind: Type) -> tuple[str, str]:
    """The expressions with the step to an attribute or to a piece of text, if there is one."""
    if occurrence.attribute:
        return (
            f"{locator.xpath}/@{occurrence.attribute}",
            f"{locator.css}::attr({occurrence.attribute})" if locator.css else "",
        )
    if occurrence.fit is Fit.CONTAINS and kind == "text" and locator.kind == "label":
        return f"normalize-space(substring-after({locator.xpath}, ':'))", ""
    if occurrence.fit is not Fit.EXACT and kind == "text" and _begins_with_text(target):
        return f"{locator.xpath}/text()[1]", ""
    return locator.xpath, locator.css


def _begins_with_text(node: Node) -> bool:
    first = next(iter(node.children), None)
    return first is not None and not isinstance(first, Node) and bool(first.text.strip())


def _score(locator: Locator, occurrence: Occurrence, kind: Type) -> float:
    score = TRUST[locator.kind] - STEP_COST * (locator.steps - 1) - POSITION_COST * locator.positions
    if locator.kind == "tag":
        score += TELLING_TAGS.get(locator.xpath, 0.0)
    if occurrence.attribute:
        return score - ATTRIBUTE_COSTS.get(occurrence.attribute, 0.3)
    return score - (FIT_COSTS[occurrence.fit] if kind == "text" else FIT_COSTS[occurrence.fit] / 2)
