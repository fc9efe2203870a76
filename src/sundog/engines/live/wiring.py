"""The parts of a crawl that stand between its session and the Web, made from its spec."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import NamedTuple

from sundog.engines.live.gate import Gate, redirect_trouble
from sundog.fetch.fetcher import ACCEPT, ACCEPT_RDF, Fetcher
from sundog.fetch.pace import Manners, Pace
from sundog.fetch.polite import PoliteFetcher
from sundog.fetch.robots import Robots
from sundog.fetch.values import Trouble
from sundog.scope.link_filter import LinkFilter
from sundog.spec import CrawlSpec
from sundog.spec.linked_data import limits_of, link_filter_of

LONGEST_RETRY_AFTER = 86_400.0  # of an API: some have windows of a day


class Wiring(NamedTuple):
    polite: PoliteFetcher
    link_filter: LinkFilter
    gate: Gate


@asynccontextmanager
async def wiring_of(
    spec: CrawlSpec, clock: Callable[[], float], leaving: Callable[[str, Pace], None] | None = None
) -> AsyncIterator[Wiring]:
    """``leaving`` is told of every request before it is made."""
    link_filter = link_filter_of(spec)

    def unwanted(target: str, asked: str) -> Trouble | None:
        return redirect_trouble(link_filter, target, lambda name: gate.may_redirect(asked, name))

    async with Fetcher(
        limits=limits_of(spec),
        agent=spec.user_agent,
        accept=ACCEPT_RDF if spec.prefers_rdf else ACCEPT,
        connect_to=spec.address,
        allow_private=spec.allow_private,
        proxy=spec.proxy or None,
        clock=clock,
    ) as fetcher:
        pace = Pace(_manners(spec))
        polite = PoliteFetcher(
            fetcher,
            pace=pace,
            robots=Robots(fetcher.agent) if _obeys_robots(spec) else None,
            unwanted=unwanted,
            leaving=(lambda host: leaving(host, pace)) if leaving else nothing,
        )
        gate = Gate(polite, avoid_traps=link_filter.scope.avoid_traps and spec.world == "web")
        yield Wiring(polite, link_filter, gate)


def nothing(_: str) -> None:
    """Counts no requests."""


def _obeys_robots(spec: CrawlSpec) -> bool:
    """robots.txt is for those who crawl pages; an API is used by its own terms, unless the spec says otherwise."""
    return spec.following.robots and (spec.world != "api" or spec.api.robots)


def _manners(spec: CrawlSpec) -> Manners:
    """Without a delay nobody has asked for politeness, so a host may be asked as often as there are places.

    Worlds that are one host are visited one node at a time: whoever chooses later knows more.
    """
    following, hurried = spec.following, spec.delay == 0 and spec.world == "web"
    manners = Manners(
        delay=spec.delay,
        concurrency=following.host_concurrency or (spec.concurrency if hurried else 1),
        address_concurrency=spec.concurrency if hurried else following.address_concurrency,
    )
    if spec.world != "api":
        return manners
    return replace(
        manners, requests=spec.api.requests, window=spec.api.window, longest_retry_after=LONGEST_RETRY_AFTER
    )
