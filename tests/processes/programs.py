"""Python code as a child process, by a module of Python's own that runs what it is given."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from time import monotonic, sleep

from sundog.processes.child import Child, plain_environment

PATIENCE = 60.0  # seconds, of a busy machine


def program(code: str, environment: Mapping[str, str] | None = None) -> Child:
    words = ["-n1", "-r1", "-s", code, "pass"]
    return Child(module="timeit", words=words, environment=environment or plain_environment())


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def until(holds: Callable[[], bool]) -> None:
    end = monotonic() + PATIENCE
    while not holds():
        assert monotonic() < end
        sleep(0.05)
