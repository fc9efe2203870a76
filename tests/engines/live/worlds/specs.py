"""Specs for the services of these tests: quick, and with little patience."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sundog.engines.live.run import crawl
from sundog.spec import CrawlSpec
from sundog.spec.api import Api
from sundog.spec.crawl import Following
from sundog.spec.form import Form
from tests.engines.live.webs import Crawled
from tests.engines.live.worlds.api_service import ORIGIN, WORD, ApiService
from tests.engines.live.worlds.search_site import SITE, SearchSite

POSTS = f"{ORIGIN}/users/{{id}}/posts?page={{page}}"
FRIENDS = f"{ORIGIN}/users/{{id}}/friends?cursor={{cursor}}"


def api_spec(
    service: ApiService | None, *seeds: str, api: dict[str, Any] | None = None, **changes: Any
) -> CrawlSpec:
    table: dict[str, Any] = {
        "items": POSTS,
        "neighbours": FRIENDS,
        "texts": "posts[].text",
        "links": "friends[].{id: id, score: weight}",
        "next": "next",
        "page_size": 2,
    }
    values: dict[str, Any] = {
        "world": "api",
        "seeds": seeds or ("user 0",),
        "objective": f"keyword:{WORD}",
        "policy": "bfs",
        "budget": 40,
        "delay": 0.0,
        "connect_to": service.connect_to if service else "",
        "following": Following(patience=5.0, retries=1),
    }
    return CrawlSpec(**{**values, **changes, "api": Api(**{**table, **(api or {})})})


def api_crawl(service: ApiService, directory: Path, *seeds: str, **changes: Any) -> Crawled:
    return Crawled(directory, crawl(api_spec(service, *seeds, **changes), directory))


def form_spec(
    site: SearchSite | None, *seeds: str, form: dict[str, Any] | None = None, **changes: Any
) -> CrawlSpec:
    table: dict[str, Any] = {
        "action": f"{SITE}/search",
        "field": "q",
        "records": "li.hit",
        "id": "@data-id",
        "next": "a.next",
    }
    values: dict[str, Any] = {
        "world": "form",
        "seeds": seeds or ("the",),
        "policy": "bfs",
        "budget": 30,
        "delay": 0.0,
        "connect_to": site.connect_to if site else "",
        "following": Following(patience=2.0, retries=1),
    }
    return CrawlSpec(**{**values, **changes, "form": Form(**{**table, **(form or {})})})


def form_crawl(site: SearchSite, directory: Path, *seeds: str, **changes: Any) -> Crawled:
    return Crawled(directory, crawl(form_spec(site, *seeds, **changes), directory))
