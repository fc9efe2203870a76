"""One page for somebody who waits for it: asked as politely as the pages of a crawl."""

from __future__ import annotations

import asyncio

from sundog.errors import SundogError
from sundog.fetch.fetcher import AGENT, Fetcher
from sundog.fetch.pace import Manners, Pace
from sundog.fetch.polite import PoliteFetcher, steady_clock
from sundog.fetch.robots import Robots
from sundog.fetch.values import KINDS, Limits, Page


def fetch_one(
    url: str,
    *,
    connect_to: tuple[str, int] | None = None,
    allow_private: bool = False,
    delay: float = 1.0,
    robots: bool = True,
    agent: str = AGENT,
    limits: Limits | None = None,
) -> Page:
    """The page, or a SundogError that says why there is none."""

    async def fetched() -> Page:
        fetcher = Fetcher(
            limits=limits, agent=agent, connect_to=connect_to, allow_private=allow_private, clock=steady_clock()
        )
        async with fetcher:
            polite = PoliteFetcher(
                fetcher, pace=Pace(Manners(delay=delay)), robots=Robots(agent) if robots else None
            )
            result = await polite.fetch(url)
        if isinstance(result, Page):
            return result
        hint = "; --allow-private lets it be asked" if result.kind == "private-address" else ""
        detail = f" ({result.detail})" if result.detail else ""
        raise SundogError(f"{url} cannot be had: {KINDS[result.kind].meaning}{detail}{hint}")

    return asyncio.run(fetched())
