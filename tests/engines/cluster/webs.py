"""A web of several domains that link to each other, and what a crawl in shards has left of it."""

from __future__ import annotations

import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

from sundog.store.shards import shard_directories
from tests.engines.live.webs import SmallWeb

DOMAINS = 9
PAGES = 8  # per domain


def url(domain: int, page: int = 0) -> str:
    return f"http://www.d{domain % DOMAINS}.example/{page or ''}"


def linked_web(web: SmallWeb, *, delay: float = 0.0) -> set[str]:
    """Pages link within their domain and to others; returns the URLs of all."""
    for domain in range(DOMAINS):
        for page in range(PAGES):
            links = [url(domain, (2 * page + each) % PAGES) for each in (1, 2)]
            links += [url(domain + page + 1, (page * 5) % PAGES), url(domain + 1)]
            make = web.product if page % 3 == 0 else web.page
            make(url(domain, page), *links, delay=delay)
    return {url(domain, page) for domain in range(DOMAINS) for page in range(PAGES)}


def rows(directory: Path, query: str) -> list[Any]:
    """Of all shards together."""
    found: list[Any] = []
    for shard in shard_directories(directory):
        connection = sqlite3.connect(shard / "crawl.db")
        try:
            found += connection.execute(query).fetchall()
        finally:
            connection.close()
    return found


def fetched(directory: Path) -> Counter[str]:
    """How often the logs say that a page came."""
    query = "SELECT u.url FROM log l JOIN urls u ON u.id = l.subject WHERE l.event IN ('fetched', 'failed')"
    return Counter(url for (url,) in rows(directory, query))
