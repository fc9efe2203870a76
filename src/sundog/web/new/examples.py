"""Asks about example pages: each has a process of its own, which is kept for a while with what it has fetched."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

from sundog.processes.sandbox import Sandbox
from sundog.spec import spec_text
from sundog.web.errors import BusyError
from sundog.web.new.drafts import spec_of_draft
from sundog.web.new.preview import page_sandbox
from sundog.web.one_shot import SandboxThreads
from sundog.web.request_bodies import Draft, ExampleBody, PictureBody
from sundog.web.settings import Settings

PROGRAM = "sundog.web.new.example_process"
MOST = 3  # example pages that are looked at
SECONDS_KEPT = 300.0  # without a request
WHAT = "the look at the example page"


class _Example:
    """The process of one example page."""

    def __init__(self) -> None:
        self.sandbox: Sandbox | None = None
        self.turn = asyncio.Lock()
        self.waiting = 0  # requests, with the one under way
        self.timer: asyncio.TimerHandle | None = None

    def close(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
        if self.sandbox is not None:
            self.sandbox.kill()
            self.sandbox = None


class Examples:
    """For one event loop."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._by_url: dict[str, _Example] = {}  # the one that was asked last is the last
        self._threads = SandboxThreads(MOST)

    async def picture(self, body: PictureBody) -> dict[str, Any]:
        """The page as a picture, and its labelled values. Raises SundogError."""
        return await self._ask("picture", body.url, [body.url], body.model_dump())

    async def patterns(self, body: ExampleBody) -> dict[str, Any]:
        """Patterns of what was chosen. Raises SundogError."""
        return await self._ask("patterns", body.url, _pages(body), body.model_dump())

    async def trial(self, body: ExampleBody) -> dict[str, Any]:
        """What these patterns find on the example page and on two others. Raises SundogError."""
        return await self._ask("trial", body.url, _pages(body), body.model_dump())

    async def _ask(
        self, wanted: Literal["picture", "patterns", "trial"], url: str, pages: list[str], body: dict[str, Any]
    ) -> dict[str, Any]:
        spec = await asyncio.to_thread(spec_of_draft, Draft(seeds=pages, render=body["render"]), self._settings)
        example = self._example(url)
        example.waiting += 1
        try:
            async with example.turn:
                if example.sandbox is None:
                    example.sandbox = page_sandbox(PROGRAM)
                request = {"wanted": wanted, "spec": spec_text(spec), **body}
                try:
                    answer: dict[str, Any] = await self._threads.ask(example.sandbox, request, WHAT, keep=True)
                except asyncio.CancelledError:
                    example.sandbox = None  # it was killed
                    raise
                return answer
        finally:
            example.waiting -= 1
            self._forget_later(url, example)

    def _example(self, url: str) -> _Example:
        """If there is no room for another, the one that has rested longest gives way."""
        example = self._by_url.pop(url, None)
        if example is None:
            if len(self._by_url) >= MOST:
                resting = next((each for each, kept in self._by_url.items() if not kept.waiting), None)
                if resting is None:
                    raise BusyError(f"{MOST} example pages are being looked at: wait for one of them")
                self._by_url.pop(resting).close()
            example = _Example()
        elif example.timer is not None:
            example.timer.cancel()
        self._by_url[url] = example
        return example

    def _forget_later(self, url: str, example: _Example) -> None:
        def forget() -> None:
            if self._by_url.get(url) is example and not example.waiting:
                self._by_url.pop(url).close()

        if example.timer is not None:
            example.timer.cancel()
        example.timer = asyncio.get_running_loop().call_later(SECONDS_KEPT, forget)

    def close(self) -> None:
        for example in self._by_url.values():
            example.close()
        self._by_url.clear()


def _pages(body: ExampleBody) -> list[str]:
    return [body.url, *([body.start] if body.start else [])]
