"""The processes of a browser, as /proc shows them: their memory, their processor time, and their end."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_PROC = Path("/proc")


class BrowserProcess(NamedTuple):
    pid: int
    memory: int  # bytes
    seconds: float  # of processor time, with that of children that have ended
    is_page: bool  # it runs pages


def processes_below(root: int) -> list[BrowserProcess]:
    """The process and all its descendants; those that end meanwhile are left out."""
    found: list[BrowserProcess] = []
    waiting = [root]
    while waiting:
        pid = waiting.pop()
        with suppress(OSError, ValueError, IndexError):
            found.append(_read(pid))
            for task in (_PROC / str(pid) / "task").iterdir():
                waiting += map(int, (task / "children").read_text().split())
    return found


def _read(pid: int) -> BrowserProcess:
    folder = _PROC / str(pid)
    fields = (folder / "stat").read_text().rpartition(")")[2].split()
    resident = int((folder / "statm").read_text().split()[1])
    is_page = b"--type=renderer" in (folder / "cmdline").read_bytes()
    return BrowserProcess(pid, resident * _PAGE, sum(map(int, fields[11:15])) / _TICKS, is_page)


def seconds_of_parent(pid: int) -> float:
    """Processor time of the process that started this one, without its children's."""
    with suppress(OSError, ValueError, IndexError):
        parent = (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()[1]
        fields = (_PROC / parent / "stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:13])) / _TICKS
    return 0.0


def end_group(pid: int) -> None:
    """The browser and all that it started."""
    for each in reversed(processes_below(pid)):
        with suppress(ProcessLookupError, PermissionError):
            os.kill(each.pid, signal.SIGKILL)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
