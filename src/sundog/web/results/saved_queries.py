"""SPARQL queries that somebody has saved with a crawl, for all who use the site: a small file beside it."""

from __future__ import annotations

from threading import Lock

import orjson

from sundog.files import write_whole
from sundog.web.errors import ConflictError, NotFoundError
from sundog.web.runs.directories import CrawlDirectory, read_json

FILE = "queries.json"
MOST_QUERIES = 100
LONGEST_QUERY, LONGEST_NAME = 20_000, 100  # characters
MOST_BYTES = 4_000_000  # of the file: more of it is not read
_lock = Lock()


def saved_queries(crawl: CrawlDirectory) -> list[dict[str, str]]:
    """By name. What somebody else has put into the file is left out."""
    found = read_json(crawl.site_folder / FILE).get("queries")
    pairs = [(each.get("name"), each.get("query")) for each in found or () if isinstance(each, dict)]
    kept = {name: query for name, query in pairs if isinstance(name, str) and isinstance(query, str)}
    return [{"name": name, "query": kept[name]} for name in sorted(kept, key=lambda name: (name.lower(), name))]


def save_query(crawl: CrawlDirectory, name: str, query: str) -> None:
    """In the place of the one that has this name, if there is one."""
    with _lock:
        others = [each for each in saved_queries(crawl) if each["name"] != name]
        if len(others) >= MOST_QUERIES:
            raise ConflictError(f"{MOST_QUERIES} queries are saved here: delete one of them first")
        _write(crawl, [*others, {"name": name, "query": query}])


def delete_query(crawl: CrawlDirectory, name: str) -> None:
    with _lock:
        found = saved_queries(crawl)
        others = [each for each in found if each["name"] != name]
        if len(others) == len(found):
            raise NotFoundError(f"no query is saved as '{name[:80]}'")
        _write(crawl, others)


def _write(crawl: CrawlDirectory, queries: list[dict[str, str]]) -> None:
    data = orjson.dumps({"queries": queries})
    if len(data) > MOST_BYTES:
        raise ConflictError("the queries that are saved here are too long together: delete one of them first")
    crawl.site_folder.mkdir(exist_ok=True)
    write_whole(crawl.site_folder / FILE, data)
