"""Webs in separate processes, for tests, benchmarks and the demo."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from sundog.demo_web.server import LoggedRequest
from sundog.demo_web.truth import Truth
from sundog.demo_web.web import Web


class Served:
    """``web`` is equal to the server's: the same arguments give the same web."""

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

    def requests(self) -> list[LoggedRequest]:
        """The server's log so far; complete half a second after the last request."""
        lines = self._log.read_text(encoding="utf-8").splitlines() if self._log else []
        parts = (line.split(" ", 3) for line in lines)
        return [LoggedRequest(float(at), host, target, int(status)) for at, status, host, target in parts]


@contextmanager
def serving(
    seed: int = 1, hosts: int = 60, pages: int = 20_000, *, https: float = 0.6, corners: bool = True,
    log: Path | None = None,
) -> Iterator[Served]:  # fmt: skip
    """Starts the server, and stops it at the end."""
    web = Web(seed, hosts, pages, https=https, corners=corners)
    words = ["--seed", seed, "--hosts", hosts, "--pages", pages, "--https", https]
    words += [*([] if corners else ["--no-corners"]), *(["--log", log.resolve()] if log else [])]
    with server_process(__package__, *words) as port:
        yield Served(web, port, log)


@contextmanager
def server_process(module: str, *words: object) -> Iterator[int]:
    """Runs ``python -m module words`` until the end of the block; gives the port, the first line it prints.

    The module is any that the caller could import.
    """
    command = [sys.executable, "-m", module, *map(str, words)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield int(process.stdout.readline())
        finally:
            process.terminate()
            process.wait(10)
