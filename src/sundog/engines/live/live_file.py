"""``live.json``: what only a running crawl's process knows, for those who watch it from another one."""

from __future__ import annotations

import math
import os
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic, time
from typing import Any

import numpy as np
import orjson

from sundog.engines.snapshot import Snapshot
from sundog.policies.host_chooser import HostChooser
from sundog.session import CrawlSession
from sundog.store.directory import LIVE, temporary_name

SECONDS_A_WRITE = 1.0
MOST_HOSTS = 100


def process_started(pid: int) -> str:
    """When a process started, in words of the system's own; empty if there is none that runs.

    Ids are used again, so id and start together name a process.
    """
    try:
        after_name = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2]
    except OSError:
        return "" if Path("/proc/self/stat").exists() else _by_ps(pid)
    fields = after_name.split()
    return "" if fields[0] in "ZX" else fields[19]


def _by_ps(pid: int) -> str:
    """Where there is no ``/proc``."""
    with suppress(OSError, subprocess.SubprocessError):
        asked = ["ps", "-o", "stat=,lstart=", "-p", str(pid)]
        state, _, began = (
            subprocess.run(asked, capture_output=True, text=True, timeout=5).stdout.strip().partition(" ")
        )
        return "" if state.startswith("Z") else began.strip()
    return ""


class LiveFile:
    """Written once a second, by renaming. That it cannot be written is no reason to stop a crawl."""

    def __init__(self, directory: Path, clock: Callable[[], float] = monotonic) -> None:
        self._path = directory / LIVE
        self._clock, self._next = clock, -math.inf
        self._process = {"pid": os.getpid(), "started": process_started(os.getpid())}
        self._write({"stage": "starting"})

    def update(self, snapshot: Snapshot, session: CrawlSession) -> None:
        now = self._clock()
        if now >= self._next:
            self._next = now + SECONDS_A_WRITE
            self._write(
                {**snapshot._asdict(), "seconds_left": snapshot.seconds_left, "queues": host_queues(session)}
            )

    def _write(self, said: dict[str, Any]) -> None:
        temporary = temporary_name(self._path)
        with suppress(OSError):
            temporary.write_bytes(orjson.dumps({**self._process, "at": time(), **said}, default=list))
            temporary.replace(self._path)


def host_queues(session: CrawlSession, most: int = MOST_HOSTS) -> list[tuple[str, int, float | None]]:
    """Host, pages that wait, until when it sleeps (None: it is awake, -1: for good); the best hosts first."""
    if not isinstance(session.chooser, HostChooser):
        return []
    hosts = session.chooser.frontier.hosts[: session.source.hosts]
    best = np.lexsort((-hosts["queued"], -hosts["good"]))[:most]
    return [
        (session.source.host_name(int(host)), int(hosts["queued"][host]), _until(session.asleep_until(int(host))))
        for host in best
        if hosts["known"][host]
    ]


def _until(moment: float | None) -> float | None:
    return -1.0 if moment == math.inf else moment
