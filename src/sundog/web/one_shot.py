"""The site's ways to processes: commands of ``sundog``, and questions to sandboxes, with a limit to both."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from threading import BoundedSemaphore
from typing import Any

from sundog.processes.child import Child, whole_environment
from sundog.processes.sandbox import Sandbox, StoppedError
from sundog.web.errors import BusyError

NICENESS = 5  # pages of the site come first


class ConcurrencyLimit:
    """So many at once; whoever comes when all slots are taken is refused."""

    def __init__(self, count: int, what: str) -> None:
        self._free, self._what, self._count = BoundedSemaphore(count), what, count

    @contextmanager
    def slot(self) -> Iterator[None]:
        if not self._free.acquire(blocking=False):
            raise BusyError(f"{self._count} {self._what} are being made: wait for one of them")
        try:
            yield
        finally:
            self._free.release()


def sundog_command(words: list[str]) -> Child:
    """``sundog WORDS``, as the user could have started it."""
    return Child(module="sundog", words=words, environment=whole_environment(), niceness=NICENESS)


def run_command(words: list[str], seconds: float) -> str:
    """What the command prints. Raises SundogError with what it complains of."""
    return sundog_command(words).run(seconds)


class SandboxThreads:
    """Asks sandboxes from the event loop, in threads of their own: an answer may take minutes, and the loop's own
    few threads serve the supervisor and all who watch."""

    def __init__(self, count: int) -> None:
        self._threads = ThreadPoolExecutor(count)

    async def ask(self, sandbox: Sandbox, request: Any, what: str, *, keep: bool = False) -> Any:
        """The answer. ``what`` is being made is for messages; raises SundogError.

        The sandbox is closed unless it is to be kept. If nobody waits for the answer any more, it is killed.
        """
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._threads, _ask, sandbox, request, keep)
        except StoppedError as stopped:
            raise StoppedError(f"{what} {stopped}") from None
        except asyncio.CancelledError:
            sandbox.kill()
            raise


def _ask(sandbox: Sandbox, request: Any, keep: bool) -> Any:
    if keep:
        return sandbox.ask(request)
    with closing(sandbox):
        return sandbox.ask(request)
