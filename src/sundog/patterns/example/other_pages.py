"""Pages on which patterns can be tried before a crawl: where a crawl would go, or what looks like the example."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from sundog.patterns.example.tree import Node, attribute
from sundog.urls.identity import identity
from sundog.urls.references import LinkResolver

MOST_LINKS = 2_000  # of a page that are looked at
MOST_PAGES = 20


class SeenPage(NamedTuple):
    url: str
    tree: Node


class Trail(NamedTuple):
    """How a crawl gets from its first page to pages like the example. ``links`` and ``next_page`` are XPath."""

    example: SeenPage
    start: SeenPage
    links: Sequence[str]
    next_page: str
    is_list: bool


def other_pages(trail: Trail) -> list[str]:
    """Addresses, the likeliest first, each once, without the example."""
    linked = [url for find in trail.links for url in _targets(trail.start, find)]
    following = [*next_pages(trail.example, trail), *next_pages(trail.start, trail)]
    alike = [url for url in _targets(trail.example, "//a") if _looks_alike(url, trail.example.url)]
    ordered = [*following, *alike, *linked] if trail.is_list else [*linked, *following, *alike]
    return _without({trail.example.url, trail.start.url}, ordered)


def next_pages(page: SeenPage, trail: Trail) -> list[str]:
    return list(_targets(page, trail.next_page))[:1] if trail.next_page else []


def _targets(page: SeenPage, find: str) -> Iterator[str]:
    resolve = LinkResolver(page.url).resolve
    found: Any = page.tree.xpath(find)
    for node in found[:MOST_LINKS] if isinstance(found, list) else []:
        target = resolve(attribute(node, "href")) if isinstance(node, Node) and attribute(node, "href") else None
        if target:
            yield target


def _looks_alike(url: str, example: str) -> bool:
    """
    >>> _looks_alike("http://a.example/wiki/Ulm", "http://a.example/wiki/Bonn")
    True
    >>> _looks_alike("http://a.example/list?page=2", "http://a.example/list")
    True
    >>> _looks_alike("http://a.example/about", "http://a.example/wiki/Bonn")
    False
    """
    one, other = urlsplit(url), urlsplit(example)
    if one.netloc != other.netloc:
        return False
    directory, _, name = one.path.rpartition("/")
    return one.path == other.path or (bool(name) and directory == other.path.rpartition("/")[0] != "")


def _without(known: Iterable[str], urls: Sequence[str]) -> list[str]:
    seen = {identity(url) for url in known}
    found: list[str] = []
    for url in urls:
        name = identity(url)
        if name is not None and name not in seen and len(found) < MOST_PAGES:
            seen.add(name)
            found.append(url)
    return found
