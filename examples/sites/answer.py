"""What a site answers, and the HTML that all of them need."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import NamedTuple


class Answer(NamedTuple):
    """``location`` is where a redirect leads."""

    status: int
    body: str = ""
    location: str = ""
    content_type: str = "text/html"


NOT_FOUND = Answer(404, "<!doctype html><title>404</title><h1>Not found</h1>")
ROBOTS = Answer(200, "User-agent: *\nDisallow: /private/\n", content_type="text/plain")


def page(title: str, body: str, *, head: str = "") -> Answer:
    """A whole page around a body."""
    return Answer(
        200,
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(title)}</title>{head}</head>\n"
        f"<body>\n{body}\n</body></html>\n",
    )


def link(href: str, text: str, attributes: str = "") -> str:
    """
    >>> link("/a?b&c", "R & B")
    '<a href="/a?b&amp;c">R &amp; B</a>'
    """
    return f'<a href="{escape(href)}"{attributes and " " + attributes}>{escape(text)}</a>'


def items(parts: Iterable[str], attributes: str = "") -> str:
    """An unordered list."""
    return f"<ul{attributes and ' ' + attributes}>{''.join(f'<li>{part}</li>' for part in parts)}</ul>"


def pager(path: str, number: int, last: int) -> str:
    """Links to the neighbours of page ``number`` of a list; nothing if it has one page."""
    if last == 1:
        return ""
    back = f'<li class="previous">{link(f"{path}?page={number - 1}", "Previous")}</li>' if number > 1 else ""
    on = f'<li class="next">{link(f"{path}?page={number + 1}", "Next")}</li>' if number < last else ""
    return f'<nav aria-label="Pages"><ul class="pagination">{back}<li>Page {number} of {last}</li>{on}</ul></nav>'


def page_number(query: str) -> int:
    """
    >>> page_number("page=3"), page_number(""), page_number("page=x")
    (3, 1, 0)
    """
    if not query:
        return 1
    number = query.removeprefix("page=")
    return int(number) if number.isdecimal() and len(number) < 6 else 0
