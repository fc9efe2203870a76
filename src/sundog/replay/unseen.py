"""What lies beyond a log: links of pages that were not fetched, and pages that only such links lead to.

A page that was not fetched gets the links of one that was: of its host and template if there is one, else of its
host, else of its template. Where that page links to something that other pages link to as well, the link leads
there. If it is the only one, its link stands for those that lead where no link of the log does (so Good and Turing
count what was not seen): it leads to a copy, a page of the same host and template as its original.

Hosts end. A host has as many copies as Chao's estimate of unseen species says: f1 (f1 - 1) / (2 (f2 + 1)) where f1
pages are linked from one page and f2 from two; a host that was not visited is as large as one that was. There are
new hosts too, as many as the same estimate says.
"""

from __future__ import annotations

import copy
from collections import Counter
from random import Random
from typing import Any

import numpy as np

from sundog.frontier.facts import COARSE
from sundog.model import LinkBatch
from sundog.replay.record import CAME, FAILED, Record

MARKS = "!$'()*+,"  # of copies: no fact of a URL is derived from them
Group = tuple[Any, ...]


class Unseen:
    """What a log says of links: the pages that were asked, by their likeness, and how much was seen only once."""

    def __init__(self, record: Record) -> None:
        self.record, self.pages = record, len(record.kind)
        facts, hosts = record.catalog.facts, record.catalog.hosts
        self.host, self._shape = facts.host[: self.pages], facts.shape[: self.pages, COARSE]
        self.asked = np.flatnonzero((record.kind == CAME) | (record.kind == FAILED))
        self._count_links(hosts)
        self._like: dict[Group, list[int]] = {}
        for page in self.asked.tolist():
            for group in (*self._groups(int(self.host[page]), int(self._shape[page])), ()):
                self._like.setdefault(group, []).append(page)
                self._like.setdefault((*group, bool(record.relevant[page])), []).append(page)
        self._by_host = np.argsort(self.host, kind="stable")
        self._ends = np.cumsum(np.bincount(self.host, minlength=hosts))

    def _count_links(self, hosts: int) -> None:
        links = self.record.links
        asked = np.array([page for page in self.asked.tolist() if page in links], np.int64)
        targets = np.concatenate([links[page].targets for page in asked.tolist()] or [np.zeros(0, np.int64)])
        sources = np.repeat(asked, [len(links[page].targets) for page in asked.tolist()])
        sources, targets = _pairs(sources, targets, self.pages)
        self.linked = np.bincount(targets, minlength=self.pages)
        is_elsewhere = self.host[sources] != self.host[targets]
        _, elsewhere = _pairs(sources[is_elsewhere], self.host[targets[is_elsewhere]], hosts)
        host_linked = np.bincount(elsewhere, minlength=hosts)
        for _, offered in self.record.offers:  # they are known without any link
            self.linked[offered] += 2
            host_linked[self.host[offered]] += 2
        known = np.bincount(self.host, minlength=hosts)
        once, twice = (np.bincount(self.host[self.linked == times], minlength=hosts) for times in (1, 2))
        self.room = unseen_species(once, twice)
        self.is_visited = np.zeros(hosts, bool)
        self.is_visited[self.host[self.asked]] = True
        self.sizes = (known + self.room)[self.is_visited].tolist() or [1.0]
        self.known_pages = known
        self.stands_alone = host_linked < 2
        self.new_hosts = float(unseen_species((host_linked == 1).sum(), (host_linked == 2).sum()))

    @staticmethod
    def _groups(host: int, shape: int) -> tuple[Group, ...]:
        """From the most alike on."""
        return ("both", host, shape), ("host", host), ("shape", shape)

    def like(self, host: int, shape: int, relevant: bool, chance: Random) -> int:
        """A page that is like these and was fetched, or failed; -1 if there is none."""
        for group in (*self._groups(host, shape), ()):
            found = self._like.get((*group, relevant)) or self._like.get(group)
            if found:
                return found[chance.randrange(len(found))]
        return -1

    def any_page(self, host: int, chance: Random) -> int:
        """One that the log knows."""
        end, count = int(self._ends[host]), int(self.known_pages[host])
        return int(self._by_host[end - 1 - chance.randrange(count)])


def _pairs(sources: Any, targets: Any, most: int) -> tuple[Any, Any]:
    """Each of them once. ``most``: above every target."""
    pairs = np.unique(sources * max(1, most) + targets)
    return pairs // max(1, most), pairs % max(1, most)


