"""What an objective and patterns yield on one page, before a crawl begins."""

from __future__ import annotations

import asyncio
from typing import Any

from sundog.spec import spec_text
from sundog.spec.world import check_seed
from sundog.web.errors import BusyError
from sundog.web.new.drafts import check_public, spec_of_draft
from sundog.web.one_shot import ask_module
from sundog.web.request_bodies import Draft, FieldsBody, PreviewBody
from sundog.web.settings import Settings

AT_ONCE = 2


class Previews:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._places = asyncio.Semaphore(AT_ONCE)

    async def preview(self, body: PreviewBody) -> dict[str, Any]:
        """Raises SundogError."""
        check_seed(body.url)
        if not self._settings.allow_private:
            check_public(body.url)
        if body.draft.spec is None and not body.draft.seeds:
            body.draft.seeds = [body.url]
        spec = await asyncio.to_thread(spec_of_draft, body.draft, self._settings, compile_patterns=False)
        if self._places.locked():
            raise BusyError("two previews are being made: wait for one of them")
        async with self._places:
            request = {"spec": spec_text(spec), "url": body.url, "files": body.draft.files}
            return await ask_module("sundog.web.new.preview_process", request, "the preview")

    async def fields(self, body: FieldsBody) -> dict[str, Any]:
        """What could be chosen of an example page, and patterns for what was chosen. Raises SundogError."""
        draft = Draft(seeds=[body.url, *([body.start] if body.start else [])])
        spec = await asyncio.to_thread(spec_of_draft, draft, self._settings)
        if self._places.locked():
            raise BusyError("two previews are being made: wait for one of them")
        async with self._places:
            request = {"spec": spec_text(spec), **body.model_dump()}
            return await ask_module("sundog.web.new.fields_process", request, "the search for fields")
