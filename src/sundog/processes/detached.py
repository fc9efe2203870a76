"""Crawls as processes: started so that they outlive the server, ended only if they surely are what they were."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

SUNDOG = (sys.executable, "-P", "-c", "from sundog.cli import main; main()")
NICENESS = 5  # pages of the site come first
SOURCES = str(Path(__file__).parents[2])


def environment(*folders: str) -> dict[str, str]:
    """With this very package, wherever it was imported from."""
    paths = os.pathsep.join(filter(None, [SOURCES, *folders, os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": paths, "NO_COLOR": "1", "COLUMNS": "200"}


def start_command(words: Sequence[str], output: Path) -> int:
    """``sundog WORDS``; gives the id of the process."""
    return spawn_detached([*SUNDOG, *words], output, environment())


def spawn_detached(command: Sequence[str], output: Path, environ: Mapping[str, str]) -> int:
    """A process in a session of its own; what it prints is appended to the file.

    Not by ``subprocess``, which complains of processes that outlive it.
    """
    return os.posix_spawnp(
        "nice",
        ["nice", "-n", str(NICENESS), *command],
        environ,
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, str(output), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644),
            (os.POSIX_SPAWN_DUP2, 1, 2),
        ],
        setsid=True,
    )


def exit_code(pid: int) -> int | None:
    """Of a child that has ended; it is forgotten by the system then. None if it runs, or is no child of ours."""
    try:
        ended, status = os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        return None
    return os.waitstatus_to_exitcode(status) if ended else None


def is_running(pid: int, started: str) -> bool:
    return bool(pid and started) and process_started(pid) == started


def send_signal(pid: int, started: str, sign: signal.Signals) -> bool:
    """Send a signal to a process, if it is still the one that started then."""
    if not is_running(pid, started):
        return False
    if not hasattr(os, "pidfd_open"):
        with suppress(ProcessLookupError):
            os.kill(pid, sign)
        return True
    with suppress(ProcessLookupError):
        handle = os.pidfd_open(pid)  # from here on the id cannot become another process's
        try:
            if process_started(pid) != started:
                return False
            signal.pidfd_send_signal(handle, sign)
        finally:
            os.close(handle)
    return True


def process_started(pid: int) -> str:
    """When a process started, in words of the system's own; empty if there is none that runs.

    Ids are used again, so id and start together name a process.
    """
    try:
        after_name = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2]
    except OSError:
        return "" if Path("/proc/self/stat").exists() else _started_by_ps(pid)
    fields = after_name.split()
    return "" if fields[0] in "ZX" else fields[19]


def _started_by_ps(pid: int) -> str:
    """Where there is no ``/proc``."""
    with suppress(OSError, subprocess.SubprocessError):
        asked = ["ps", "-o", "stat=,lstart=", "-p", str(pid)]
        state, _, began = (
            subprocess.run(asked, capture_output=True, text=True, timeout=5).stdout.strip().partition(" ")
        )
        return "" if state.startswith("Z") else began.strip()
    return ""
