"""Which way to a value is the most robust: few steps, no positions, one match, names that mean something."""

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
FIT_COSTS = {Fit.EXACT: 0.0, Fit.BEGINS: 0.1, Fit.CONTAINS: 0.3}
ATTRIBUTE_COSTS = {"": 0.0, "content": 0.02, "datetime": 0.02, "value": 0.05, "href": 0.05, "src": 0.05}
SHOWN_MATCHES = 200
MOST_CHOICES = 12
MOST_COMPARED = 100  # records in which a way is tried
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
    """A way with how good it is, and what it gives on the page."""

    way: Locator
    xpath: str
    css: str
    score: float
    matches: tuple[str, ...]


def choices(places: Sequence[Occurrence], page: Finder, kind: Type) -> list[Choice]:
    """All ways to a value of the page, the best first. Only those whose first match is the value."""

    def rated(way: Locator) -> float:
        matches = len(page.select(page.root, way.xpath))
        return -0.1 - 0.15 * log2(matches) if matches > 1 else 0.0

    return _rated(places, page, page.root, kind, rated, lambda xpath: shown(page.root, xpath))


def relative_choices(
    places: Sequence[Occurrence], page: Finder, record: Node, records: Nodes, kind: Type
) -> list[Choice]:
    """The same for a part of the page that is repeated: a way is good if it gives one match in each part."""
    sample = records[:MOST_COMPARED]

    def rated(way: Locator) -> float:
        single = sum(len(page.select(each, way.xpath)) == 1 for each in sample) / len(sample)
        return -0.5 * (1 - single)

    def matches(xpath: str) -> tuple[str, ...]:
        return tuple(text for each in records[:SHOWN_MATCHES] for text in shown(each, xpath)[:1])

    return _rated(places, page, record, kind, rated, matches)


def _rated(
    places: Sequence[Occurrence],
    page: Finder,
    root: Node,
    kind: Type,
    rated: Callable[[Locator], float],
    matches: Callable[[str], tuple[str, ...]],
) -> list[Choice]:
    found: dict[str, Choice] = {}
    for place, target, way, xpath, css in _all_locators(places, root, kind):
        if found and page.is_late:
            break
        nodes = page.select(root, way.xpath)
        if not nodes or nodes[0] != target:
            continue
        score = _score(way, place, kind) + rated(way)
        if xpath not in found or found[xpath].score < score:
            found[xpath] = Choice(way, xpath, css, score, ())
    ordered = sorted(found.values(), key=lambda choice: (-choice.score, len(choice.xpath)))[:MOST_CHOICES]
    return [choice._replace(matches=matches(choice.xpath)) for choice in ordered]


def _all_locators(
    places: Sequence[Occurrence], root: Node, kind: Type
) -> Iterator[tuple[Occurrence, Node, Locator, str, str]]:
    """Each with the element that it leads to, and with the whole expressions."""
    for place in places:
        if place.piece is not None:
            for target, way, xpath in locators_to_piece(place.piece, root, kind):
                yield place._replace(fit=Fit.EXACT), target, way, xpath, ""
            continue
        for target in targets(place, root):
            for way in locators_to(target, root):
                yield place, target, way, *_with_end(way, place, target, kind)


def targets(place: Occurrence, root: Node) -> Iterator[Node]:
    """The element and those around it that show the same text: a cell is as good as the link that fills it."""
    yield place.node
    text = text_of(place.node)
    for above in ancestors(place.node) if not place.attribute else ():
        if above == root or above.tag in WHOLES or len(children(above)) > 1 or text_of(above) != text:
            return
        yield above


def shown(root: Node, xpath: str) -> tuple[str, ...]:
    """What an expression gives, as texts."""
    result: Any = root.xpath(xpath)
    found = result if isinstance(result, list) else [result]
    return tuple(text_of(each) if isinstance(each, Node) else plain(str(each)) for each in found[:SHOWN_MATCHES])


def _with_end(way: Locator, place: Occurrence, target: Node, kind: Type) -> tuple[str, str]:
    """The expressions with the step to an attribute or to a piece of text, if there is one."""
    if place.attribute:
        return f"{way.xpath}/@{place.attribute}", f"{way.css}::attr({place.attribute})" if way.css else ""
    if place.fit is Fit.CONTAINS and kind == "text" and way.kind == "label":
        return f"normalize-space(substring-after({way.xpath}, ':'))", ""
    if place.fit is not Fit.EXACT and kind == "text" and _begins_with_text(target):
        return f"{way.xpath}/text()[1]", ""
    return way.xpath, way.css


def _begins_with_text(node: Node) -> bool:
    first = next(iter(node.children), None)
    return first is not None and not isinstance(first, Node) and bool(first.text.strip())


def _score(way: Locator, place: Occurrence, kind: Type) -> float:
    score = TRUST[way.kind] - 0.05 * (way.steps - 1) - 0.2 * way.positions
    if way.kind == "tag":
        score += TELLING_TAGS.get(way.xpath, 0.0)
    if place.attribute:
        return score - ATTRIBUTE_COSTS.get(place.attribute, 0.3)
    return score - (FIT_COSTS[place.fit] if kind == "text" else FIT_COSTS[place.fit] / 2)
