"""Which known page is visited next, and whether that is worth more than the new page that the policy would fetch.

One scale for both: a visit is worth (μ/Δ)(1 − e^(−Δτ)(1 + Δτ)) days on which the page's value is up to date. A
page that was never seen is one whose last visit is infinitely long ago, so it is worth μ/Δ, where μ is the
policy's score and Δ the rate of pages like it. Policies whose scores are no worths get a share of the budget.

Pages are sorted once, by host, and again when as many visits have been made as before the last time, at least one
for ten pages: meanwhile rates have been learned. A choice costs the same however many pages and hosts there are.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from sundog.engines.live.rounds.check_ups import EVERY, CheckUps
from sundog.engines.live.rounds.known_pages import DAY, SOURCES, KnownPages, Learned
from sundog.engines.live.rounds.outlook import WaitingPages
from sundog.frontier.sleepers import Sleepers
from sundog.model import Decision
from sundog.revisits.hints import CHANGED, NOTHING, UNCHANGED, HintTrust
from sundog.revisits.reasons import CHECK_UP, LISTINGS_FIRST
from sundog.revisits.siblings import template_by_template
from sundog.session import CrawlSession

FIRST_SORT, SORT_SHARE = 64, 1 / 10  # visits, and share of all pages: after so many they are sorted again
EQUAL_SHARE = 0.5
UNKNOWN_PAGE = -1, -1, -1  # of no template or host that is known
LISTED_AS = {NOTHING: "", UNCHANGED: "unchanged", CHANGED: "changed"}


class Revisit(NamedTuple):
    """A page that is worth another visit, and why."""

    candidate: int
    worth: float
    value: float
    rate: float  # changes a day
    since: float  # days
    said: str = ""  # by a sitemap or feed: whether it has changed since then
    own: Sequence[int] = ()  # by the page itself, as ``KnownPages.said`` has it


class RevisitOrder:
    """``age``: of the crawl, in days. ``share``: of the fetches that are visits; None: what is worth more."""

    def __init__(
        self,
        pages: KnownPages,
        learned: Learned,
        session: CrawlSession,
        trust: HintTrust | None = None,
        *,
        age: float,
        share: float | None = None,
    ) -> None:
        self._pages, self._learned, self._session, self._age = pages, learned, session, age
        comparable = session.chooser.scores_are_worths
        self._share = share if share is not None or comparable else EQUAL_SHARE
        self._since = np.maximum(0.0, age - pages.asked)
        self._taken = np.zeros(len(pages.candidate), bool)
        self.left = len(pages.candidate)  # that were not visited in this round
        self._said = pages.said(np.arange(len(pages.candidate)), np.maximum(0.0, age - pages.seen))
        self._rate_of = np.zeros(len(pages.candidate))
        self._seen: list[tuple[int, bool]] = []  # places, and whether they had changed: not learned from yet
        self._trust = trust or HintTrust(SOURCES)
        self._awaited = set(pages.candidate[pages.is_listing].tolist())  # lists that have not come yet
        self._has_news = False
        self._spread = template_by_template(pages.template)
        self._given_back: dict[int, list[int]] = {}  # places, by host
        self._check_ups = CheckUps(pages.template, pages.seen)
        self._to_check: dict[int, list[int]] = {}  # places, by host; they stand in their queues, too
        self._visits, self._new = 0, 0
        self._next_sort = max(FIRST_SORT, int(SORT_SHARE * len(pages.candidate)))
        self._sleepers = Sleepers()
        for host in session.asleep_for_good:
            self._sleepers.put(host, math.inf)
        for host, until in session.asleep_for_a_time:
            self._sleepers.put(host, until)
        self.sort()

    def sort(self) -> None:
        """Anew, by what is known now. Of equals, those of all templates in turn: that teaches most."""
        self._learn()
        pages, left = self._pages, self._spread[~self._taken[self._spread]]
        hosts = pages.host[left]
        rates, worths = self._rates_and_worths(left)
        self._rate_of[left] = rates
        worths[pages.is_listing[left]] = LISTINGS_FIRST
        order = np.lexsort((-worths, hosts))
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
        self._heap += [(-CHECK_UP, host) for host in self._to_check if self._untaken(self._to_check, host)]
        heapq.heapify(self._heap)

    def _rates_and_worths(self, places: Any) -> tuple[Any, Any]:
        """The days since the last visit count as sitemaps, feeds and pages themselves let them."""
        chain = self._learned.chain(places)
        rates = self._learned.rates.rates(*chain)
        since = self._trust.since(chain[2], rates, self._since[places], self._said[places])
        return rates, self._pages.value[places] * self._learned.rates.worths(*chain, since)

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
        self._check_ups.visited(place)
        if self._visits % EVERY == 0 and (other := self._check_ups.next(self._taken)) is not None:
            self._check(other)
        pages, said = self._pages, self._said[place].tolist()
        revisit = Revisit(
            pages.candidate.item(place),
            value,
            pages.value.item(place),
            rate,
            self._since.item(place),
            LISTED_AS[said[0]],
            said[1:] if max(said[1:]) != NOTHING else (),
        )
        if self._visits >= self._next_sort:
            self._next_sort *= 2
            self.sort()
        return revisit

    def hear(self, hints: Mapping[int, float]) -> None:
        """What a sitemap or feed says now of when pages last changed."""
        for candidate, at in hints.items():
            if (place := self._place_of(candidate)) is not None and self._pages.hint.item(place) != at:
                self._pages.hint[place] = at
                self._said[place, 0] = at > self._pages.seen_at.item(place)
                self._has_news = True

    def came(self, candidate: int) -> None:
        """It was visited, whatever came of it. When all lists have come, pages are sorted by what they say."""
        if candidate in self._awaited:
            self._awaited.discard(candidate)
            if not self._awaited and self._has_news:
                self.sort()

    def has_less(self, candidate: int) -> None:
        """Than before: others like it are looked at next, so that this round tells whether something broke."""
        if (place := self._place_of(candidate)) is not None:
            for other in self._check_ups.beside(place, self._taken):
                self._check(other)

    def _check(self, place: int) -> None:
        host = self._pages.host.item(place)
        self._to_check.setdefault(host, []).append(place)
        self._in_heap.add(host)
        heapq.heappush(self._heap, (-CHECK_UP, host))

    def waiting(self) -> WaitingPages:
        """All pages that were not visited in this round, whether their hosts sleep or not."""
        left = ~self._taken[self._place]
        rate = self._learned.rates.rate(UNKNOWN_PAGE) if self._session.chooser.scores_are_worths else None
        return WaitingPages(self._worth[left], rate)

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
        self.left += 1
        self._visits -= 1
        host = self._pages.host.item(place)
        self._given_back.setdefault(host, []).append(place)
        self._queues.setdefault(host, [0, 0])
        self._offer(host)

    def new_given_back(self) -> None:
        self._new -= 1

    def take(self, candidate: int) -> None:
        """It was visited before the round was resumed; ``sort`` then leaves it out."""
        if (place := self._place_of(candidate)) is not None and not self._taken[place]:
            self._taken[place] = True
            self.left -= 1

    def learn(self, candidate: int, changed: bool) -> None:
        """What a visit has shown."""
        if (place := self._place_of(candidate)) is not None:
            self._seen.append((place, changed))

    def _learn(self) -> None:
        """From all visits since the last time: one by one would cost more than to choose."""
        if not self._seen:
            return
        seen = np.array(self._seen)
        places, changed = seen[:, 0], seen[:, 1] > 0
        self._seen = []
        self._trust.observe(self._pages.host[places], self._said[places], changed)
        self._learned.observe(places, self._pages.seen[places], np.full(len(places), self._age), changed)

    # -- behind it ------------------------------------------------------------------------------------------

    def _is_better(self, value: float, decision: Decision) -> bool:
        if self._share is not None:
            return self._visits < self._share * (self._visits + self._new + 1)
        facts = self._session.source.facts
        template = self._pages.template_of(facts, decision.candidate)
        rate = self._learned.rates.rate((-1, template, decision.host_id))
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
        if checks := self._untaken(self._to_check, host):
            return checks[-1], CHECK_UP, self._rate_of.item(checks[-1])
        if back := self._untaken(self._given_back, host):
            place = back[-1]
            rates, worths = self._rates_and_worths(np.array([place]))
            return place, worths.item(0), rates.item(0)
        queue = self._queues.get(host)
        while queue is not None and queue[0] < queue[1]:
            at = queue[0]
            if not self._taken[self._place[at]]:
                return self._place.item(at), self._worth.item(at), self._rate.item(at)
            queue[0] += 1  # it was looked at before its turn
        self._queues.pop(host, None)
        return None

    def _untaken(self, places: dict[int, list[int]], host: int) -> list[int]:
        found = places.get(host)
        if not found:
            return []
        while found and self._taken[found[-1]]:
            found.pop()
        return found

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
        self._taken[top[0]] = True
        self.left -= 1
        self._drop_first()
        self._offer(host)
        return top[0], top[2]


def in_seconds(revisit: Revisit) -> tuple[float, float]:
    """Rate and time since the last visit, as the log has them."""
    return revisit.rate / DAY, revisit.since * DAY
