"""Inside a process that we started: limits, and requests on stdin that are answered on stdout.

Both are JSON behind its length; what a request has besides JSON are bytes, with a length of their own. The first
request prepares the program, each further one is answered by it. A request that takes too long ends the process,
even if nobody is left to end it.
"""

from __future__ import annotations

import resource
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import orjson

Answer = Callable[[Any], Any]
LENGTH = 8  # bytes of the length before every message
MEMORY_TO_READ_PAGES = 1 << 30  # bytes: brackets that nest a million deep cost a parser gigabytes
_REFUSED_EVENTS = ("socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.fork", "urllib.")


class CannotReadError(Exception):
    """The request is wrong; the message says how, and where."""


def serve(prepare: Callable[[Any], tuple[Answer, Any]], *, may_reach_others: bool = False) -> None:
    """``prepare`` gives the function that answers, and the answer to the first request itself.

    Bytes of memory (0: no limit) and seconds a request are the two words of the command. Unless it may reach
    others, the program can neither open connections nor start processes.
    """
    memory, seconds = int(sys.argv[1]), float(sys.argv[2])
    if memory:
        limit_this_process(memory)
    if not may_reach_others:
        sys.addaudithook(_refuse)
    answer: Answer | None = None
    for request in _requests():
        signal.setitimer(signal.ITIMER_REAL, seconds + 1)
        try:
            if answer is None:
                answer, reply = prepare(request)
            else:
                reply = answer(request)
            message = orjson.dumps({"answer": reply}, default=list)
        except CannotReadError as error:
            message = orjson.dumps({"unreadable": str(error)})
        except Exception as error:
            message = _failure(error)
        signal.setitimer(signal.ITIMER_REAL, 0)
        sys.stdout.buffer.write(len(message).to_bytes(LENGTH, "big") + message)
        sys.stdout.buffer.flush()


def _requests() -> Iterator[Any]:
    """Until the other side closes."""
    read = sys.stdin.buffer.read
    while len(head := read(2 * LENGTH)) == 2 * LENGTH:
        request = orjson.loads(read(int.from_bytes(head[:LENGTH], "big")))
        if body := read(int.from_bytes(head[LENGTH:], "big")):
            request["body"] = body
        yield request


def _failure(error: Exception) -> bytes:
    text = f"{type(error).__name__}: {error}"
    with suppress(TypeError):  # of half surrogate pairs
        return orjson.dumps({"failed": text[:1000]})
    return orjson.dumps({"failed": type(error).__name__})


def _refuse(event: str, arguments: Any) -> None:
    if event.startswith(_REFUSED_EVENTS):
        raise PermissionError(f"{event} is not for queries and shapes")


def limit_this_process(memory: int, *, keep_hard: bool = False) -> None:
    """At most so many bytes of data, and no core file. ``keep_hard``: its own children may set other limits."""
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (memory, hard if keep_hard else memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
