"""What an objective and patterns yield on one page, before a crawl begins."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from typing import Any

import orjson

from sundog.errors import SundogError
from sundog.spec import CrawlSpec, spec_text
from sundog.spec.crawl import check_seed
from sundog.web.drafts import check_public, spec_of_draft
from sundog.web.errors import BusyError
from sundog.web.processes import environment
from sundog.web.settings import Settings
from sundog.web.shapes import PreviewBody

AT_ONCE = 2
SECONDS = 40.0


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
            return await _in_a_process(spec, body)


async def _in_a_process(spec: CrawlSpec, body: PreviewBody) -> dict[str, Any]:
    request = {"spec": spec_text(spec), "url": body.url, "files": body.draft.files}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", "sundog.web.preview_process"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=environment(),
        start_new_session=True,
    )
    try:
        said, _ = await asyncio.wait_for(process.communicate(orjson.dumps(request)), SECONDS)
    except TimeoutError:
        raise SundogError(f"the preview was stopped after {SECONDS:g} seconds") from None
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
    try:
        answer: dict[str, Any] = orjson.loads(said)
    except ValueError:
        raise SundogError("the preview failed: the page may need more memory than there is for it") from None
    if "error" in answer:
        raise SundogError(answer["error"])
    return answer
