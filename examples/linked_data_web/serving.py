"""The web in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from .web import LinkedDataWeb

ROOT = Path(__file__).resolve().parent.parent.parent


class Served(NamedTuple):
    web: LinkedDataWeb
    port: int

    @property
    def connect_to(self) -> str:
        return f"127.0.0.1:{self.port}"


@contextmanager
def serving(things: int = 24, *, log: Path | None = None) -> Iterator[Served]:
    """Starts the server, and stops it at the end."""
    command = [sys.executable, "-m", "examples.linked_data_web", "--things", str(things)]
    if log:
        command += ["--log", str(log.resolve())]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield Served(LinkedDataWeb(things), int(process.stdout.readline()))
    finally:
        process.terminate()
        process.wait(10)
        if process.stdout:
            process.stdout.close()
