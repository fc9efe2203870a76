"""Looks under way: pages of templates of which little is known yet, and that are being rendered."""

from __future__ import annotations

import asyncio
import time
from typing import Final

LONGEST: Final = 60.0  # seconds; what became of a page that takes longer may never be heard


class FirstLooks:
    """By template, when each was begun."""

    def __init__(self) -> None:
        self._begun: dict[str, list[float]] = {}
        self._ended = asyncio.Event()  # another one for each end

    def begin(self, template: str) -> None:
        self._begun.setdefault(template, []).append(time.monotonic())

    def end(self, template: str) -> None:
        """The oldest; nothing happens if there is none."""
        if template in self._begun:
            del self._begun[template][0]
            self._forget(template)
            self._ended.set()
            self._ended = asyncio.Event()

    @property
    def count(self) -> int:
        """Of those that may still end."""
        if not self._begun:  # as with most pages
            return 0
        oldest = time.monotonic() - LONGEST
        for template, begun in list(self._begun.items()):
            self._begun[template] = [each for each in begun if each > oldest]
            self._forget(template)
        return sum(map(len, self._begun.values()))

    def __contains__(self, template: str) -> bool:
        return template in self._begun

    async def one_ended(self) -> None:
        """Or is not waited for any more."""
        try:
            async with asyncio.timeout(LONGEST):
                await self._ended.wait()
        except TimeoutError:
            return

    def _forget(self, template: str) -> None:
        if not self._begun[template]:
            del self._begun[template]
