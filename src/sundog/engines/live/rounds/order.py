"""Which known page is visited next, and whether that is worth more than the new page that the policy would fetch.

One scale for both: a visit is worth (μ/Δ)(1 − e^(−Δτ)(1 + Δτ)) days on which the page's value is up to date. A
page that was never seen is one whose last visit is infinitely long ago, so it is worth μ/Δ, where μ is the
policy's score and Δ the rate of pages like it. Policies whose scores are no worths get a share of the budget.

Pages are sorted once, by host, and again when as many visits have been made as before the last time: meanwhile
rates have been learned. A choice costs the same however many pages and hosts there are.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from sundog.engines.live.rounds.known_pages import DAY, KnownPages
from sundog.frontier.sleepers import Sleepers
from sundog.model import Decision
from sundog.revisits.hints import HintTrust
from sundog.revisits.index import worth
from sundog.revisits.rates import ChangeRates
from sundog.session import CrawlSession

FIRST_SORT = 64  # visits, after which pages are sorted again
EQUAL_SHARE = 0.5
LISTINGS_FIRST = 1e6  # what a sitemap or feed is worth: it says which pages to visit


class Revisit(NamedTuple):
    """A page that is worth another visit, and why."""

    candidate: int
    worth: float
    value: float
    rate: float  # changes a day
    since: float  # days
    said: str = ""  # by a sitemap or feed: whether it has changed since then


class RevisitOrder:
    """``age``: of the crawl, in days. ``share``: of the fetches that are visits; None: what is worth more."""

    def __init__(
        self,
        pages: KnownPages,
        rates: ChangeRates,
        session: CrawlSession,
        trust: HintTrust | None = None,
        *,
        age: float,
        share: float | None = None,
    ) -> None:
        self._pages, self._rates, self._session, self._age = pages, rates, session, age
        comparable = session.chooser.scores_are_worths
        self._share = share if share is not None or comparable else EQUAL_SHARE
        self._since = np.maximum(0.0, age - pages.seen)
        self._taken = np.zeros(len(pages.candidate), bool)
        self._trust = trust or HintTrust()
        self._awaited = set(pages.candidate[pages.is_listing].tolist())  # lists that have not come yet
        self._has_news = False
        self._given_back: dict[int, list[int]] = {}  # places, by host
        self._visits, self._new, self._next_sort = 0, 0, FIRST_SORT
        self._sleepers = Sleepers()
        for host in session.asleep_for_good:
            self._sleepers.put(host, math.inf)
        for host, until in session.asleep_for_a_time:
            self._sleepers.put(host, until)
        self.sort()

    def sort(self) -> None:
        """Anew, by what is known now."""
        pages, left = self._pages, np.flatnonzero(~self._taken)
        hosts = pages.host[left]
        rates = self._rates.rates(pages.candidate[left], pages.template[left], hosts)
        worths = worth(pages.value[left], rates, self._counted(left, rates))
        worths[pages.is_listing[left]] = LISTINGS_FIRST
        order = np.lexsort((left, -worths, hosts))
        self._place, self._worth, self._rate = left[order], worths[order], rates[order]
        sites, starts = np.unique(hosts[order], return_index=True)
        ends = np.append(starts[1:], len(left))[: len(starts)]
        self._queues = {
            site: [start, end]
            for site, start, end in zip(*(each.tolist() for each in (sites, starts, ends)), strict=True)
        }
        self._given_back = {}
        self._heap = [(-self._worth.item(queue[0]), site) for site, queue in self._queues.items()]
        self._in_heap = set(self._queues)
        heapq.heapify(self._heap)

    def _counted(self, places: Any, rates: Any) -> Any:
        """Days since the last visit, as they count after what sitemaps and feeds say."""
        since, hint = self._since[places], self._pages.hint[places]
        hosts, claimed = self._pages.host[places], hint > self._pages.seen_at[places]
        return np.where(np.isnan(hint), since, self._trust.since(hosts, rates, since, claimed))

    # -- what the journal asks and tells ----------------------------------------------------------------

    def instead_of(self, decision: Decision | None, now: float) -> Revisit | None:
        """The page to visit again in place of a new one, or of nothing; None: the new one is worth more."""
        found = self._best(now)
        if found is None or (decision is not None and not self._is_better(found[0], decision)):
            if decision is not None:
                self._new += 1
            return None
        value, host = found
        place, rate = self._pop(host)
        self._visits += 1
        pages = self._pages
        revisit = Revisit(
            pages.candidate.item(place),
            value,
            pages.value.item(place),
            rate,
            self._since.item(place),
            self._said(place),
        )
        if self._visits >= self._next_sort:
            self._next_sort *= 2
            self.sort()
        return revisit

    def _said(self, place: int) -> str:
        hint = self._pages.hint.item(place)
        if math.isnan(hint):
            return ""
        return "changed" if hint > self._pages.seen_at.item(place) else "unchanged"

    def hear(self, hints: Mapping[int, float]) -> None:
        """What a sitemap or feed says now of when pages last changed."""
        for candidate, at in hints.items():
            if (place := self._place_of(candidate)) is not None and self._pages.hint.item(place) != at:
                self._pages.hint[place] = at
                self._has_news = True

    def came(self, candidate: int) -> None:
        """It was visited, whatever came of it. When all lists have come, pages are sorted by what they say."""
        if candidate in self._awaited:
            self._awaited.discard(candidate)
            if not self._awaited and self._has_news:
                self.sort()

    @property
    def next_due(self) -> float | None:
        """When a host wakes that has pages left; None: none does, or there is nothing left."""
        return self._sleepers.next_due if self._queues else None

    def rest(self, host: int, until: float) -> None:
        self._sleepers.put(host, until)

    def give_back(self, candidate: int) -> None:
        """It was not asked after all."""
        place = self._place_of(candidate)
        if place is None:
            return
        self._taken[place] = False
        self._visits -= 1
        host = self._pages.host.item(place)
        self._given_back.setdefault(host, []).append(place)
        self._queues.setdefault(host, [0, 0])
        self._offer(host)

    def new_given_back(self) -> None:
        self._new -= 1

    def take(self, candidate: int) -> None:
        """It was visited before the round was resumed; ``sort`` then leaves it out."""
        if (place := self._place_of(candidate)) is not None:
            self._taken[place] = True

    def learn(self, candidate: int, changed: bool) -> None:
        """What a visit has shown."""
        place = self._place_of(candidate)
        if place is not None and (said := self._said(place)):
            self._trust.observe([self._pages.host.item(place)], [said == "changed"], [changed])
        if place is not None and self._since[place] > 0:
            pages = self._pages
            chain = (candidate, pages.template.item(place), pages.host.item(place))
            self._rates.observe(chain, self._since.item(place), changed)

    # -- behind it ------------------------------------------------------------------------------------------

    def _is_better(self, value: float, decision: Decision) -> bool:
        if self._share is not None:
            return self._visits < self._share * (self._visits + self._new + 1)
        facts = self._session.source.facts
        template = self._pages.template_of(facts, decision.candidate)
        rate = self._rates.rate((-1, template, decision.host_id))
        return value > decision.score / rate

    def _place_of(self, candidate: int) -> int | None:
        place = int(np.searchsorted(self._pages.candidate, candidate))
        known = place < len(self._pages.candidate) and self._pages.candidate.item(place) == candidate
        return place if known else None

    def _best(self, now: float) -> tuple[float, int] | None:
        """The best page's worth and its host, of hosts that are awake."""
        for host in self._sleepers.woken(now):
            if host in self._queues:
                self._offer(host)
        while self._heap:
            value, host = -self._heap[0][0], self._heap[0][1]
            top = self._top(host)
            if top is None or host in self._sleepers or top[1] != value:
                self._drop_first()
                if top is not None and host not in self._sleepers:
                    self._offer(host)
                continue
            return value, host
        return None

    def _top(self, host: int) -> tuple[int, float, float] | None:
        """Place, worth and rate of the host's best page."""
        if back := self._given_back.get(host):
            place = back[-1]
            pages = self._pages
            chain = (pages.candidate.item(place), pages.template.item(place), host)
            rate = self._rates.rate(chain)
            counted = self._counted(np.array([place]), np.array([rate])).item(0)
            return place, float(worth(pages.value.item(place), rate, counted)), rate
        queue = self._queues.get(host)
        if queue is None or queue[0] >= queue[1]:
            return None
        at = queue[0]
        return self._place.item(at), self._worth.item(at), self._rate.item(at)

    def _offer(self, host: int) -> None:
        """Once: what has become worth more since waits until it is the host's turn."""
        if host not in self._in_heap and (top := self._top(host)) is not None:
            self._in_heap.add(host)
            heapq.heappush(self._heap, (-top[1], host))

    def _drop_first(self) -> None:
        self._in_heap.discard(heapq.heappop(self._heap)[1])

    def _pop(self, host: int) -> tuple[int, float]:
        top = self._top(host)
        assert top is not None
        if self._given_back.get(host):
            self._given_back[host].pop()
        else:
            self._queues[host][0] += 1
        if not self._given_back.get(host) and self._queues[host][0] >= self._queues[host][1]:
            del self._queues[host]
        self._taken[top[0]] = True
        self._drop_first()
        self._offer(host)
        return top[0], top[2]


def in_seconds(revisit: Revisit) -> tuple[float, float]:
    """Rate and time since the last visit, as the log has them."""
    return revisit.rate / DAY, revisit.since * DAY
