"""What the patterns that ``sundog pattern new`` made find on their page and on two others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from sundog.cli.pages.source_page import SourcePage
from sundog.errors import SundogError

if TYPE_CHECKING:
    from sundog.patterns.example.other_pages import Trail
    from sundog.spec import CrawlSpec

OTHER_PAGES = 2  # that are there
MOST_ASKED = 4  # to find them


def found_on_pages(
    spec: CrawlSpec, page: SourcePage, trail: Trail, read: Callable[[str], SourcePage]
) -> Iterator[str]:
    """A line for each page. A page that was saved as a file has no others."""
    from sundog.patterns.example.other_pages import SeenPage, next_pages, other_pages
    from sundog.patterns.example.tree import page_tree

    yield f"on this page: {_found(spec, page)}"
    waiting = other_pages(trail)
    known, there = {trail.example.url}, 0
    for _ in range(MOST_ASKED):
        if not waiting or there == OTHER_PAGES:
            return
        url = waiting.pop(0)
        known.add(url)
        try:
            other = read(url)
        except SundogError as error:
            yield f"on {url}: {error}"
            continue
        there += 1
        yield f"on {url}: {_found(spec, other)}"
        following = next_pages(SeenPage(other.url, page_tree(*other)), trail)
        waiting[:0] = [each for each in following if each not in known]


def _found(spec: CrawlSpec, page: SourcePage) -> str:
    from sundog.patterns.runner import Subject
    from sundog.patterns.trial import try_patterns

    results = try_patterns(spec.patterns, Subject(page.url, page.body, page.content_type, ""))
    items = sum(len(each.items) for each in results)
    links = sum(len(each.links) for each in results)
    errors = [error for each in results for error in each.errors]
    counts = (
        f"{items:,} {'item' if items == 1 else 'items'}, {links:,} {'link' if links == 1 else 'links'} to follow"
    )
    return "; ".join([counts, *errors[:1]])
