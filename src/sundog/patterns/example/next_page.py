"""The link to the next page of a list: by what markup or words say, in many languages."""

from __future__ import annotations

import re

from sundog.patterns.example.expressions import has_class, literal
from sundog.patterns.example.tree import Node, attribute, text_of

NEXT_LINKS = (
    "//a[@rel='next']",
    f"//a[{has_class('next')}]",
    f"//*[{has_class('next')}]//a",
    "//a[starts-with(normalize-space(), 'Next') or starts-with(normalize-space(), 'next')]",
    "//nav//a[contains('»›→', normalize-space()) and normalize-space()]",
)
_WORDS = (
    "next older weiter nächste ältere suivant suivante suivants siguiente siguientes próxima próximo seguinte "
    "successivo successiva avanti volgende nästa neste næste seuraava następna další далее следующая sonraki"
).split()
_SIGNS = r"[»›→❯>]{1,2}"
_SAYS_NEXT = re.compile(
    rf"(?:{_SIGNS}|(?:{'|'.join(_WORDS)})(?:\s+\w+){{0,2}}(?:\s*{_SIGNS})?"
    r"|次へ.{0,4}|次の.{0,8}|下一[页頁]|다음.{0,6})",
    re.IGNORECASE,
)
MOST_LINKS = 5_000
LONGEST = 40  # characters of what says so


def next_page(page: Node) -> str:
    """An expression, or nothing.

    >>> import turbohtml
    >>> next_page(turbohtml.parse("<ul><li class=next><a href='?page=2'>Next</a></ul>").root)
    "//*[contains(concat(' ', normalize-space(@class), ' '), ' next ')]//a"
    >>> next_page(turbohtml.parse("<a href='?2'>2</a><a href='?2'>Nächste Seite »</a>").root)
    "//a[normalize-space() = 'Nächste Seite »']"
    """
    marked = next((locator for locator in NEXT_LINKS if page.xpath(f"boolean({locator}[@href])")), "")
    return marked or next(filter(None, map(_by_its_words, page.select("a[href]")[:MOST_LINKS])), "")


def next_link(page: Node, link: Node) -> str:
    """An expression for this link if it is the one to the next page; else nothing."""
    for locator in NEXT_LINKS:
        found = page.xpath(f"{locator}[@href]")
        if isinstance(found, list) and found[:1] == [link]:
            return locator
    return _by_its_words(link)


def _by_its_words(link: Node) -> str:
    """
    >>> import turbohtml
    >>> _by_its_words(turbohtml.parse("<a href='?2' aria-label='Next page'><svg></svg></a>").select_one("a"))
    "//a[@aria-label = 'Next page']"
    """
    text = text_of(link)
    if _says_next(text):
        return f"//a[normalize-space() = {literal(text)}]"
    for name in ("aria-label", "title"):
        if _says_next(attribute(link, name)):
            return f"//a[@{name} = {literal(attribute(link, name))}]"
    return ""


def _says_next(text: str) -> bool:
    return len(text) <= LONGEST and bool(_SAYS_NEXT.fullmatch(text.strip()))
