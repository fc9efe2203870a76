"""A module asked in a process of its own, timed: it is to meet what strangers have written."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from typing import Any

import orjson

from sundog.errors import SundogError
from sundog.web.processes import environment

SECONDS = 40.0


async def ask(module: str, request: dict[str, Any], what: str) -> dict[str, Any]:
    """Its answer. ``what`` it makes is for messages; raises SundogError."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", module),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=environment(),
        start_new_session=True,
    )
    try:
        said, _ = await asyncio.wait_for(process.communicate(orjson.dumps(request)), SECONDS)
    except TimeoutError:
        raise SundogError(f"{what} was stopped after {SECONDS:g} seconds") from None
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
    try:
        answer: dict[str, Any] = orjson.loads(said)
    except ValueError:
        raise SundogError(f"{what} failed: the page may need more memory than there is for it") from None
    if "error" in answer:
        raise SundogError(answer["error"])
    return answer
