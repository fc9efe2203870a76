"""Processes that outlive whoever starts them; id and start time together name one, for ids are used again."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import NamedTuple

SECONDS_OF_THREADS = 5.0  # for those of a process that was killed to end


class DetachedProcess(NamedTuple):
    """``started`` is in words of the system; empty, as an id of 0, for no process at all."""

    pid: int = 0
    started: str = ""

    @property
    def is_running(self) -> bool:
        return bool(self.pid and self.started) and process_started(self.pid) == self.started

    def send_signal(self, number: signal.Signals) -> bool:
        """Whether it was still there to be sent one. Another process with the same id gets none."""
        if not self.is_running:
            return False
        if not hasattr(os, "pidfd_open"):
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)
            return True
        with suppress(ProcessLookupError):
            handle = os.pidfd_open(self.pid)  # from here on the id cannot become another process's
            try:
                if not self.is_running:
                    return False
                signal.pidfd_send_signal(handle, number)
            finally:
                os.close(handle)
        return True

    def exit_code(self) -> int | None:
        """Of a child of ours that has ended: can be asked once. None if it runs, or is no child of ours.

        A killed process has ended before its last threads have, but only then the system says how.
        """
        end = monotonic() + SECONDS_OF_THREADS
        try:
            while not (status := os.waitpid(self.pid, os.WNOHANG))[0]:
                if self.is_running or monotonic() > end:
                    return None
                sleep(0.01)
        except ChildProcessError:
            return None
        return os.waitstatus_to_exitcode(status[1])


def spawn_detached(command: list[str], output: Path, environment: Mapping[str, str]) -> DetachedProcess:
    """In a session of its own; what it prints is appended to the file.

    Not by ``subprocess``, which complains of processes that outlive it.
    """
    pid = os.posix_spawnp(
        command[0],
        command,
        environment,
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, str(output), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644),
            (os.POSIX_SPAWN_DUP2, 1, 2),
        ],
        setsid=True,
    )
    return DetachedProcess(pid, process_started(pid) or "ended at once")


def process_started(pid: int) -> str:
    """When a process started, in words of the system; empty if there is none that runs."""
    try:
        after_name = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2]
    except OSError:
        return "" if Path("/proc/self/stat").exists() else _started_by_ps(pid)
    fields = after_name.split()
    return "" if fields[0] in "ZX" else fields[19]


def _started_by_ps(pid: int) -> str:
    """Where there is no ``/proc``."""
    with suppress(OSError, subprocess.SubprocessError):
        command = ["ps", "-o", "stat=,lstart=", "-p", str(pid)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=5)
        state, _, began = done.stdout.strip().partition(" ")
        return "" if state.startswith("Z") else began.strip()
    return ""
