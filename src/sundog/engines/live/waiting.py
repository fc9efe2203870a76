"""Waiting until something happens, or it is time for something."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable


async def wait(news: asyncio.Event, due: Iterable[float], now: float) -> None:
    """Until there is news, or the first of these moments has come; the news is then taken."""
    if news.is_set():
        await asyncio.sleep(0)  # to wait for what is there already would give nobody a turn
    else:
        alarm = asyncio.get_running_loop().call_later(max(0.0, min(due) - now), news.set)
        await news.wait()
        alarm.cancel()
    news.clear()
