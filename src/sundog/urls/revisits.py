"""Marks after a URL that distinguish several visits of one page: in place of a fragment, which no identity has."""

from __future__ import annotations

import re

RENDERED = "#~rendered"  # the mark of a visit with a browser, after one without
_MARK = re.compile(r"#~(?:(?:again)?\d+|once|rendered)$")
_COUNT_MARK = re.compile(r"#~again\d+$")


def revisit_by_path(url: str, referrer: int) -> str:
    """The visit that was reached from another one.

    >>> revisit_by_path("http://a.example/x", 17)
    'http://a.example/x#~17'
    """
    return f"{url}#~{referrer}"


def visit_once(url: str) -> str:
    """The visit for links that visit a page once, if a path led there first.

    >>> visit_once("http://a.example/x")
    'http://a.example/x#~once'
    """
    return f"{url}#~once"


def revisit_by_count(url: str, times: int) -> str:
    """The visit after so many others.

    >>> revisit_by_count("http://a.example/x", 2)
    'http://a.example/x#~again2'
    """
    return f"{url}#~again{times}"


def rendered_visit(url: str) -> str:
    """The visit with a browser of a page that was fetched without one.

    >>> rendered_visit("http://a.example/x"), rendered_visit("http://a.example/x#~rendered")
    ('http://a.example/x#~rendered', 'http://a.example/x#~rendered')
    """
    return f"{without_mark(url)}{RENDERED}"


def is_revisit(name: str) -> bool:
    """
    >>> is_revisit("http://a.example/x#~17"), is_revisit("http://a.example/x")
    (True, False)
    """
    return "#" in name and _MARK.search(name) is not None


def is_repetition(name: str) -> bool:
    """Whether it wants to know what the page says now.

    >>> is_repetition("http://a.example/x#~again2"), is_repetition("http://a.example/x#~17")
    (True, False)
    """
    return "#" in name and _COUNT_MARK.search(name) is not None


def mark_of(name: str) -> str:
    """
    >>> mark_of("http://a.example/x#~17"), mark_of("http://a.example/x")
    ('#~17', '')
    """
    return name[len(without_mark(name)) :]


def without_mark(name: str) -> str:
    """The URL itself."""
    return _MARK.sub("", name) if "#" in name else name
