"""The crawl graph as patterns see it, without scanning all pages.

Invariant: it is a function of the store's log and matches, so that a resumed crawl knows what it would have known.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from sundog.patterns.crawl_view import CrawlPage
from sundog.patterns.runner import Needs
from sundog.store import PatternFindings

MOST_PARENTS = 200  # of one page, those found first
LONGEST_PATH = 200


class CrawlGraph:
    """Candidates are visits, by their ids. Sets of patterns are bits, in the order of ``names``."""

    def __init__(self, names: Sequence[str], needs: Needs) -> None:
        self._needs = needs
        self._bit = {name: 1 << place for place, name in enumerate(names)}
        self._via = array("Q")  # link patterns that led there
        self._about = array("Q")  # patterns that matched where it is linked from
        self._matched = array("Q")
        self._order = array("I")
        self._parents: dict[int, array[int]] = {}
        self._items_of: defaultdict[int, list[tuple[str, Mapping[str, Any]]]] = defaultdict(list)
        self._items: defaultdict[str, list[Mapping[str, Any]]] = defaultdict(list)
        self.counts: Counter[str] = Counter()  # items, by pattern
        self.fetched = 0
        self.dry = 0  # pages since the last item

    # -- what happens ----------------------------------------------------------------------------------

    def fetched_page(self, page: int, links: Iterable[int]) -> None:
        """A page came, with links to these."""
        self._make_room(page)
        self.fetched += 1
        self._order[page] = self.fetched
        self.dry += 1
        if self._needs.parents:
            for target in links:
                parents = self._parents.setdefault(target, array("i"))
                if len(parents) < MOST_PARENTS and page not in parents:
                    parents.append(page)

    def failed_page(self) -> None:
        self.fetched += 1
        self.dry += 1

    def matched(self, page: int, names: Iterable[str], followed: Mapping[str, Sequence[int]], items: int) -> None:
        """Patterns matched there; link patterns led from there to others."""
        self._make_room(page)
        for name in (*names, *followed):
            self._matched[page] |= self._bit.get(name, 0)
        for name, targets in followed.items():
            for target in targets:
                self._make_room(target)
                self._via[target] |= self._bit.get(name, 0)
        if items:
            self.dry = 0

    def links_of(self, page: int, targets: Iterable[int]) -> None:
        """What matched on a page is known of those it links to."""
        if self._needs.linked_from and (bits := self._matched[page]):
            for target in targets:
                self._make_room(target)
                self._about[target] |= bits

    def found(self, page: int, pattern: str, items: Sequence[Mapping[str, Any]]) -> None:
        self.counts[pattern] += len(items)
        if self._needs.parents or self._needs.path:
            self._items_of[page] += [(pattern, item) for item in items]
        if pattern in self._needs.items:
            self._items[pattern] += items

    def observed(self, page: int, links: Sequence[int], findings: PatternFindings) -> None:
        """All of the above, for one page."""
        self.fetched_page(page, links)
        for name, items in findings.items.items():
            self.found(page, name, items)
        self.matched(page, findings.items, findings.followed, sum(map(len, findings.items.values())))
        self.links_of(page, links)

    def last_match(self, page: int) -> None:
        """The last page with items, when a crawl is resumed."""
        self.dry = self.fetched - self._order[page]

    # -- what is known ---------------------------------------------------------------------------------

    def via(self, page: int) -> list[str]:
        return self._named(self._via, page)

    def linked_from(self, page: int, pattern: str) -> bool:
        """Whether the pattern matched on a page that links there."""
        return page < len(self._about) and bool(self._about[page] & self._bit[pattern])

    def parents(self, page: int, view: Callable[[int], CrawlPage]) -> list[CrawlPage]:
        return [view(parent) for parent in self._parents.get(page, ())]

    def view(self, page: int, url: str, depth: int) -> CrawlPage:
        order = self._order[page] if page < len(self._order) else 0
        return CrawlPage(page, url, depth, order, self._named(self._matched, page), self._items_of.get(page, ()))

    def items(self) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """Those that some pattern asks for."""
        return {name: self._items[name] for name in self._needs.items}

    def _named(self, of: array[int], page: int) -> list[str]:
        bits = of[page] if page < len(of) else 0
        return [name for name, bit in self._bit.items() if bits & bit] if bits else []

    def _make_room(self, page: int) -> None:
        if page >= len(self._via):
            more = max(1024, page + 1 - len(self._via), len(self._via))
            for each in (self._via, self._about, self._matched, self._order):
                each.extend([0] * more)
