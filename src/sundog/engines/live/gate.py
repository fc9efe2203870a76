"""What stands between a choice and its fetch: fetched before, traps, robots.txt, the host's rest."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from sundog.fetch.polite import PoliteFetcher
from sundog.fetch.values import Trouble, trouble
from sundog.scope.link_filter import LinkFilter
from sundog.scope.traps import TrapBudgets, group_of
from sundog.store import Observed
from sundog.urls.hosts import origin_of
from sundog.urls.identity import identity

MOST_TRIES_FOR_ROBOTS = 3  # then the host is given up


class Go(NamedTuple):
    """Fetch it now."""


class Never(NamedTuple):
    """Do not fetch it at all."""

    reason: str


class Later(NamedTuple):
    """The host must rest first."""

    until: float


class RulesFirst(NamedTuple):
    """robots.txt of the origin is to be read first."""


Verdict = Go | Never | Later | RulesFirst


class Gate:
    """Decides whether a page may be fetched now; knows every URL that was asked, so that none is asked twice."""

    def __init__(self, polite: PoliteFetcher, *, avoid_traps: bool) -> None:
        self._polite = polite
        self._traps = TrapBudgets() if avoid_traps else None
        self._asked: set[int] = set()  # hashes: a URL itself would take ten times as much
        self._redirected_from: dict[int, int] = {}  # the page whose redirect led to another

    def verdict(self, url: str, host: str, now: float, *, again: bool = False) -> Verdict:
        """``again``: it may be asked once more."""
        if not again and _key(url) in self._asked:
            return Never("duplicate: asked before, by a redirect or with the other of http and https")
        if self._traps and not self._traps.allows(group := group_of(url)):
            return Never(f"trap: enough of {group.family} like {group.key}"[:200])
        verdict = self._by_robots(url, now)
        return self._by_pace(host, now) if verdict is None else verdict  # an empty tuple is a verdict, too

    def was_asked(self, url: str) -> bool:
        return _key(url) in self._asked

    def mark_asked(self, url: str) -> None:
        self._asked.add(_key(url))

    def unmark_asked(self, url: str) -> None:
        """It was not asked after all."""
        self._asked.discard(_key(url))

    def may_redirect(self, asked: str, target: str) -> bool:
        """Whether a redirect may be followed: not to what was asked already, unless by this very page's last try.

        If so, the target counts as asked from now on, for others may be led there at the same time.
        """
        key, origin = _key(target), _key(asked)
        if key != origin and key in self._asked and self._redirected_from.get(key) != origin:
            return False
        self._asked.add(key)
        self._redirected_from[key] = origin
        return True

    def mark_redirect_target(self, url: str) -> None:
        """A redirect led to this URL, before the crawl was resumed."""
        self._asked.add(_key(identity(url) or url))

    def unmark_redirect_target(self, asked: str, target: str) -> None:
        """A redirect led to the target, but was not followed after all."""
        key, origin = _key(identity(target) or target), _key(asked)
        if key != origin and self._redirected_from.get(key) == origin:
            self._asked.discard(key)

    def learn(self, url: str, parent: str | None, reward: float) -> None:
        """What a page was worth. The list that led to it has earned something too."""
        if self._traps is None:
            return
        self._traps.observe(group_of(url), reward)
        if reward > 0 and parent is not None:
            self._traps.credit(group_of(parent))

    def recall(self, url: str, parent: str | None, event: Observed) -> None:
        """What happened before the crawl was resumed."""
        if event.kind != "refused":
            self.mark_asked(url)
        if event.kind == "fetched":
            self.learn(url, parent, event.reward)

    def _by_robots(self, url: str, now: float) -> Never | Later | RulesFirst | None:
        robots = self._polite.robots
        if robots is None:
            return None
        rules = robots.known(origin_of(url), now)
        if rules is None:
            return RulesFirst()
        if rules.wait_until is not None:
            return Later(math.inf if rules.tries >= MOST_TRIES_FOR_ROBOTS else rules.wait_until)
        return None if rules.allows(url) else Never("robots: forbidden")

    def _by_pace(self, host: str, now: float) -> Go | Later:
        if self._polite.pace.given_up(host):
            return Later(math.inf)
        until = self._polite.pace.rest_until(host, now)
        return Later(until) if until > now else Go()


def redirect_trouble(link_filter: LinkFilter, target: str, may_follow: Callable[[str], bool]) -> Trouble | None:
    """Why a redirect is not followed: it leads out of scope, or to a page that ``may_follow`` refuses."""
    reason = link_filter.out_of_scope(target)
    if reason:
        return trouble("redirect-out-of-scope", reason, was_asked=False)
    name = identity(target) or target
    return None if may_follow(name) else trouble("redirect-known", name[:200], was_asked=False)


def _key(url: str) -> int:
    """A page is the same with http and https: where both exist, one leads to the other."""
    return hash(url.partition("://")[2])
