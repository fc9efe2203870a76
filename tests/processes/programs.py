"""Python code as a child process, by a module of Python's own that runs what it is given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from time import monotonic, sleep

from sundog.processes.child import Child, plain_environment
from sundog.processes.detached import process_started

PATIENCE = 60.0  # seconds, of a busy machine


def program(code: str, environment: Mapping[str, str] | None = None) -> Child:
    words = ["-n1", "-r1", "-s", code, "pass"]
    return Child(module="timeit", words=words, environment=environment or plain_environment())


def is_alive(pid: int) -> bool:
    """Not so if it has ended, and its parent has not asked for its end yet."""
    return bool(process_started(pid))


def until(holds: Callable[[], bool]) -> None:
    end = monotonic() + PATIENCE
    while not holds():
        assert monotonic() < end
        sleep(0.05)


def until_gone(pids: Iterable[int]) -> None:
    """A process that was killed may be there for a while."""
    left = set(pids)
    until(lambda: not any(map(is_alive, left)))
