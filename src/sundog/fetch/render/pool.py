"""A pool of pages that are rendered at the same time, each in a context of its own.

The browser is started with the first page, and again after some pages, when it has grown too large, and when it is
lost. Whatever a page does, the next one finds a browser.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from asyncio import timeout
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final

from sundog.errors import SundogError
from sundog.fetch.render.browser import Chromium
from sundog.fetch.render.document import Document
from sundog.fetch.render.processes import end_group
from sundog.fetch.render.requests import PageRequests, PageRules
from sundog.fetch.render.values import FailureKind, Rendered, RenderFailure, RenderLimits, RenderWait
from sundog.fetch.render.wall import Wall
from sundog.fetch.values import Page

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext

PAGES_A_BROWSER: Final = 200
LARGEST_BROWSER: Final = 2_000_000_000  # bytes of all its processes, when no page is open
A_LOOK: Final = 0.25  # seconds between two looks at the memory of pages
TO_CLOSE: Final = 3.0
TO_TAKE: Final = 1 / 8  # of a page's longest time, for taking the document when its own time is over
HTML: Final = "text/html; charset=utf-8"


class _PageError(Exception):
    def __init__(self, kind: FailureKind, detail: str = "") -> None:
        super().__init__(detail)
        self.kind, self.detail = kind, detail


class Browsers:
    """Renders pages, ``at_once`` at most. An asynchronous context manager: leave it, and no process is left."""

    def __init__(
        self,
        rules: PageRules,
        *,
        limits: RenderLimits | None = None,
        wait: RenderWait | None = None,
        at_once: int = 2,
        pages_a_browser: int = PAGES_A_BROWSER,
        screenshots: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._rules, self._clock = rules, clock
        self._limits, self._wait = limits or RenderLimits(), wait or RenderWait()
        self._pages_a_browser, self._screenshots = pages_a_browser, screenshots
        self._places = asyncio.Semaphore(at_once)
        self._changing = asyncio.Lock()
        self._nobody = asyncio.Condition()
        self._open = 0
        self._chromium: Chromium | None = None
        self._watching: asyncio.Task[None] | None = None
        self._too_large: set[int] = set()
        self._seconds_before = 0.0
        self.wall = Wall()
        self.starts = 0

    async def __aenter__(self) -> Browsers:
        self._proxy = await self.wall.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._end()
        self.wall.close()

    @property
    def cpu_seconds(self) -> float:
        """Processor time of all browsers so far."""
        return self._seconds_before + (self._chromium.cpu_seconds if self._chromium is not None else 0.0)

    async def render(self, plain: Page) -> Rendered | RenderFailure:
        """The page as a browser shows it; never raises, except when its task is cancelled."""
        async with self._places:
            began = time.monotonic()
            requests = PageRequests(plain, self._rules, self._limits)
            try:
                chromium = await self._ready()
                try:
                    return await self._render(chromium, plain, requests, began)
                finally:
                    await self._left()
            except _PageError as problem:
                failure = RenderFailure(problem.kind, problem.detail)
            except SundogError as error:
                failure = RenderFailure("browser", str(error))
            except Exception as error:
                failure = RenderFailure("document", _first_line(error))
            return failure._replace(traffic=requests.traffic, seconds=time.monotonic() - began)

    async def _ready(self) -> Chromium:
        """A browser; another one than before if that has served its time, as soon as nobody uses it."""
        async with self._changing:
            chromium = self._chromium
            if chromium is not None and (not chromium.is_alive or self._is_worn(chromium)):
                async with self._nobody:
                    await self._nobody.wait_for(lambda: self._open == 0)
                await self._end()
                chromium = None
            if chromium is None:
                chromium = Chromium(self._proxy)
                await chromium.open()
                self.starts += 1
                self._chromium = chromium
                self._watching = asyncio.create_task(self._watch(chromium))
            chromium.pages += 1
            self._open += 1
            return chromium

    def _is_worn(self, chromium: Chromium) -> bool:
        if chromium.pages >= self._pages_a_browser:
            return True
        if self._open:
            return False
        return sum(each.memory for each in chromium.processes()) > LARGEST_BROWSER

    async def _left(self) -> None:
        self._open -= 1
        async with self._nobody:
            self._nobody.notify_all()

    async def _end(self) -> None:
        chromium, self._chromium = self._chromium, None
        if self._watching is not None:
            self._watching.cancel()
            with suppress(asyncio.CancelledError):
                await self._watching
        if chromium is not None:
            self._seconds_before += chromium.cpu_seconds
            await chromium.close()

    async def _watch(self, chromium: Chromium) -> None:
        """Ends the processes of pages that take too much memory; their pages have crashed then."""
        while True:
            await asyncio.sleep(A_LOOK)
            if not self._open:
                continue
            for each in chromium.processes():
                if each.is_page and each.memory > self._limits.memory:
                    self._too_large.add(each.pid)
                    with suppress(ProcessLookupError):
                        os.kill(each.pid, signal.SIGKILL)

    async def _render(
        self, chromium: Chromium, plain: Page, requests: PageRequests, began: float
    ) -> Rendered | RenderFailure:
        assert chromium.browser is not None
        context: BrowserContext | None = None
        killed = len(self._too_large)
        crashed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        try:
            async with timeout(self._limits.longest):
                context = await chromium.browser.new_context(
                    user_agent=self._rules.polite.fetcher.agent,
                    service_workers="block",
                    accept_downloads=False,
                    permissions=[],
                    java_script_enabled=True,
                    viewport={"width": 1280, "height": 1024},
                )
                taking = asyncio.create_task(self._take(context, plain, requests, crashed))
                both: set[asyncio.Future[Any]] = {taking, crashed}
                await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
                if not taking.done():
                    taking.cancel()
                    with suppress(asyncio.CancelledError, Exception):
                        await taking
                    raise _PageError("memory" if len(self._too_large) > killed else "crash")
                html, screenshot = await taking
        except TimeoutError:
            raise _PageError("timeout") from None
        except Exception as error:
            if isinstance(error, _PageError):
                raise
            if len(self._too_large) > killed:
                raise _PageError("memory") from None
            if not chromium.is_alive:
                raise _PageError("browser") from None
            raise
        finally:
            if context is not None:
                await self._close(chromium, context)
        body = html.encode("utf-8", "replace")
        page = plain._replace(
            body=body, content_type=HTML, truncated=len(html) >= self._limits.document, finished_at=self._clock()
        )
        seconds = time.monotonic() - began
        return Rendered(page, requests.traffic, seconds, requests.moved_to, screenshot)

    async def _take(
        self, context: BrowserContext, plain: Page, requests: PageRequests, crashed: asyncio.Future[None]
    ) -> tuple[str, bytes]:
        await context.route("**/*", requests.answer)
        for event in ("requestfinished", "requestfailed"):
            context.on(event, requests.arrived)
        tab = requests.tab = await context.new_page()
        context.on("page", _shut)

        def has_crashed(_: Any) -> None:
            if not crashed.done():
                crashed.set_result(None)

        tab.on("crash", has_crashed)
        tab.on("dialog", _dismiss)
        document = Document(context, tab, self._limits, self._wait, requests)

        def refuse_all() -> None:
            self._refusing = asyncio.ensure_future(document.refuse_all())

        requests.refuse_all = refuse_all
        to_take = TO_TAKE * self._limits.longest
        found = await document.take(plain.url, to_take)
        if found.nodes > self._limits.nodes:
            raise _PageError("nodes", f"{found.nodes:,}")
        screenshot = b""
        if self._screenshots:
            with suppress(Exception):
                screenshot = await tab.screenshot(type="jpeg", quality=60, timeout=to_take * 1000)
        return found.html, screenshot

    async def _close(self, chromium: Chromium, context: BrowserContext) -> None:
        """A page that hangs must not keep its process."""
        try:
            async with timeout(TO_CLOSE):
                await context.close()
        except Exception:
            await self._lose(chromium)

    async def _lose(self, chromium: Chromium) -> None:
        """It does not answer: the next page gets another one."""
        chromium.pages = self._pages_a_browser
        if chromium.pid:
            end_group(chromium.pid)


async def _shut(tab: Any) -> None:
    """A window that a page opens."""
    with suppress(Exception):
        await tab.close()


async def _dismiss(dialog: Any) -> None:
    with suppress(Exception):
        await dialog.dismiss()


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