def unseen_species(once: Any, twice: Any) -> Any:
    """How many there are at least that were not seen, by how many were seen once and twice (Chao 1984).

    >>> float(unseen_species(10, 4)), float(unseen_species(1, 0))
    (9.0, 0.0)
    """
    return once * (once - 1) / (2 * (twice + 1))


class Beyond:
    """One world while it is crawled: pages of the log, and copies as they are found, in a catalog of its own."""

    def __init__(self, unseen: Unseen, seed: str) -> None:
        self._unseen, self.chance = unseen, Random(seed)
        self.catalog = copy.deepcopy(unseen.record.catalog)
        self._origins: list[int] = []
        self._copies: Counter[str] = Counter()
        self._room: dict[int, float] = {}
        self._new_hosts = unseen.new_hosts

    def origin(self, page: int) -> int:
        """The page of the log that a copy is like."""
        return self._origins[page - self._unseen.pages] if page >= self._unseen.pages else page

    def links_of(self, page: int, relevant: bool) -> LinkBatch | None:
        """Of a page that was not fetched; None: it has none, or does not come."""
        unseen, facts = self._unseen, self.catalog.facts
        here = int(facts.host[page])
        donor = unseen.like(here, int(facts.shape[page, COARSE]), relevant, self.chance)
        if donor not in unseen.record.links:
            return None
        batch = unseen.record.links[donor]
        is_own = unseen.host[batch.targets] == unseen.host[donor]
        is_moved = is_own & (here != unseen.host[donor])
        targets, is_alone = batch.targets.copy(), unseen.linked[batch.targets] < 2
        places, urls, origins = [], [], []
        for place in np.flatnonzero(is_alone | is_moved).tolist():
            original = int(targets[place])
            if original == donor:
                found: int | str = page
            elif is_moved[place]:
                found = self._moved(original, page, here, new=bool(is_alone[place]))
            else:
                found = self._copy(original, new_host=not is_own[place])
            if isinstance(found, int):
                targets[place] = found
            else:
                places.append(place)
                urls.append(found)
                origins.append(self.origin(page) if is_moved[place] else original)
        if urls:
            targets[places] = self.catalog.add(urls)
            self._origins += origins
        return batch._replace(targets=targets)

    def _moved(self, original: int, page: int, here: int, *, new: bool) -> int | str:
        """A link within the donor's host, as one within this page's."""
        known = here < len(self._unseen.known_pages)
        if known and not (new and self._has_room(here)):
            return self._unseen.any_page(here, self.chance)
        start, host, _ = parts(self.catalog.url(page))
        return self._next_copy(start + host + parts(self.catalog.url(original))[2])

    def _copy(self, original: int, *, new_host: bool) -> int | str:
        """The URL of another page like it; a known page of its host if there is none."""
        host = int(self._unseen.host[original])
        if new_host and self._unseen.stands_alone[host]:
            self._new_hosts -= 1
            if self._new_hosts < 0:
                return original
            start, name, path = parts(self.catalog.url(original))
            return start + self._next_copy(name, "") + path + "#"
        if not self._has_room(host):
            return self._unseen.any_page(host, self.chance)
        return self._next_copy(self.catalog.url(original))

    def _next_copy(self, url: str, sign: str = "#") -> str:
        number = self._copies[url]
        self._copies[url] += 1
        return url + sign + marks(number)

    def _has_room(self, host: int) -> bool:
        left = self._room.get(host)
        if left is None:
            left = self._first_room(host)
        self._room[host] = left - 1
        return left >= 1

    def _first_room(self, host: int) -> float:
        unseen = self._unseen
        is_known = host < len(unseen.room)
        if is_known and unseen.is_visited[host]:
            return float(unseen.room[host])
        size = float(unseen.sizes[self.chance.randrange(len(unseen.sizes))])
        return max(float(unseen.room[host]), size - float(unseen.known_pages[host])) if is_known else size - 1


def marks(number: int) -> str:
    """
    >>> marks(0), marks(9)
    ('!', '$$')
    """
    text = ""
    while True:
        number, mark = divmod(number, len(MARKS))
        text += MARKS[mark]
        if not number:
            return text


def parts(url: str) -> tuple[str, str, str]:
    """Scheme, host and the rest.

    >>> parts("http://a.example/b?c#!"), parts("a name")
    (('http://', 'a.example', '/b?c'), ('', '', 'a name'))
    """
    url = url.partition("#")[0]
    scheme, sign, rest = url.partition("://")
    if not sign:
        return "", "", url
    end = min(place for place in (rest.find("/"), rest.find("?"), len(rest)) if place >= 0)
    return scheme + sign, rest[:end], rest[end:]
