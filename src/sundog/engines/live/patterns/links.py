"""Which visit a link leads to, and which links come before all others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import islice

import numpy as np

from sundog.model import Decision
from sundog.patterns.definitions import LinkPattern, Patterns
from sundog.session import CrawlSession
from sundog.urls.revisits import is_revisit, revisit_by_count, revisit_by_path, visit_once, without_mark

ONCE = -1  # in place of a path, for links by which a page is visited once
MOST_COMPARED = 256  # of the candidates with one priority, those found first


class Visits:
    """A link leads to the visit that a page has, or to another one of the same page.

    A page has one visit for all links that visit it once, and one for each path that visits it again. The first of
    them has the URL itself for a name, so the others have marks. Nothing is remembered unless a pattern may visit
    pages again.
    """

    def __init__(self, patterns: Patterns) -> None:
        self.path_patterns = {each.name for each in patterns.link if each.revisit == "path"}
        self._every = {each.name: each.every for each in patterns.link if each.every}
        self._first: dict[str, int] = {}  # by URL: the visit whose path led there first, or ``ONCE``
        self._met: Counter[str] = Counter()  # links that patterns with "every" found, by URL

    @property
    def by_path(self) -> bool:
        return bool(self.path_patterns)

    @property
    def may_repeat(self) -> bool:
        return bool(self.path_patterns or self._every)

    def offer(self, urls: Iterable[str]) -> None:
        """These are candidates already."""
        if self.may_repeat:
            for url in urls:
                self._first.setdefault(url, ONCE)

    def name(self, pattern: LinkPattern, url: str, visit: int) -> str:
        """The visit to which a link leads that the pattern found at another visit."""
        if not self.may_repeat:
            return url
        if pattern.every:
            self._met[url] += 1
            if times := (self._met[url] - 1) // pattern.every:
                return revisit_by_count(url, times)
        path = visit if pattern.revisit == "path" else ONCE
        if self._first.setdefault(url, path) == path:
            return url
        return visit_once(url) if path == ONCE else revisit_by_path(url, path)

    def recall(self, pattern: str, visit: int, names: Iterable[str]) -> None:
        """Where its links led before the crawl was resumed."""
        if pattern in self._every:
            self._met.update(map(without_mark, names))
        elif pattern in self.path_patterns:
            self._first.update((name, visit) for name in names if not is_revisit(name))


class Priorities:
    """Candidates with a priority above 0 that were not fetched yet.

    The policy's choice stands, unless a page of a higher priority waits.
    """

    def __init__(self, patterns: Patterns) -> None:
        self._of_pattern = {each.name: each.priority for each in patterns.link if each.priority > 0}
        self._of: dict[int, float] = {}
        self._waiting: dict[float, dict[int, None]] = {
            priority: {} for priority in sorted(set(self._of_pattern.values()), reverse=True)
        }

    def __bool__(self) -> bool:
        return bool(self._of_pattern)

    def offer(self, pattern: str, candidates: Iterable[int]) -> None:
        """A link pattern led to these."""
        priority = self._of_pattern.get(pattern, 0.0)
        for candidate in candidates if priority else ():
            before = self._of.get(candidate, 0.0)
            if priority > before:
                self._of[candidate] = priority
                self._waiting[priority][candidate] = None
                self._waiting.get(before, {}).pop(candidate, None)

    def better(self, chosen: Decision, session: CrawlSession) -> int | None:
        """A page of a higher priority that may be fetched now: the one that the policy estimates highest."""
        for priority, waiting in self._waiting.items():
            if priority <= self._of.get(chosen.candidate, 0.0):
                return None
            ready = _ready(waiting, session)
            if ready:
                return ready[int(session.estimate(np.array(ready, np.int32)).argmax())]
        return None


def _ready(waiting: dict[int, None], session: CrawlSession) -> list[int]:
    """Those that may be fetched now, among the first ones; those that wait no longer are forgotten."""
    first = list(islice(waiting, MOST_COMPARED))
    for candidate in first:
        if not session.is_waiting(candidate):
            del waiting[candidate]
    return [candidate for candidate in first if session.may_be_chosen(candidate)]
