"""Small webs for crawls: pages by URL, served from loopback, and a crawl of them."""

from __future__ import annotations

import asyncio
import itertools
import json
import sqlite3
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from sundog.engines.live.outcomes import Outcomes
from sundog.engines.live.run import crawl
from sundog.model import INTERRUPTED
from sundog.spec import CrawlSpec
from sundog.spec.crawl import Following
from tests.fetch.server import Asked, Behaviour, Client, Server

HOME = "http://a.example/"


class Reply(NamedTuple):
    body: bytes
    headers: tuple[str, ...] = ()
    status: str = "200 OK"
    type_: str = "text/html"
    delay: float = 0.0


class SmallWeb(Server):
    """``with SmallWeb() as web``; what is not there is a 404. Pages may be added at any time."""

    def __init__(self) -> None:
        super().__init__({"": self._answer})
        self.replies: dict[str, Reply | Behaviour] = {}

    @property
    def connect_to(self) -> str:
        return f"127.0.0.1:{self.port}"

    def reply(self, url: str, body: str | bytes = b"", *headers: str, **more: Any) -> None:
        self.replies[url] = Reply(body if isinstance(body, bytes) else body.encode(), headers, **more)

    def page(self, url: str, *links: str, head: str = "", body: str = "", **more: Any) -> None:
        """A page with these links; its title is its URL, so no two are alike."""
        anchors = "".join(f'<p><a href="{link}">{link}</a>' for link in links)
        self.reply(url, f"<!doctype html><title>{url}</title>{head}<body>{body}{anchors}", **more)

    def product(self, url: str, *links: str, name: str = "", **more: Any) -> None:
        """A page that is worth something."""
        item = {"@context": "https://schema.org/", "@type": "Product", "name": name or url}
        self.page(url, *links, body=f'<script type="application/ld+json">{json.dumps(item)}</script>', **more)

    def robots(self, text: str, host: str = "a.example", **more: Any) -> None:
        self.reply(f"http://{host}/robots.txt", text, type_="text/plain", **more)

    def moves(self, url: str, target: str, **more: Any) -> None:
        self.reply(url, b"", f"Location: {target}", status="302 Found", **more)

    def asked(self, *, robots: bool = False, method: str = "GET") -> list[str]:
        """URLs in the order in which they were asked."""
        urls = [f"http://{asked.host}{asked.target}" for asked in self.log if asked.method == method]
        return [url for url in urls if robots or not url.endswith("/robots.txt")]

    def asked_twice(self) -> dict[str, int]:
        return {url: times for url, times in Counter(self.asked(robots=True)).items() if times > 1}

    async def _answer(self, client: Client) -> object:
        reply = self.replies.get(f"http://{client.asked.host}{client.asked.target}")
        if reply is None:
            return await client.page(b"", status="404 Not Found")
        if not isinstance(reply, Reply):
            return await reply(client)
        await asyncio.sleep(reply.delay)
        return await client.page(reply.body, *reply.headers, status=reply.status, type_=reply.type_)


def spec_for(web: SmallWeb | None, *seeds: str, **changes: Any) -> CrawlSpec:
    """A quick crawl: no delay, little patience, no retries, one page at a time."""
    values: dict[str, Any] = {
        "seeds": seeds or (HOME,),
        "policy": "bfs",
        "budget": 100,
        "delay": 0.0,
        "concurrency": 1,
        "workers": 0,  # to start a process costs more than to read a few pages
        "connect_to": web.connect_to if web else "",
        "following": Following(patience=2.0, retries=0),
    }
    return CrawlSpec(**{**values, **changes})


class Crawled:
    """What a crawl has left."""

    def __init__(self, directory: Path, summary: dict[str, Any] | None = None) -> None:
        self.directory, self.summary = directory, summary or {}

    def rows(self, query: str, *values: object) -> list[Any]:
        connection = sqlite3.connect(self.directory / "crawl.db")
        try:
            return connection.execute(query, values).fetchall()
        finally:
            connection.close()

    def column(self, query: str, *values: object) -> list[Any]:
        return [row[0] for row in self.rows(query, *values)]

    def table(self, query: str, *values: object) -> dict[Any, Any]:
        return dict(self.rows(query, *values))

    @property
    def choices(self) -> list[str]:
        """In their order, without those that were given back."""
        return self.column("SELECT url FROM outcomes o JOIN urls u ON u.id = o.candidate ORDER BY o.decided")

    @property
    def fetched(self) -> list[str]:
        return self.column("SELECT url FROM pages ORDER BY fetched_at, id")

    @property
    def rewards(self) -> dict[str, float]:
        return self.table("SELECT url, reward FROM pages")

    @property
    def faults(self) -> dict[str, str]:
        return self.table("SELECT url, fault FROM pages WHERE fault IS NOT NULL")

    @property
    def refusals(self) -> dict[str, str]:
        return self.table("SELECT url, reason FROM refusals")

    @property
    def duplicates(self) -> dict[str, str]:
        return self.table(
            """SELECT u.url, v.url FROM outcomes o JOIN urls u ON u.id = o.candidate
               JOIN urls v ON v.id = o.duplicate_of"""
        )


def crawled(web: SmallWeb | None, directory: Path, *seeds: str, **changes: Any) -> Crawled:
    return Crawled(directory, crawl(spec_for(web, *seeds, **changes), directory))


def urls(*paths: str, host: str = "a.example") -> list[str]:
    return [f"http://{host}/{path}" for path in paths]


def stop_after(patch: pytest.MonkeyPatch, count: int) -> None:
    """The next crawl is interrupted after so many outcomes; 0: never."""
    observe, numbers = Outcomes.observe, itertools.count(1)

    def observe_and_stop(outcomes: Outcomes, *arguments: Any) -> None:
        observe(outcomes, *arguments)
        if next(numbers) == count:
            outcomes._stop(INTERRUPTED)

    patch.setattr(Outcomes, "observe", observe_and_stop)


def at(log: Iterable[Asked], host: str) -> list[float]:
    return [asked.at for asked in log if asked.host == host]
