"""The page that ``sundog pattern`` looks at: a file, standard input, or a URL that is asked politely."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import typer

from sundog.errors import UsageError

ConnectTo = Annotated[str, typer.Option(metavar="HOST:PORT", help="Send every request there, as plain HTTP.")]
AllowPrivate = Annotated[bool, typer.Option("--allow-private", help="Also ask private and loopback addresses.")]
Delay = Annotated[float, typer.Option(min=0, help="Seconds between requests: robots.txt is asked first.")]


class LookedAt(NamedTuple):
    body: bytes
    url: str
    content_type: str


def read_page(
    where: str, *, base: str = "", connect_to: str = "", allow_private: bool = False, delay: float = 1.0
) -> LookedAt:
    """``base`` is the URL of a file; one that has none gets a URL that no crawl can ask."""
    if "://" not in where:
        from sundog.cli.extract import read_file, url_of
        from sundog.extract.media import guessed_type

        body = read_file(where)
        return LookedAt(body, base or url_of(where), guessed_type(where, body))
    from sundog.fetch.single import fetch_one
    from sundog.spec import CrawlSpec

    if base:
        raise UsageError("--base is for a FILE: a URL is its own base")
    spec = CrawlSpec(seeds=(where,), connect_to=connect_to, allow_private=allow_private, delay=delay)
    page = fetch_one(where, connect_to=spec.address, allow_private=allow_private, delay=delay)
    return LookedAt(page.body, page.url, page.content_type)
