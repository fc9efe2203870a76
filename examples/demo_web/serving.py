"""A web in a process of its own, for tests, benchmarks and the demo."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from .server import Asked
from .truth import Truth
from .web import Web

ROOT = Path(__file__).resolve().parent.parent.parent


class Served:
    """``web`` is the same one as the server's: it needs no data from there, only the same arguments."""

    def __init__(self, web: Web, port: int, log: Path | None) -> None:
        self.web, self.port = web, port
        self._log = log

    @property
    def connect_to(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def seeds(self) -> list[str]:
        return self.web.seeds

    @cached_property
    def truth(self) -> Truth:
        return Truth(self.web)

    def requests(self) -> list[Asked]:
        """What the server has written of its log so far; all of it half a second after the last request."""
        lines = self._log.read_text(encoding="utf-8").splitlines() if self._log else []
        parts = (line.split(" ", 3) for line in lines)
        return [Asked(float(at), host, target, int(status)) for at, status, host, target in parts]


@contextmanager
def serving(
    seed: int = 1, hosts: int = 60, pages: int = 20_000, *, https: float = 0.6, corners: bool = True,
    log: Path | None = None,
) -> Iterator[Served]:  # fmt: skip
    """Starts the server, and stops it at the end."""
    web = Web(seed, hosts, pages, https=https, corners=corners)
    command = [sys.executable, "-m", "examples.demo_web", "--seed", seed, "--hosts", hosts, "--pages", pages]
    command += [
        "--https",
        https,
        *([] if corners else ["--no-corners"]),
        *(["--log", log.resolve()] if log else []),
    ]
    process = subprocess.Popen([str(word) for word in command], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield Served(web, int(process.stdout.readline()), log)
    finally:
        process.terminate()
        process.wait(10)
        if process.stdout:
            process.stdout.close()
