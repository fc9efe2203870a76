"""Pages that several paths lead to are asked for once."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable

from sundog.fetch.values import Page, Trouble

MOST_BYTES = 64_000_000  # of pages in the cache


class PageCache:
    """The pages used last, up to so many bytes. Who wants one that is on its way waits for it.

    What fails is not kept: those who waited fail with it, and the next visit asks again.
    """

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most, self._bytes = most, 0
        self._pages: OrderedDict[str, Page] = OrderedDict()
        self._coming: dict[str, asyncio.Future[Page | Trouble]] = {}

    def __contains__(self, url: str) -> bool:
        """Whether nobody has to be asked for it."""
        return url in self._pages or url in self._coming

    async def get(self, url: str, fetch: Callable[[], Awaitable[Page | Trouble]]) -> Page | Trouble:
        """``fetch`` is called if nobody else has asked for it."""
        if url in self._pages:
            self._pages.move_to_end(url)
            return self._pages[url]
        if url in self._coming:
            return await asyncio.shield(self._coming[url])  # the others may still wait for it
        coming = self._coming[url] = asyncio.get_running_loop().create_future()
        try:
            result = await fetch()
        except BaseException as error:
            if isinstance(error, Exception):
                coming.set_exception(error)
                coming.exception()  # it is no error that nobody else waits
            else:
                coming.cancel()
            raise
        finally:
            del self._coming[url]
        coming.set_result(result)
        if isinstance(result, Page):
            self._put(url, result)
        return result

    def _put(self, url: str, page: Page) -> None:
        if len(page.body) > self._most:
            return
        self._pages[url] = page
        self._bytes += len(page.body)
        while self._bytes > self._most:
            self._bytes -= len(self._pages.popitem(last=False)[1].body)
