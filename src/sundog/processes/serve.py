"""The side of the process: requests on stdin, answers on stdout, both JSON behind their length. What a request
has besides JSON are bytes, with a length of their own.

The first request prepares the program, each further one is answered by it. A request that takes too long ends
the process, even if nobody is left to end it.
"""

from __future__ import annotations

import resource
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import orjson

from sundog.processes import LENGTH

Answer = Callable[[Any], Any]
_REFUSED_EVENTS = ("socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.fork", "urllib.")


class CannotReadError(Exception):
    """The query or the shapes are wrong; the message says where."""


def serve(prepare: Callable[[Any], tuple[Answer, Any]]) -> None:
    """``prepare`` gives the function that answers, and the answer to the first request itself."""
    memory, seconds = int(sys.argv[1]), float(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.addaudithook(_refuse)
    answer: Answer | None = None
    for request in _requests():
        signal.setitimer(signal.ITIMER_REAL, seconds + 1)
        try:
            if answer is None:
                answer, reply = prepare(request)
            else:
                reply = answer(request)
            said = orjson.dumps({"answer": reply}, default=list)
        except CannotReadError as error:
            said = orjson.dumps({"unreadable": str(error)})
        except Exception as error:
            said = _failure(error)
        signal.setitimer(signal.ITIMER_REAL, 0)
        sys.stdout.buffer.write(len(said).to_bytes(LENGTH, "big") + said)
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
