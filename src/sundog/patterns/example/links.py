"""Link patterns by example: all links like one link, and the link to the next page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sundog.errors import UsageError
from sundog.patterns.example.expressions import has_class
from sundog.patterns.example.occurrences import Occurrence, occurrences
from sundog.patterns.example.ranking import Choice, Finder, choices, relative_choices
from sundog.patterns.example.records import records_with
from sundog.patterns.example.tree import Node, attribute, upwards

NEXT_LINKS = (
    "//a[@rel='next']",
    f"//a[{has_class('next')}]",
    f"//*[{has_class('next')}]//a",
    "//a[starts-with(normalize-space(), 'Next') or starts-with(normalize-space(), 'next')]",
    "//nav//a[contains('»›→', normalize-space()) and normalize-space()]",
)


class LinkGuess(NamedTuple):
    """``find`` is in the engine's language; ``matches`` are the texts of the links."""

    name: str
    find: str
    matches: tuple[str, ...]


def guess_links(page: Node, texts: Sequence[str], engine: str) -> list[LinkGuess]:
    """Those of several links; no name twice."""
    found: list[LinkGuess] = []
    for text in texts:
        link = guess_link(page, text, engine)
        if link.find in [each.find for each in found]:
            continue
        taken = sum(each.name == link.name or each.name.startswith(f"{link.name}-") for each in found)
        found.append(link._replace(name=f"{link.name}-{taken + 1}") if taken else link)
    return found


def guess_link(page: Node, text: str, engine: str) -> LinkGuess:
    """Links like the one with this text. If there is no such link, that is a UsageError."""
    links = [link for occurrence in occurrences(page, text) if (link := _link_around(occurrence)) is not None]
    if not links:
        raise UsageError(f"there is no link with the text '{text[:80]}' on the page: copy it as the page shows it")
    finder = Finder(page)
    records = records_with([links], finder, engine)
    if records is None:
        best = _first(choices(links, finder, "text"), engine, text)
        return LinkGuess(_name(best), best.css if engine == "css" else best.xpath, best.matches)
    inside = [occurrence for occurrence in links if records.one in upwards(occurrence.node)]
    best = _first(relative_choices(inside, finder, records.one, records.nodes, "text"), engine, text)
    find = (
        _joined_css(records.locator.css, best.css)
        if engine == "css"
        else _joined(records.locator.xpath, best.xpath)
    )
    return LinkGuess(_name(best), find, best.matches)


def _link_around(occurrence: Occurrence) -> Occurrence | None:
    """The link that the text is of."""
    for node in upwards(occurrence.node) if not occurrence.attribute else []:
        if node.tag == "a" and attribute(node, "href"):
            return Occurrence(node, "", occurrence.fit)
    return None


def _first(found: list[Choice], engine: str, text: str) -> Choice:
    """The best that ends at a link."""
    for choice in found:
        if (engine == "xpath" or choice.css) and _ends_at_link(choice):
            return choice
    raise UsageError(f"nothing reliable leads to links like '{text[:80]}' in {engine}: try another of them")


def _ends_at_link(choice: Choice) -> bool:
    last = choice.xpath.rpartition("/")[2]
    return last.partition("[")[0] in ("a", ".") or choice.locator.kind in ("id", "itemprop")


def _name(best: Choice) -> str:
    return f"to-{best.locator.name.replace('_', '-')}"


def _joined(record: str, inside: str) -> str:
    """
    >>> _joined("//li", ".//a"), _joined("//li", "td[2]/a"), _joined("//a", ".")
    ('//li//a', '//li/td[2]/a', '//a')
    """
    if inside == ".":
        return record
    return record + inside[1:] if inside.startswith(".//") else f"{record}/{inside}"


def _joined_css(record: str, inside: str) -> str:
    return f"{record} {inside}".strip()


def next_page(page: Node) -> str:
    """An expression, or nothing.

    >>> import turbohtml
    >>> next_page(turbohtml.parse("<ul><li class=next><a href='?page=2'>Next</a></ul>").root)
    "//*[contains(concat(' ', normalize-space(@class), ' '), ' next ')]//a"
    """
    return next((locator for locator in NEXT_LINKS if page.xpath(f"boolean({locator}[@href])")), "")
