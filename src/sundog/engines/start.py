"""Where a simulated crawl begins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sundog.errors import UsageError
from sundog.session import CrawlSession
from sundog.worlds.static import StaticWorld


@dataclass(frozen=True)
class Start:
    """Where a crawl begins: pages to fetch first, or relevant pages that were crawled before."""

    pages: tuple[int, ...] = (0,)
    crawled: int = 0


def parse_start(text: str | None, world: StaticWorld) -> Start:
    """``None`` (the first page), ``ID|URL[,…]`` or ``random:K``."""
    if text is None:
        return Start()
    if text.startswith("random:"):
        count = text.removeprefix("random:")
        if not count.isdecimal() or int(count) < 1:
            raise UsageError(f"start '{text}': a whole number of pages from 1 on is expected after random:")
        return Start((), int(count))
    pages = tuple(world.row_of(part.strip()) for part in text.split(",") if part.strip())
    if not pages:
        raise UsageError(f"start '{text}' names no page")
    return Start(pages)


def begin(session: CrawlSession, world: StaticWorld, rewards: Any, start: Start, seed: int) -> None:
    """Offer the start's pages, or take in relevant ones, drawn by the seed, as crawled already."""
    if not start.crawled:
        session.add_known(start.pages)
        return
    relevant = np.flatnonzero(rewards > 0)
    if start.crawled > len(relevant):
        raise UsageError(f"start random:{start.crawled}: only {len(relevant)} pages are relevant")
    chosen = np.sort(np.random.default_rng(seed).choice(relevant, start.crawled, replace=False))
    session.add_known(chosen)
    for page in chosen.tolist():
        session.adopt(page, rewards[page], world.links_of(page))
