"""The web in a separate process, for tests and benchmarks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from sundog.demo_web.serving import server_process

from .web import LinkedDataWeb


class Served(NamedTuple):
    web: LinkedDataWeb
    port: int

    @property
    def connect_to(self) -> str:
        return f"127.0.0.1:{self.port}"


@contextmanager
def serving(things: int = 24, *, log: Path | None = None) -> Iterator[Served]:
    """Starts the server, and stops it at the end."""
    words = ["--things", things, *(["--log", log.resolve()] if log else [])]
    with server_process("examples.linked_data_web", *words) as port:
        yield Served(LinkedDataWeb(things), port)
