"""Fetcher, pace, robots.txt, link filter and gate of a crawl, made from its spec."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from sundog.archives.archived_web import ArchivedWeb
from sundog.archives.files import archive_files
from sundog.engines.live.company import Company
from sundog.engines.live.gate import Gate, redirect_trouble
from sundog.fetch.fetcher import ACCEPT, ACCEPT_RDF, Fetcher
from sundog.fetch.pace import Manners, Pace
from sundog.fetch.polite import PoliteFetcher
from sundog.fetch.robots import Robots
from sundog.fetch.values import Trouble
from sundog.scope.link_filter import LinkFilter
from sundog.spec import CrawlSpec
from sundog.spec.archive import Archive
from sundog.spec.credentials import credentials_of, proxy_of
from sundog.spec.linked_data import limits_of, link_filter_of


class Wiring(NamedTuple):
    """What asks servers, and what decides whether they are asked."""

    polite: PoliteFetcher
    link_filter: LinkFilter
    gate: Gate


@asynccontextmanager
async def wiring_of(
    spec: CrawlSpec,
    clock: Callable[[], float],
    on_request: Callable[[str, Pace], None] | None = None,
    company: Company | None = None,
) -> AsyncIterator[Wiring]:
    """``on_request`` is called before every request; ``company`` are the other shards, if there are some."""
    owns = company.owns if company is not None else None
    link_filter = link_filter_of(spec)
    robots = spec.world_kind.obeys_robots(spec.following.robots)

    def redirect_filter(target: str, asked: str) -> Trouble | None:
        return redirect_trouble(link_filter, target, lambda name: gate.may_redirect(asked, name), owns)

    def begun(host: str) -> None:
        gate.lines.begun(host)
        if on_request is not None:
            on_request(host, pace)

    async with _fetcher_of(spec, clock) as fetcher:
        manners = manners_of(spec)
        pace = Pace(manners)
        if company is not None:
            pace.addresses = company.address_pace(manners.address_gap, manners.address_concurrency)
        polite = PoliteFetcher(
            fetcher,
            pace=pace,
            robots=Robots(fetcher.agent) if robots else None,
            redirect_filter=redirect_filter,
            on_request=begun,
        )
        gate = Gate(polite, avoid_traps=link_filter.scope.avoid_traps and spec.world_kind.has_pages, owns=owns)
        yield Wiring(polite, link_filter, gate)


def _fetcher_of(spec: CrawlSpec, clock: Callable[[], float]) -> Fetcher:
    """What asks servers; or archive files, in their stead."""
    if isinstance(spec.world_kind, Archive):
        files = archive_files([Path(spec.world_kind.path)])
        return ArchivedWeb(files, limits=limits_of(spec), agent=spec.user_agent, clock=clock)
    return Fetcher(
        limits=limits_of(spec),
        agent=spec.user_agent,
        accept=ACCEPT_RDF if spec.prefers_rdf else ACCEPT,
        connect_to=spec.address,
        allow_private=spec.allow_private,
        proxy=proxy_of(spec, os.environ),
        clock=clock,
        credentials=credentials_of(spec, os.environ),
        cookies=spec.cookies,
    )


def manners_of(spec: CrawlSpec) -> Manners:
    """Without a delay nobody has asked for politeness, so a host may be asked as often as there are places.

    Worlds that are one host are visited one node at a time: whoever chooses later knows more.
    """
    following, world = spec.following, spec.world_kind
    hurried = spec.delay == 0 and not world.is_one_host
    usual = Manners(
        delay=spec.delay,
        concurrency=following.host_concurrency or (spec.concurrency if hurried else 1),
        address_concurrency=spec.concurrency if hurried else following.address_concurrency,
    )
    return world.manners(usual)
