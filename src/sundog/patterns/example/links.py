"""Link patterns by example: all links like one link or like several, and the link that leads to a page."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sundog.errors import UsageError
from sundog.patterns.example.kinds import of_one_kind
from sundog.patterns.example.next_page import next_link
from sundog.patterns.example.occurrences import Fit, Occurrence, occurrences
from sundog.patterns.example.ranking import Choice, Finder, choices, relative_choices, shown
from sundog.patterns.example.records import Records, records_around, records_with
from sundog.patterns.example.tree import Node, attribute, text_of, upwards
from sundog.urls.identity import identity
from sundog.urls.references import LinkResolver

NEXT_PAGE = "next-page"


class LinkGuess(NamedTuple):
    """``find`` is in the engine's language, ``xpath`` the same for a tree; ``matches`` are the texts of the links.

    ``numbers``: the links that it was made of, by their order.
    """

    name: str
    find: str
    matches: tuple[str, ...]
    xpath: str
    numbers: Sequence[int] = ()


def guess_links(page: Node, texts: Sequence[str], engine: str) -> list[LinkGuess]:
    """Those of several links; no name twice."""
    found: list[LinkGuess] = []
    for text in texts:
        _add(found, guess_link(page, text, engine))
    return found


def guess_link(page: Node, text: str, engine: str) -> LinkGuess:
    """Links like the one with this text. If there is no such link, that is a UsageError."""
    links = [
        Occurrence(link, "", occurrence.fit)
        for occurrence in occurrences(page, text)
        if not occurrence.attribute and (link := link_around(occurrence.node)) is not None
    ]
    if not links:
        raise UsageError(f"there is no link with the text '{text[:80]}' on the page: copy it as the page shows it")
    return _links_like(page, links, [], engine)


def guess_clicked_links(page: Node, clicked: Sequence[Node], engine: str = "xpath") -> list[LinkGuess]:
    """Links of one kind make one pattern; what leads to the next page is found by what says so. No name twice."""
    found: list[LinkGuess] = []
    groups: list[list[tuple[int, Node]]] = []
    for number, node in enumerate(clicked):
        link = link_around(node) or node.select_one("a[href]")
        if link is None:
            raise UsageError(f"'{text_of(node)[:80]}' is no link: click one that leads to a page")
        if find := next_link(page, link):
            _add(found, LinkGuess(NEXT_PAGE, find, shown(page, find), find, [number]))
            continue
        alike = next((group for group in groups if of_one_kind(group[0][1], link)), None)
        groups.append([(number, link)]) if alike is None else alike.append((number, link))
    for group in groups:
        (_, first), *others = group
        guessed = _links_like(page, [Occurrence(first, "", Fit.EXACT)], [link for _, link in others], engine)
        _add(found, guessed._replace(numbers=[number for number, _ in group]))
    return found


def _add(found: list[LinkGuess], link: LinkGuess) -> None:
    if link.find in [each.find for each in found]:
        return
    taken = sum(each.name == link.name or each.name.startswith(f"{link.name}-") for each in found)
    found.append(link._replace(name=f"{link.name}-{taken + 1}") if taken else link)


def _links_like(page: Node, links: Sequence[Occurrence], examples: Sequence[Node], engine: str) -> LinkGuess:
    finder, text = Finder(page), text_of(links[0].node)
    if examples:
        records = records_around([[[link.node for link in links], *([node] for node in examples)]], finder, engine)
    else:
        records = records_with([links], finder, engine)
    if records is None:
        best = _first(choices(links, finder, "text"), engine, text)
        return LinkGuess(_name(best), best.css if engine == "css" else best.xpath, best.matches, best.xpath)
    inside = [occurrence for occurrence in links if records.one in upwards(occurrence.node)]
    best = _first(relative_choices(inside, finder, records.one, records.nodes, "text"), engine, text)
    xpath = _joined(records.locator.xpath, best.xpath)
    find = _joined_css(records.locator.css, best.css) if engine == "css" else xpath
    return LinkGuess(_name(best if best.xpath != "." else records), find, best.matches, xpath)


def link_around(node: Node) -> Node | None:
    """The link that it is, or is in."""
    return next((each for each in upwards(node) if each.tag == "a" and attribute(each, "href")), None)


def link_to(page: Node, url: str, targets: Collection[str], heading: str) -> Node | None:
    """The link that leads from a page to another, if there is one.

    ``url`` is the page's own, ``targets`` are the addresses of the other, before and after redirects. A link may
    lead there by a redirect that nobody has seen: one whose text is the other's ``heading`` is good enough.
    """
    resolve, wanted = LinkResolver(url).resolve, {identity(target) for target in targets} - {None}
    by_text = None
    for link in page.select("a[href]"):
        target = resolve(attribute(link, "href"))
        text = text_of(link)
        if target and identity(target) in wanted and text:
            return link
        if by_text is None and text and text == heading:
            by_text = link
    return by_text


def _first(found: list[Choice], engine: str, text: str) -> Choice:
    """The best that ends at a link."""
    for choice in found:
        if (engine == "xpath" or choice.css) and _ends_at_link(choice):
            return choice
    raise UsageError(f"nothing reliable leads to links like '{text[:80]}' in {engine}: try another of them")


def _ends_at_link(choice: Choice) -> bool:
    last = choice.xpath.rpartition("/")[2]
    return last.partition("[")[0] in ("a", ".") or choice.locator.kind in ("id", "itemprop")


def _name(best: Choice | Records) -> str:
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
    """
    >>> _joined_css("li.card", "a"), _joined_css("a.card", "")
    ('li.card a', 'a.card')
    """
    return f"{record} {inside}".strip()
