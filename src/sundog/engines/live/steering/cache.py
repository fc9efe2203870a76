"""Pages that will be visited again by another path: the server need not be asked for each."""

from __future__ import annotations

from collections import OrderedDict

from sundog.fetch.values import Page

MOST_BYTES = 64_000_000


class PageCache:
    """The pages used last, up to so many bytes.

    >>> cache = PageCache(most=10)
    >>> cache.get("http://a.example/") is None
    True
    """

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most, self._bytes = most, 0
        self._pages: OrderedDict[str, Page] = OrderedDict()

    def __contains__(self, url: str) -> bool:
        return url in self._pages

    def get(self, url: str) -> Page | None:
        if url in self._pages:
            self._pages.move_to_end(url)
        return self._pages.get(url)

    def put(self, url: str, page: Page) -> None:
        if url in self._pages or len(page.body) > self._most:
            return
        self._pages[url] = page
        self._bytes += len(page.body)
        while self._bytes > self._most:
            self._bytes -= len(self._pages.popitem(last=False)[1].body)
