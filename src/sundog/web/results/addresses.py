"""Addresses as people give them: the site shows them without a scheme, so it takes them without one."""

from __future__ import annotations

import re

from sundog.store import CrawlReader
from sundog.urls.identity import identity

HAS_NO_SCHEME = re.compile(
    r"(?:[^/?#:\s]+\.[^/?#:.\s]+|localhost)(?::\d+)?(?:[/?#]|$)"
).match  # and is no mere word
SCHEMES = ("https", "http")


def with_scheme(reader: CrawlReader, address: str) -> str:
    """With the scheme by which the crawl knows it; https if it knows neither."""
    if not HAS_NO_SCHEME(address):
        return address
    spellings = [f"{scheme}://{address}" for scheme in SCHEMES]
    return next((url for url in spellings if _is_known(reader, url)), spellings[0])


def _is_known(reader: CrawlReader, url: str) -> bool:
    name = identity(url) or url
    return reader.candidate(name) is not None or reader.redirected_to(url, name) is not None
