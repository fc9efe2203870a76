"""Which visit a link leads to: the one that a page has, or another one of the same page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from sundog.engines.live.steering.marks import by_path, repeated
from sundog.spec.patterns import LinkPattern, Patterns


class Visits:
    """Nothing is remembered unless a pattern may visit pages again."""

    def __init__(self, patterns: Patterns) -> None:
        self.path_patterns = {each.name for each in patterns.link if each.revisit == "path"}
        self._every = {each.name: each.every for each in patterns.link if each.every}
        self._offered: set[str] = set()  # URLs
        self._met: Counter[str] = Counter()  # links that patterns with "every" found, by URL

    @property
    def by_path(self) -> bool:
        return bool(self.path_patterns)

    def offer(self, urls: Iterable[str]) -> None:
        """These are candidates already."""
        if self.path_patterns or self._every:
            self._offered.update(urls)

    def name(self, pattern: LinkPattern, url: str, visit: int) -> str:
        """The first link to a page leads to the page; whether a further one does, too, is the pattern's word."""
        is_new = url not in self._offered
        self.offer((url,))
        if pattern.every:
            self._met[url] += 1
            times = (self._met[url] - 1) // pattern.every
            return repeated(url, times) if times else url
        return by_path(url, visit) if pattern.revisit == "path" and not is_new else url

    def recall(self, pattern: str, urls: Iterable[str]) -> None:
        """Links that it found before the crawl was resumed."""
        if pattern in self._every:
            self._met.update(urls)
