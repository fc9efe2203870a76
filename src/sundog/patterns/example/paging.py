"""The link to the next page of a list, if the page has one."""

from __future__ import annotations

from sundog.patterns.example.expressions import has_class
from sundog.patterns.example.tree import Node

WAYS = (
    "//a[@rel='next']",
    f"//a[{has_class('next')}]",
    f"//*[{has_class('next')}]//a",
    "//a[starts-with(normalize-space(), 'Next') or starts-with(normalize-space(), 'next')]",
    "//nav//a[contains('»›→', normalize-space()) and normalize-space()]",
)


def next_page(page: Node) -> str:
    """An expression, or nothing.

    >>> import turbohtml
    >>> next_page(turbohtml.parse("<ul><li class=next><a href='?page=2'>Next</a></ul>").root)
    "//*[contains(concat(' ', normalize-space(@class), ' '), ' next ')]//a"
    """
    return next((way for way in WAYS if page.xpath(f"boolean({way}[@href])")), "")
