"""The folder of a browser: its home, its temporary files, and where it says who it is.

A process that is killed cannot remove it. So whoever makes the next one removes those that nobody has locked any
more; the lock of a process ends with it, in whatever way.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

PREFIX: Final = "sundog-browser-"
_LOCK: Final = "lock"


class BrowserFolder:
    """Made at once, and locked until ``remove`` or the end of this process."""

    def __init__(self) -> None:
        remove_abandoned()
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
        self._lock = os.open(self.path / f"{_LOCK}ing", os.O_CREAT | os.O_RDWR, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        (self.path / f"{_LOCK}ing").rename(self.path / _LOCK)  # nobody ever sees it without its lock

    def remove(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._lock)


def remove_abandoned() -> None:
    for lock in Path(tempfile.gettempdir()).glob(f"{PREFIX}*/{_LOCK}"):
        with suppress(OSError):  # somebody has it, or it is none of ours
            held = os.open(lock, os.O_RDWR | os.O_NOFOLLOW)
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(lock.parent, ignore_errors=True)
            finally:
                os.close(held)
