"""Ways to read a page that go wrong; for processes, which import them."""

from __future__ import annotations

import os
import signal
from decimal import Decimal
from pathlib import Path
from typing import Any

from sundog.engines.live.pages.reading import PageContexts, Reading, read

PLAIN = Reading({}, {}, (), (), (), b"")


def by_body(body: bytes, url: str, content_type: str, contexts: PageContexts) -> Reading:
    """The body says what happens."""
    word, _, rest = body.decode().partition(" ")
    return {
        "plain": plain,
        "endless": endless,
        "exit": leave,
        "kill": kill,
        "kill-once": kill_once,
        "deep": deep,
        "own-error": own_error,
        "no-value": no_value,
    }[word](rest)


def deadly_read(body: bytes, url: str, content_type: str, contexts: PageContexts, **options: Any) -> Reading:
    """Kills the process, if it has been told to: a process that reads for another one has not."""
    if url == os.environ.get("DEADLY"):
        kill("")
    return read(body, url, content_type, contexts, **options)


def plain(rest: str) -> Reading:
    return PLAIN._replace(text=rest)


def endless(_: str) -> Reading:
    while True:
        sum(range(1_000_000))


def leave(_: str) -> Reading:
    os._exit(3)


def kill(_: str) -> Reading:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def kill_once(marker: str) -> Reading:
    if not Path(marker).exists():
        Path(marker).touch()
        kill("")
    return PLAIN


def deep(_: str) -> Reading:
    return deep(_)


class OwnError(Exception):
    """Python has none of this name."""


def own_error(_: str) -> Reading:
    raise OwnError("mine")


def no_value(_: str) -> Reading:
    anything: Any = Decimal("1")  # as good as any class that is not ours
    return PLAIN._replace(counts=anything)
