"""A program in a process of its own, asked again and again; it answers in time or is ended and started anew."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import weakref
from collections.abc import Mapping
from contextlib import suppress
from time import monotonic
from typing import Any

import orjson

from sundog.errors import SundogError, UsageError
from sundog.processes.child import Child, plain_environment, stopped_after
from sundog.processes.serve import LENGTH

TO_START = 30.0  # seconds, or as many as an answer may take
OUT_OF_MEMORY = 99  # how SaxonC ends a process that has none left
_CHUNK = 1 << 20


class StoppedError(SundogError):
    """There is no answer: out of time or memory, or it failed. The next request is answered all the same."""


class Sandbox:
    """A module that calls ``serve``, prepared by ``setup``. ``ready`` is its answer to that.

    ``memory`` in bytes, 0 for no limit. Close it, or forget it: its process ends with it.
    """

    def __init__(
        self,
        module: str,
        setup: Any,
        *,
        seconds: float,
        memory: int,
        environment: Mapping[str, str] | None = None,
        niceness: int = 0,
    ) -> None:
        self._child = Child(
            module=module,
            words=(str(memory), str(seconds)),
            environment=plain_environment() if environment is None else environment,
            niceness=niceness,
        )
        self._setup, self._seconds = setup, seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._is_killed = False
        self.ready: Any = None

    def start(self) -> None:
        """Raises UsageError if the setup cannot be read."""
        if self._process is None:
            self._process = self._child.start()
            self._end = weakref.finalize(self, _end, self._process)
            if self._is_killed:  # meanwhile
                self._process.kill()
            try:
                self.ready = self._exchange(self._setup, max(TO_START, self._seconds))
            except SundogError:
                self.close()
                raise

    def ask(self, request: Any, body: bytes = b"") -> Any:
        """The answer, or StoppedError. ``body`` travels beside the JSON, and is there under that name again."""
        self.start()
        return self._exchange(request, self._seconds, body)

    def kill(self) -> None:
        """From any thread; one that waits for an answer gets StoppedError. Nothing is answered after it."""
        self._is_killed = True
        if self._process is not None:
            self._process.kill()

    def close(self) -> None:
        if self._process is not None:
            self._end()
            self._process = None

    def _exchange(self, request: Any, seconds: float, body: bytes = b"") -> Any:
        assert self._process is not None
        try:
            message = _exchange_bytes(
                self._process, orjson.dumps(request, default=list), body, monotonic() + seconds
            )
        except TimeoutError:
            self.close()
            raise StoppedError(stopped_after(self._seconds)) from None
        except (OSError, EOFError):
            reason = _why_ended(self._process, self._seconds)
            self.close()
            raise StoppedError(reason) from None
        except TypeError as error:
            raise StoppedError(f"could not be handed over: {error}") from None
        except BaseException:  # Ctrl-C: an answer that nobody has read must not be that to the next request
            self.close()
            raise
        reply = orjson.loads(message)
        if "unreadable" in reply:
            raise UsageError(reply["unreadable"])
        if "failed" in reply:
            raise StoppedError(f"failed: {reply['failed']}")
        return reply["answer"]


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):  # what was not written yet
            pipe.close()  # type: ignore[union-attr]
    process.wait()


def _exchange_bytes(process: subprocess.Popen[bytes], request: bytes, body: bytes, until: float) -> bytes:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"".join((_framed_length(request), _framed_length(body), request, body)))
    process.stdin.flush()
    output = process.stdout.fileno()
    message = bytearray()
    length = LENGTH
    while len(message) < length:
        message += _read_some(output, until)
        if length == LENGTH and len(message) >= LENGTH:
            length += int.from_bytes(message[:LENGTH], "big")
    return bytes(message[LENGTH:])


def _framed_length(message: bytes) -> bytes:
    return len(message).to_bytes(LENGTH, "big")


def _read_some(output: int, until: float) -> bytes:
    waiting = select.poll()  # unlike select, it takes any number of open files
    waiting.register(output, select.POLLIN)
    if not waiting.poll(max(0.0, until - monotonic()) * 1000):
        raise TimeoutError
    chunk = os.read(output, _CHUNK)
    if not chunk:
        raise EOFError
    return chunk


def _why_ended(process: subprocess.Popen[bytes], seconds: float) -> str:
    try:
        code = process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        return "got no answer"
    if code == -signal.SIGALRM:
        return stopped_after(seconds)
    if code < 0 or code == OUT_OF_MEMORY:
        return "was too much for the engine: it ran out of memory or stack"
    return f"ended with code {code}"
