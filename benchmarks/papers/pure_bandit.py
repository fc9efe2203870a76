"""The bandit alone: the host with the best success rate, and any of its pages, in plain Python.

What decides is the order of hosts never visited, which all have the same rate. ``ties``:

* ``chance``: each host draws a number once
* ``first``: the host that was found first
* ``known``: the host of which most pages are known
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable
from typing import Any

from sundog.worlds.static import StaticWorld

TIES = ("chance", "first", "known")


class PureBandit:
    def __init__(self, web: StaticWorld, rewards: Any, ties: str, seed: int) -> None:
        self._web, self._rewards, self._dice = web, rewards, random.Random(seed)
        self._host_of = web.facts.host
        self._waiting: dict[int, list[int]] = {}
        self._counts: dict[int, list[int]] = {}  # relevant pages and others, by host
        self._order: list[tuple[float, float, int]] = []
        self._drawn: dict[int, float] = {}
        self._first: dict[int, int] = {}
        rules: dict[str, Callable[[int], float]] = {
            "chance": lambda host: self._drawn.setdefault(host, self._dice.random()),
            "first": lambda host: self._first[host],
            "known": lambda host: -len(self._waiting[host]),
        }
        self._tie = rules[ties]

    def harvest(self, budget: int) -> float:
        """The relevant share of a crawl from page 0."""
        seen, found = {0}, 0
        self._offer([0])
        for _ in range(budget):
            page = self._next()
            if page is None:
                break
            host, relevant = int(self._host_of[page]), bool(self._rewards[page] > 0)
            found += relevant
            self._counts.setdefault(host, [0, 0])[0 if relevant else 1] += 1
            new = [target for target in self._web.links_of(page).targets.tolist() if target not in seen]
            seen.update(new)
            self._offer(dict.fromkeys(new))
            self._push(host)
        return found / budget

    def _offer(self, pages: Any) -> None:
        changed: dict[int, None] = {}
        for page in pages:
            host = int(self._host_of[page])
            self._waiting.setdefault(host, []).append(page)
            self._first.setdefault(host, len(self._first))
            changed[host] = None
        for host in changed:
            self._push(host)

    def _push(self, host: int) -> None:
        heapq.heappush(self._order, (-self._rate(host), self._tie(host), host))

    def _next(self) -> int | None:
        while self._order:
            rate, tie, host = self._order[0]
            pages = self._waiting[host]
            if pages and -rate == self._rate(host) and tie == self._tie(host):
                place = self._dice.randrange(len(pages))
                pages[place], pages[-1] = pages[-1], pages[place]
                return pages.pop()
            heapq.heappop(self._order)  # its record has changed since, and a later entry says so
        return None

    def _rate(self, host: int) -> float:
        good, bad = self._counts.get(host, (0, 0))
        return (good + 1) / (bad + 1)


def pure_bandit(web: StaticWorld, rewards: Any, budget: int, seed: int, ties: str) -> float:
    return PureBandit(web, rewards, ties, seed).harvest(budget)
