"""Crawls as processes: started so that they outlive the server, ended only if they surely are what they were."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from sundog.engines.live.live_file import process_started

COMMAND = (sys.executable, "-P", "-c", "from sundog.cli import main; main()")
NICENESS = 5  # pages of the site come first
SOURCES = str(Path(__file__).parents[2])


def environment() -> dict[str, str]:
    """With this very package, wherever it was imported from."""
    paths = os.pathsep.join(filter(None, [SOURCES, os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": paths, "NO_COLOR": "1", "COLUMNS": "200"}


def start(words: Sequence[str], output: Path, directory: Path) -> subprocess.Popen[bytes]:
    """``sundog WORDS``, in a session of its own; what it prints is appended to the file."""
    with output.open("ab") as file:
        return subprocess.Popen(
            ["nice", "-n", str(NICENESS), *COMMAND, *words],
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            cwd=directory,
            env=environment(),
            start_new_session=True,
        )


def is_running(pid: int, started: str) -> bool:
    return bool(pid and started) and process_started(pid) == started


def terminate(pid: int, started: str) -> bool:
    """Ask a process to end, if it is still the one that started then."""
    if not is_running(pid, started):
        return False
    if not hasattr(os, "pidfd_open"):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
        return True
    with suppress(ProcessLookupError):
        handle = os.pidfd_open(pid)  # from here on the id cannot become another process's
        try:
            if process_started(pid) != started:
                return False
            signal.pidfd_send_signal(handle, signal.SIGTERM)
        finally:
            os.close(handle)
    return True
