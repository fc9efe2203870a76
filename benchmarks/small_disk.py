"""A small disk that can be filled: for benchmarks of what happens when there is no space."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SIZE = 400_000_000  # bytes


def free_space(path: Path) -> int:
    found = os.statvfs(path)
    return found.f_bavail * found.f_frsize


class Disk:
    """The disk of a crawl: ``fill`` leaves so many bytes, ``free`` gives them back."""

    def __init__(self, path: Path) -> None:
        self._balloon = path / "balloon"

    @property
    def is_full(self) -> bool:
        return self._balloon.exists()

    def fill(self, left: int) -> None:
        with self._balloon.open("wb", buffering=0) as file, suppress(OSError):  # others write, too
            while (size := free_space(self._balloon.parent) - left) > 0:
                file.write(bytes(min(size, 1 << 20)))

    def free(self) -> None:
        self._balloon.unlink(missing_ok=True)


@contextmanager
def small_disk(path: Path) -> Iterator[Disk | None]:
    """Mounted at ``path``; None if this process may not do that."""
    path.mkdir()
    options = ["-t", "tmpfs", "-o", f"size={SIZE}"]
    if subprocess.run(["mount", *options, "none", path], capture_output=True).returncode:
        yield None
        return
    try:
        yield Disk(path)
    finally:
        subprocess.run(["umount", "--lazy", path], check=True)
