"""The sites in a separate process, for tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from sundog.demo_web.serving import server_process


class Served(NamedTuple):
    port: int

    @property
    def connect_to(self) -> str:
        return f"127.0.0.1:{self.port}"


@contextmanager
def serving(*, large: bool = False) -> Iterator[Served]:
    """Starts the server, and stops it at the end."""
    with server_process("examples.sites", *(["--large"] if large else [])) as port:
        yield Served(port)
