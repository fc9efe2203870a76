"""What stands between a choice and its fetch: fetched before, traps, robots.txt, the rest of host and address."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from sundog.engines.live.address_lines import AddressLines
from sundog.fetch.polite import PoliteFetcher
from sundog.fetch.values import Trouble, trouble
from sundog.scope.link_filter import LinkFilter
from sundog.scope.traps import TrapBudgets, group_of
from sundog.store import Observed
from sundog.urls.hosts import origin_of
from sundog.urls.identity import identity
from sundog.urls.iris import page_iri

MOST_TRIES_FOR_ROBOTS = 3  # then the host is given up


class Go(NamedTuple):
    """Fetch it now."""


class Never(NamedTuple):
    """Do not fetch it at all."""

    reason: str


class Later(NamedTuple):
    """The host must rest first."""

    until: float


class NameFirst(NamedTuple):
    """The host's name is to be looked up first."""


class InLine(NamedTuple):
    """The host must wait for an address that it shares with others."""

    address: str


class Moved(NamedTuple):
    """The host belongs to another shard now."""


class RulesFirst(NamedTuple):
    """robots.txt of the origin is to be read first."""


Verdict = Go | Never | Later | NameFirst | InLine | Moved | RulesFirst


class Gate:
    """Decides whether a page may be fetched now; knows every URL that was asked, so that none is asked twice."""

    def __init__(
        self, polite: PoliteFetcher, *, avoid_traps: bool, owns: Callable[[str], bool] | None = None
    ) -> None:
        """``owns``: whether a host is this shard's, if there are several."""
        self._polite, self.owns = polite, owns
        self.lines = AddressLines(polite.pace)
        self._traps = TrapBudgets() if avoid_traps else None
        self._asked: set[int] = set()  # hashes: a URL itself would take ten times as much
        self._redirected_from: dict[int, int] = {}  # the page whose redirect led to another

    def verdict(self, url: str, host: str, now: float, *, again: bool = False, is_known: bool = False) -> Verdict:
        """``again``: it may be asked once more. What is known from an earlier round is in no trap."""
        if self.owns is not None and not self.owns(host):
            return Moved()
        if not again and (self.was_asked(url) or self.was_asked(_as_iri(url))):
            return Never(
                "duplicate: asked before, by a redirect, with the other of http and https, or in another spelling"
            )
        if self._traps and not is_known and not self._traps.allows(group := group_of(url)):
            return Never(f"trap: enough of {group.family} like {group.key}"[:200])
        by_robots = self._by_robots(url, now)
        if isinstance(by_robots, Never | Later):
            return by_robots
        by_pace = self._by_pace(host, now)
        return by_robots if by_pace is None else by_pace

    def knows_rules(self, url: str, now: float) -> bool:
        """Whether robots.txt of its origin was read, or need not be."""
        robots = self._polite.robots
        return robots is None or robots.known(origin_of(url), now) is not None

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
        """What a page was worth. The list that led to it has earned something too.

        What has been fetched with a ``[`` need not be asked with ``%5B``. What has failed may be: some servers
        refuse what is no IRI. The URL itself was marked when it was asked, unless this is a further visit of the
        page, which must not keep it from its own.
        """
        if (other := _as_iri(url)) != url:
            self.mark_asked(other)
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

    def _by_robots(self, url: str, now: float) -> Never | Later | RulesFirst | Go:
        robots = self._polite.robots
        if robots is None:
            return Go()
        rules = robots.known(origin_of(url), now)
        if rules is None:
            return RulesFirst()
        if rules.wait_until is not None:
            return Later(math.inf if rules.tries >= MOST_TRIES_FOR_ROBOTS else rules.wait_until)
        return Go() if rules.allows(url) else Never("robots: forbidden")

    def _by_pace(self, host: str, now: float) -> Later | NameFirst | InLine | None:
        if self._polite.pace.given_up(host):
            return Later(math.inf)
        until = self._polite.pace.own_rest_until(host, now)
        if until > now:
            return Later(until)
        if not self._polite.locate(host) and self._polite.fetcher.is_to_be_found(host):
            return NameFirst()
        address = self.lines.busy_address(host, now)
        return InLine(address) if address is not None else None


def redirect_trouble(
    link_filter: LinkFilter,
    target: str,
    may_follow: Callable[[str], bool],
    owns: Callable[[str], bool] | None = None,
) -> Trouble | None:
    """Why a redirect is not followed: it leads out of scope, to a page that ``may_follow`` refuses, or to a host
    that this shard does not own."""
    reason = link_filter.out_of_scope(target)
    if reason:
        return trouble("redirect-out-of-scope", reason, was_asked=False)
    name = identity(target) or target
    if owns is not None and not owns(name):
        return trouble("redirect-elsewhere", name[:200], was_asked=False)
    return None if may_follow(name) else trouble("redirect-known", name[:200], was_asked=False)


def _as_iri(url: str) -> str:
    """How statements and documents of RDF name the page, as a page's name."""
    iri = page_iri(url)
    return url if iri == url else identity(iri) or iri


def _key(url: str) -> int:
    """A page is the same with http and https: where both exist, one leads to the other."""
    return hash(url.partition("://")[2])
