"""Whether the disk has room for a crawl: with too little it pauses, before anything fails to be written."""

from __future__ import annotations

import os
from pathlib import Path


class DiskSpace:
    """``least``: bytes that are to stay free on the disk of ``directory``; with 0 nobody looks."""

    def __init__(self, directory: Path, least: int) -> None:
        self._directory, self._least = directory, least

    def shortage(self) -> str:
        """What is wrong, in one sentence; empty if there is enough."""
        free = free_space(self._directory) if self._least else None
        if free is None or free >= self._least:
            return ""
        found, least = megabytes(free), megabytes(self._least)
        return f"{found} are free on the disk of {self._directory}, and free_disk is {least}"


def free_space(directory: Path) -> int | None:
    """Bytes that this user may still write; None if the system does not say. It costs some microseconds."""
    try:
        found = os.statvfs(directory)
    except OSError:
        return None
    return found.f_bavail * found.f_frsize


def megabytes(size: int) -> str:
    """
    >>> megabytes(312_345_678), megabytes(4_000)
    ('312.3 MB', '0.0 MB')
    """
    return f"{size / 1e6:,.1f} MB"
