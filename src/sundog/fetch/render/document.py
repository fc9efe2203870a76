"""When a page is ready, and its document as HTML.

It is looked at from a world of our own within the page, whose functions the page's scripts cannot replace.
"""

from __future__ import annotations

import asyncio
import time
from asyncio import timeout
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sundog.fetch.render.requests import PageRequests
from sundog.fetch.render.values import RenderLimits, RenderWait

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, CDPSession
    from playwright.async_api import Page as Tab

TO_CLICK: Final = 1.0
SLOWER: Final = 4.0  # times as long, a page that is still loading must be quiet; so many times the longest wait
# for an answer, too, for the machine may be busy
_COUNT: Final = "[document.getElementsByTagName('*').length, document.readyState]"
_TAKE: Final = """(() => {
  const nodes = document.getElementsByTagName('*').length;
  if (nodes > %d || !document.documentElement) return {nodes, html: ''};
  return {nodes, html: ('<!DOCTYPE html>' + document.documentElement.outerHTML).slice(0, %d)};
})()"""
_SCROLL: Final = "window.scrollTo(0, document.documentElement.scrollHeight)"


class Taken(NamedTuple):
    nodes: int
    html: str


class Document:
    """Of one tab."""

    def __init__(
        self, context: BrowserContext, tab: Tab, limits: RenderLimits, wait: RenderWait, requests: PageRequests
    ) -> None:
        self._context, self._tab, self._limits, self._wait = context, tab, limits, wait
        self._requests = requests
        self._session: CDPSession | None = None
        self._world = 0

    async def take(self, url: str, to_take: float) -> Taken:
        """When the page is ready or its time is over, in ``to_take`` seconds. Raises TimeoutError if it hangs."""
        began = time.monotonic()
        self._until = began + self._limits.seconds
        self._end = began + self._limits.longest - 2 * to_take  # the rest is for opening, taking and closing
        async with timeout(self._limits.seconds):
            await self._tab.goto(url, wait_until="commit", timeout=0)
        with suppress(_TimeIsUpError):
            await self._loaded()
            await self._selector()
            await self._quiet()
            for name in self._wait.click:
                await self._click(name)
            for _ in range(self._wait.scroll):
                await self._look(_SCROLL)
                await self._quiet()
        async with timeout(to_take):
            found = await self._look(_TAKE % (self._limits.nodes, self._limits.document), patience=to_take)
        return Taken(int(found["nodes"]), str(found["html"]))

    async def refuse_all(self) -> None:
        """From now on the browser refuses every request, without asking."""
        with suppress(Exception):
            session = await self._context.new_cdp_session(self._tab)
            await session.send("Network.enable")
            await session.send("Network.setBlockedURLs", {"urls": ["*"]})

    @property
    def _left(self) -> float:
        """Seconds. Time in which the page waits for hosts is no work of its own, but it does not wait for ever."""
        return min(self._until + self._requests.waited, self._end) - time.monotonic()

    async def _loaded(self) -> None:
        while await self._look("document.readyState") == "loading":
            await self._pause(0.05)

    async def _selector(self) -> None:
        if not self._wait.selector:
            return
        while not await self._look(f"document.querySelector({self._wait.selector!r}) !== null"):
            await self._pause(0.1)

    async def _quiet(self) -> None:
        """No request and no new element for a while; for longer where the page is slow to answer, or has scripts
        that it did not run yet."""
        before, since = None, time.monotonic()
        slowest = 0.0
        while True:
            asked = time.monotonic()
            found = await self._look(_COUNT)
            now = time.monotonic()
            slowest = max(slowest, now - asked)
            if found != before or self._requests.waiting or self._requests.is_arriving:
                before, since = found, now
            is_complete = bool(found) and found[1] == "complete"
            quiet = max(self._wait.quiet * (1.0 if is_complete else SLOWER), SLOWER * slowest)
            if now - max(since, self._requests.last) >= quiet:
                return
            await self._pause(min(0.1, self._wait.quiet))

    async def _click(self, name: str) -> None:
        """Buttons and links of this name, for as long as there is one."""
        for _ in range(self._wait.clicks):
            button = self._tab.get_by_role("button", name=name).or_(self._tab.get_by_role("link", name=name)).first
            try:
                await button.click(timeout=TO_CLICK * 1000, no_wait_after=True)
            except Exception:  # there is none, or it cannot be clicked
                return
            await self._quiet()

    async def _pause(self, seconds: float) -> None:
        left = self._left
        if left <= 0:
            raise _TimeIsUpError
        await asyncio.sleep(min(seconds, left))

    async def _look(self, expression: str, patience: float | None = None) -> Any:
        """What an expression is in our own world of the page, in ``patience`` seconds or what is left of its time.
        While a script runs nobody can look."""
        if self._session is None:
            self._session = await self._context.new_cdp_session(self._tab)
        while True:
            left = self._left if patience is None else patience
            if left <= 0:
                raise _TimeIsUpError
            try:
                async with timeout(left):
                    return await self._evaluate(expression, left)
            except TimeoutError:
                if patience is not None:
                    raise
                raise _TimeIsUpError from None
            except Exception as error:
                if "context" not in str(error).lower():
                    raise
                self._world = 0  # the document was replaced
                await self._pause(0.05)

    async def _evaluate(self, expression: str, seconds: float) -> Any:
        assert self._session is not None
        if not self._world:
            tree = await self._session.send("Page.getFrameTree")
            frame = tree["frameTree"]["frame"]["id"]
            made = await self._session.send("Page.createIsolatedWorld", {"frameId": frame, "worldName": "sundog"})
            self._world = made["executionContextId"]
        answer = await self._session.send(
            "Runtime.evaluate",
            {
                "expression": expression,
                "contextId": self._world,
                "returnByValue": True,
                "timeout": seconds * 1000,
            },
        )
        return answer["result"].get("value")


class _TimeIsUpError(Exception):
    """The page is taken as it is."""
