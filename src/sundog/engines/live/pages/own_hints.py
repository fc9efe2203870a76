"""What a page says itself of when it changes: Cache-Control, Last-Modified, and dates in its markup."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from sundog.fetch.sitemaps import moment_of
from sundog.fetch.values import Page
from sundog.store import OwnHints

MAX_AGE = re.compile(r"(?:^|,)\s*max-age\s*=\s*\"?(\d{1,10})\b", re.IGNORECASE)
MODIFIED = frozenset(
    {
        "<http://schema.org/dateModified>",
        "<https://schema.org/dateModified>",
        "<http://purl.org/dc/terms/modified>",
        "<http://ogp.me/ns#updated_time>",
        "<http://ogp.me/ns/article#modified_time>",
        "<article:modified_time>",
    }
)


def own_hints(page: Page, statements: Mapping[str, Sequence[tuple[str, ...]]]) -> OwnHints:
    """Of markup, the latest date: a list has that of each entry."""
    headers = page.headers
    dates = (
        moment_of(triple[2].partition('"')[2].partition('"')[0])
        for found in statements.values()
        for triple in found
        if triple[1] in MODIFIED
    )
    return OwnHints(
        _fresh_for(headers),
        moment_of(headers.get("last-modified", "")),
        max((date for date in dates if date is not None), default=None),
    )


def _fresh_for(headers: Mapping[str, str]) -> float | None:
    """Seconds for which the server says that the page may be kept; of two headers, Cache-Control counts."""
    if found := MAX_AGE.search(headers.get("cache-control", "")):
        return float(found[1])
    begins, ends = (moment_of(headers.get(name, "")) for name in ("date", "expires"))
    return None if begins is None or ends is None else max(0.0, ends - begins)
