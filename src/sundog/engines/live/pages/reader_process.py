"""Program: reads pages for a crawl, one after the other, behind walls that the kernel enforces.

The memory of the process is limited. Each page sets an alarm whose signal nobody handles. It ends the process
in the midst of C code, too, and when nobody is left to wait for the answer.
"""

from __future__ import annotations

import gc
import pickle
import signal
import socket
import sys
import traceback
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from sundog.engines.live.pages.reader_messages import (
    LENGTH,
    Answer,
    Failure,
    PageToRead,
    Setup,
    framed,
    framed_answer,
)
from sundog.engines.live.pages.reading import Reading
from sundog.processes.memory import keep_freed_memory, peak_memory
from sundog.processes.serve import limit_this_process

if TYPE_CHECKING:
    from sundog.engines.live.patterns.reading import PatternReader
    from sundog.patterns.runner import Plan

PAGES_A_LOOK = 16  # at the memory, unless a page is large: to look takes a twentieth of what a small one does
LARGE = 500_000  # bytes


def main() -> None:
    """The word of the command is the memory in bytes; the other side's socket is stdin."""
    limit_this_process(int(sys.argv[1]), keep_hard=True)  # patterns have processes of their own, and a limit
    keep_freed_memory()
    channel = cast(BinaryIO, socket.socket(fileno=0).makefile("rwb", buffering=1 << 16))
    frames = _frames(channel)
    setup: Setup | None = next(frames, None)
    if setup is None:
        return
    patterns = _pattern_reader(setup.plan) if setup.plan else None
    gc.freeze()  # what is loaded stays: only what pages leave is looked through
    channel.write(framed(None))
    channel.flush()
    memory = 0
    for number, page in enumerate(PageToRead(*frame) for frame in frames):
        signal.setitimer(signal.ITIMER_REAL, page.seconds)
        result = _read(setup.read, patterns, page)
        if number % PAGES_A_LOOK == 0 or len(page.body) > LARGE:
            memory = peak_memory()
        message = _answered(result, memory)
        signal.setitimer(signal.ITIMER_REAL, 0)
        channel.write(message)
        channel.flush()


def _pattern_reader(plan: Plan) -> PatternReader:
    """Most crawls have no patterns; what reads them takes a third of the time in which this process starts."""
    from sundog.engines.live.patterns.reading import PatternReader

    return PatternReader(plan)


def _frames(channel: BinaryIO) -> Iterator[Any]:
    """Until the other side closes."""
    while len(head := channel.read(LENGTH)) == LENGTH:
        yield pickle.loads(channel.read(int.from_bytes(head, "big")))


def _read(read: Callable[..., Reading], patterns: PatternReader | None, page: PageToRead) -> Reading | Failure:
    try:
        result = read(page.body, page.url, page.content_type, page.contexts)
        if patterns and page.task:
            result = patterns.applied(result, page.body, page.url, page.content_type, page.task)
        return result
    except Exception as error:
        return _failure(error)


def _answered(result: Reading | Failure, memory: int) -> bytes:
    try:
        return framed_answer(Answer(result, memory))
    except Exception as error:  # it cannot be pickled, or not in this memory
        return framed_answer(Answer(_failure(error), memory))


def _failure(error: Exception) -> Failure:
    return Failure(type(error).__name__, str(error)[:1_000], traceback.format_exc()[-10_000:])


if __name__ == "__main__":
    main()
