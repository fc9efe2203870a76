"""The sites over HTTP, from one port: the Host header says which of them is meant."""

from __future__ import annotations

from typing import Protocol

from aiohttp import web

from . import music, shop, wiki
from .answer import NOT_FOUND, Answer


class Site(Protocol):
    def answer(self, path: str, query: str) -> Answer: ...


def application(*, large: bool = False) -> web.Application:
    """``large``: as many cities, people and artists as a real country and a real site have."""
    cities = wiki.large_country() if large else wiki.CITIES
    sites: dict[str, Site] = {
        wiki.HOST: wiki.Wiki(cities),
        music.HOST: music.Music(music.LARGE if large else music.SMALL),
        shop.HOST: shop.Shop(),
    }

    async def respond(request: web.Request) -> web.Response:
        site = sites.get(request.host.partition(":")[0].lower())
        url = request.rel_url
        answer = site.answer(url.raw_path, url.raw_query_string) if site else NOT_FOUND
        headers = {"Location": answer.location} if answer.location else None
        return web.Response(
            status=answer.status, text=answer.body, content_type=answer.content_type, headers=headers
        )

    app = web.Application()
    app.router.add_get("/{path:.*}", respond)
    return app
