"""Ctrl-C and SIGTERM while a crawl runs. Only the main thread can handle them; elsewhere nobody does."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sundog.engines.live.loop import LiveCrawl
from sundog.errors import UsageError
from sundog.model import INTERRUPTED

SIGNALS = (signal.SIGINT, signal.SIGTERM)
SECONDS_TO_FINISH = 0.5  # that SIGTERM leaves for what is in flight


def check_no_loop_runs() -> None:
    """A crawl has an event loop of its own, and a thread can have but one; checked before there is a directory."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise UsageError(
        "crawl() cannot run inside a running event loop, as notebooks have it: await acrawl(…) instead"
    )


@contextmanager
def stopped_by_signals(live: LiveCrawl) -> Iterator[None]:
    """The first Ctrl-C lets the crawl finish what is in flight, the second one stops it at once.

    Who sends SIGTERM will not wait for long: then what is in flight has a moment.
    """
    loop = asyncio.get_running_loop()

    def interrupted() -> None:
        if live.is_stopping:
            live.cancel_in_flight()
        live.stop(INTERRUPTED)

    def terminated() -> None:
        interrupted()
        loop.call_later(SECONDS_TO_FINISH, live.cancel_in_flight)

    handled = SIGNALS if _is_main_thread() else ()
    for each in handled:
        loop.add_signal_handler(each, terminated if each == signal.SIGTERM else interrupted)
    try:
        yield
    finally:
        for each in handled:
            loop.remove_signal_handler(each)


@contextmanager
def stop_on_signals(stop: Callable[[], None]) -> Iterator[None]:
    """Whoever drives other processes is told of every signal."""
    handled = SIGNALS if _is_main_thread() else ()
    before = {each: signal.signal(each, lambda *_: stop()) for each in handled}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


@contextmanager
def interrupted_by_signals() -> Iterator[None]:
    """KeyboardInterrupt, for work without an event loop: processes that it waits for know nothing of Ctrl-C."""
    handled = SIGNALS if _is_main_thread() else ()
    before = {each: signal.signal(each, signal.default_int_handler) for each in handled}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _is_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()
