"""A page that a command reads: a URL, a saved file, or standard input."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

from sundog.errors import UsageError, unreadable


class SourcePage(NamedTuple):
    body: bytes
    url: str
    content_type: str


def read_page(
    where: str,
    *,
    base: str = "",
    connect_to: str = "",
    allow_private: bool = False,
    delay: float = 1.0,
    render: bool = False,
) -> SourcePage:
    """``base`` is the URL of a file; one that has none gets a URL that no crawl can ask."""
    if "://" not in where:
        if render:
            raise UsageError("--render is for a URL: a browser asks for what the page needs")
        from sundog.extract.media import guessed_type

        body = read_file(where)
        return SourcePage(body, base or url_of(where), guessed_type(where, body))
    from sundog.fetch.polite import fetch_one
    from sundog.spec import CrawlSpec

    if base:
        raise UsageError("--base is for a FILE: a URL is its own base")
    spec = CrawlSpec(seeds=(where,), connect_to=connect_to, allow_private=allow_private, delay=delay)
    if render:
        from sundog.fetch.render.one import render_one

        page = render_one(where, connect_to=spec.address, allow_private=allow_private, delay=delay).page
        return SourcePage(page.body, page.url, page.content_type)
    page = fetch_one(where, connect_to=spec.address, allow_private=allow_private, delay=delay)
    return SourcePage(page.body, page.url, page.content_type)


def read_file(file: str) -> bytes:
    if file == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise unreadable(file, error) from None


def url_of(file: str) -> str:
    return "" if file == "-" else Path(file).resolve().as_uri()
