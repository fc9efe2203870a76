"""The parts of a crawl that stand between its session and the Web, made from its spec."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import NamedTuple

from sundog.engines.live.admission import Admission
from sundog.engines.live.gate import Gate
from sundog.fetch.fetcher import Fetcher
from sundog.fetch.pace import Manners, Pace
from sundog.fetch.polite import PoliteFetcher
from sundog.fetch.robots import Robots
from sundog.fetch.values import Trouble, trouble
from sundog.frontier.identity import identity
from sundog.spec import CrawlSpec


class Parts(NamedTuple):
    polite: PoliteFetcher
    admission: Admission
    gate: Gate


@asynccontextmanager
async def parts_of(spec: CrawlSpec, clock: Callable[[], float]) -> AsyncIterator[Parts]:
    following = spec.following
    admission = Admission(spec.whole_scope, nofollow=following.nofollow)

    def unwanted(target: str, asked: str) -> Trouble | None:
        """A redirect stays in scope, and does not lead to a page that was asked already."""
        reason = admission.out_of_scope(target)
        if reason:
            return trouble("redirect-out-of-scope", reason, was_asked=False)
        name = identity(target) or target
        if name != asked and gate.was_asked(name):
            return trouble("redirect-known", name[:200], was_asked=False)
        return None

    async with Fetcher(
        limits=spec.limits,
        agent=spec.user_agent,
        connect_to=spec.address,
        allow_private=spec.allow_private,
        proxy=spec.proxy or None,
        clock=clock,
    ) as fetcher:
        robots = Robots(fetcher.agent) if following.robots else None
        polite = PoliteFetcher(fetcher, pace=Pace(_manners(spec)), robots=robots, unwanted=unwanted)
        gate = Gate(polite, avoid_traps=admission.scope.avoid_traps)
        yield Parts(polite, admission, gate)


def _manners(spec: CrawlSpec) -> Manners:
    """Without a delay nobody has asked for politeness, so a host may be asked as often as there are places."""
    following, polite = spec.following, spec.delay > 0
    return Manners(
        delay=spec.delay,
        concurrency=following.host_concurrency or (1 if polite else spec.concurrency),
        address_concurrency=following.address_concurrency if polite else spec.concurrency,
    )
