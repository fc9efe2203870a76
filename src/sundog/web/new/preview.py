"""Asks for previews, each in a process of its own."""

from __future__ import annotations

import asyncio
from typing import Any

from sundog.processes.child import FETCHING_NAMES, plain_environment
from sundog.processes.sandbox import Sandbox
from sundog.processes.serve import MEMORY_TO_READ_PAGES
from sundog.spec import spec_text
from sundog.spec.world import check_seed
from sundog.web.new.drafts import check_public, spec_of_draft
from sundog.web.one_shot import ConcurrencyLimit, SandboxThreads
from sundog.web.request_bodies import PreviewBody
from sundog.web.settings import Settings

PROGRAM = "sundog.web.new.preview_process"
AT_ONCE = 2
SECONDS = 40.0


class Previews:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._limit = ConcurrencyLimit(AT_ONCE, "previews")
        self._threads = SandboxThreads(AT_ONCE)

    async def preview(self, body: PreviewBody) -> dict[str, Any]:
        """What the objective and the patterns of a draft find on one page. Raises SundogError."""
        check_seed(body.url)
        if not self._settings.allow_private:
            check_public(body.url)
        if body.draft.spec is None and not body.draft.seeds:
            body.draft.seeds = [body.url]
        spec = await asyncio.to_thread(spec_of_draft, body.draft, self._settings, compile_patterns=False)
        request = {"spec": spec_text(spec), "url": body.url, "files": body.draft.files}
        with self._limit.slot():
            answer: dict[str, Any] = await self._threads.ask(page_sandbox(PROGRAM), request, "the preview")
            return answer


def page_sandbox(program: str) -> Sandbox:
    """It meets strangers' pages, so it gets no secrets: only where programs, caches and certificates are.

    Headers of an API that name variables of the environment are refused in drafts, so none is needed for them.
    """
    environment = plain_environment(*FETCHING_NAMES)
    return Sandbox(program, None, seconds=SECONDS, memory=MEMORY_TO_READ_PAGES, environment=environment)
