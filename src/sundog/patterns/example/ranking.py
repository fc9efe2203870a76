"""Which way to a value is the most robust: few steps, no positions, one match, names that mean something."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log2
from typing import Any, NamedTuple

from lxml import etree

from sundog.patterns.example.expressions import Kind, Way
from sundog.patterns.example.sightings import Fit, Sighting, plain, text_of
from sundog.patterns.example.types import Type
from sundog.patterns.example.ways import ways_to

# How far one may trust that other pages have the same, before steps, positions and matches are counted.
TRUST: dict[Kind, float] = {
    "itemprop": 1.0,
    "label": 0.95,
    "id": 0.9,
    "class": 0.8,
    "column": 0.8,
    "heading": 0.7,
    "tag": 0.5,
    "position": 0.2,
}
TELLING_TAGS = {"//h1": 0.35, "//time": 0.2, ".//h2": 0.2, ".//h3": 0.2, ".//h4": 0.2, ".//time": 0.2, ".//a": 0.1}
FIT_COSTS = {Fit.EXACT: 0.0, Fit.BEGINS: 0.1, Fit.CONTAINS: 0.3}
ATTRIBUTE_COSTS = {"": 0.0, "content": 0.02, "datetime": 0.02, "value": 0.05, "href": 0.05, "src": 0.05}
SHOWN_MATCHES = 200
WHOLES = frozenset({"html", "body", "table", "tbody", "tr", "ul", "ol", "dl"})

Nodes = Sequence[etree._Element]


class Choice(NamedTuple):
    """A way with how good it is, and what it gives on the page."""

    way: Way
    xpath: str
    css: str
    score: float
    matches: tuple[str, ...]


def choices(places: Sequence[Sighting], root: etree._Element, kind: Type) -> list[Choice]:
    """All ways to a value of the page, the best first. Only those whose first match is the value."""
    found: dict[str, Choice] = {}
    for place in places:
        for target in targets(place, root):
            for way in ways_to(target, root):
                xpath, css = _with_end(way, place, target, kind)
                nodes = select(root, way.xpath)
                if not nodes or nodes[0] is not target:
                    continue
                score = _score(way, place, kind) - 0.15 * log2(len(nodes))
                if xpath not in found or found[xpath].score < score:
                    found[xpath] = Choice(way, xpath, css, score, shown(root, xpath))
    return sorted(found.values(), key=lambda choice: (-choice.score, len(choice.xpath)))


def relative_choices(
    places: Sequence[Sighting], record: etree._Element, records: Nodes, kind: Type
) -> list[Choice]:
    """The same for a part of the page that is repeated: a way is good if it gives one match in each part."""
    found: dict[str, Choice] = {}
    for place in places:
        for target in targets(place, record):
            for way in ways_to(target, record):
                xpath, css = _with_end(way, place, target, kind)
                nodes = select(record, way.xpath)
                if not nodes or nodes[0] is not target:
                    continue
                single = sum(len(select(each, way.xpath)) == 1 for each in records) / len(records)
                score = _score(way, place, kind) - 0.5 * (1 - single)
                texts = tuple(text for each in records for text in shown(each, xpath)[:1])
                if xpath not in found or found[xpath].score < score:
                    found[xpath] = Choice(way, xpath, css, score, texts)
    return sorted(found.values(), key=lambda choice: (-choice.score, len(choice.xpath)))


def targets(place: Sighting, root: etree._Element) -> Iterator[etree._Element]:
    """The element and those around it that show the same text: a cell is as good as the link that fills it."""
    yield place.node
    text = text_of(place.node)
    for above in place.node.iterancestors() if not place.attribute else ():
        if above is root or above.tag in WHOLES or len(above) > 1 or text_of(above) != text:
            return
        yield above


def select(root: etree._Element, xpath: str) -> list[etree._Element]:
    """Elements that an expression of ours finds."""
    result: Any = root.xpath(xpath)
    return [node for node in result if isinstance(node, etree._Element)]


def shown(root: etree._Element, xpath: str) -> tuple[str, ...]:
    """What an expression gives, as texts."""
    result: Any = root.xpath(xpath)
    return tuple(
        text_of(each) if isinstance(each, etree._Element) else plain(str(each)) for each in result[:SHOWN_MATCHES]
    )


def _with_end(way: Way, place: Sighting, target: etree._Element, kind: Type) -> tuple[str, str]:
    """The expressions with the step to an attribute or to a piece of text, if there is one."""
    if place.attribute:
        return f"{way.xpath}/@{place.attribute}", f"{way.css}::attr({place.attribute})" if way.css else ""
    if place.fit is not Fit.EXACT and kind == "text" and _begins_with_text(target):
        return f"{way.xpath}/text()[1]", ""
    return way.xpath, way.css


def _begins_with_text(node: etree._Element) -> bool:
    return bool((node.text or "").strip()) and len(node) > 0


def _score(way: Way, place: Sighting, kind: Type) -> float:
    score = TRUST[way.kind] - 0.05 * (way.steps - 1) - 0.2 * way.positions
    if way.kind == "tag":
        score += TELLING_TAGS.get(way.xpath, 0.0)
    if place.attribute:
        return score - ATTRIBUTE_COSTS.get(place.attribute, 0.3)
    return score - (FIT_COSTS[place.fit] if kind == "text" else FIT_COSTS[place.fit] / 2)
