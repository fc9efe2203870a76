"""The sites in a process of their own, for tests."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent


class Served(NamedTuple):
    port: int

    @property
    def connect_to(self) -> str:
        return f"127.0.0.1:{self.port}"


@contextmanager
def serving() -> Iterator[Served]:
    """Starts the server, and stops it at the end."""
    command = [sys.executable, "-m", "examples.sites"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield Served(int(process.stdout.readline()))
    finally:
        process.terminate()
        process.wait(10)
        if process.stdout:
            process.stdout.close()
