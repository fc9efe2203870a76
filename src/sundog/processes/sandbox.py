"""The crawl's side of the process: started when it is needed, ended when its time is over, then started anew."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import weakref
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

import orjson

from sundog.errors import SundogError, UsageError
from sundog.processes import LENGTH

TO_START = 30.0  # seconds
ENVIRONMENT = frozenset("PATH LANG LC_ALL LC_CTYPE LD_LIBRARY_PATH VIRTUAL_ENV".split())  # what is handed on
OUT_OF_MEMORY = 99  # how SaxonC ends a process that has none left
_CHUNK = 1 << 20


class StoppedError(SundogError):
    """There is no answer: out of time or memory, or it failed. The next request is answered all the same."""


class Sandbox:
    """A program of this package, or a module by its whole name, prepared by ``setup``. ``ready`` is what it said
    to that."""

    def __init__(self, program: str, setup: Any, *, seconds: float, memory: int) -> None:
        module = program if "." in program else f"sundog.processes.{program}"
        self._command = [sys.executable, "-P", "-m", module, str(memory), str(seconds)]
        self._setup, self._seconds = setup, seconds
        self._process: subprocess.Popen[bytes] | None = None
        self.ready: Any = None

    def start(self) -> None:
        """Raises UsageError if the setup cannot be read."""
        if self._process is None:
            self._process = _started(self._command)
            self._end = weakref.finalize(self, _end, self._process)
            try:
                self.ready = self._exchange(self._setup, TO_START)
            except SundogError:
                self.close()
                raise

    def ask(self, request: Any, body: bytes = b"") -> Any:
        """The answer, or StoppedError. ``body`` travels beside the JSON, and is there under that name again."""
        self.start()
        return self._exchange(request, self._seconds, body)

    def close(self) -> None:
        if self._process is not None:
            self._end()
            self._process = None

    def _exchange(self, request: Any, seconds: float, body: bytes = b"") -> Any:
        assert self._process is not None
        try:
            said = _asked(self._process, orjson.dumps(request, default=list), body, monotonic() + seconds)
        except TimeoutError:
            self.close()
            raise StoppedError(f"was stopped after {self._seconds:g} seconds") from None
        except (OSError, EOFError):
            reason = _why_ended(self._process, self._seconds)
            self.close()
            raise StoppedError(reason) from None
        except TypeError as error:
            raise StoppedError(f"could not be handed over: {error}") from None
        except BaseException:  # Ctrl-C: an answer that nobody has read must not be that to the next request
            self.close()
            raise
        reply = orjson.loads(said)
        if "unreadable" in reply:
            raise UsageError(reply["unreadable"])
        if "failed" in reply:
            raise StoppedError(f"failed: {reply['failed']}")
        return reply["answer"]


def _started(command: list[str]) -> subprocess.Popen[bytes]:
    """In a session of its own, so that Ctrl-C is the crawl's alone, and without the secrets of the environment."""
    above = str(Path(__file__).parents[2])
    paths = os.pathsep.join(filter(None, [above, os.environ.get("PYTHONPATH")]))
    environment = {name: value for name, value in os.environ.items() if name in ENVIRONMENT}
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**environment, "PYTHONPATH": paths},
        start_new_session=True,
    )


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):  # what was not written yet
            pipe.close()  # type: ignore[union-attr]
    process.wait()


def _asked(process: subprocess.Popen[bytes], request: bytes, body: bytes, until: float) -> bytes:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"".join((_length(request), _length(body), request, body)))
    process.stdin.flush()
    place = process.stdout.fileno()
    said = bytearray()
    length = LENGTH
    while len(said) < length:
        said += _some(place, until)
        if length == LENGTH and len(said) >= LENGTH:
            length += int.from_bytes(said[:LENGTH], "big")
    return bytes(said[LENGTH:])


def _length(of: bytes) -> bytes:
    return len(of).to_bytes(LENGTH, "big")


def _some(place: int, until: float) -> bytes:
    if not select.select([place], [], [], max(0.0, until - monotonic()))[0]:
        raise TimeoutError
    chunk = os.read(place, _CHUNK)
    if not chunk:
        raise EOFError
    return chunk


def _why_ended(process: subprocess.Popen[bytes], seconds: float) -> str:
    try:
        code = process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        return "got no answer"
    if code == -signal.SIGALRM:
        return f"was stopped after {seconds:g} seconds"
    if code < 0 or code == OUT_OF_MEMORY:
        return "was too much for the engine: it ran out of memory or stack"
    return f"ended with code {code}"
