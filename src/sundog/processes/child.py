"""A program of this package in a process of its own: its command, its environment, and the ways to start it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sundog.errors import SundogError
from sundog.processes.detached import DetachedProcess, spawn_detached

SOURCES = Path(__file__).parents[2]  # the folder that holds this package
LONGEST_ERROR = 500  # characters
# What a process that meets strangers' bytes is handed: how to find programs and libraries, and the language.
PLAIN_NAMES = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "VIRTUAL_ENV")
# What it needs besides to fetch pages and to find compiled kernels: where caches and certificates are.
FETCHING_NAMES = (
    *("HOME", "XDG_CACHE_HOME", "SUNDOG_CACHE_DIR", "NUMBA_CACHE_DIR", "TMPDIR"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR"),
)


def plain_environment(*more: str) -> dict[str, str]:
    """Variables that hold no secrets, and those that are named: keys and passwords of the user stay here."""
    names = {*PLAIN_NAMES, *more}
    return _with_sources({name: value for name, value in os.environ.items() if name in names})


def whole_environment(*folders: str | Path) -> dict[str, str]:
    """All that we were given, for what the user could have started too. Modules are also found in ``folders``."""
    return _with_sources({**os.environ, "NO_COLOR": "1", "COLUMNS": "200"}, *folders)


def _with_sources(environment: dict[str, str], *folders: str | Path) -> dict[str, str]:
    """So that the child imports this very package, wherever it was imported from."""
    paths = [str(SOURCES), *map(str, folders), os.environ.get("PYTHONPATH", "")]
    return {**environment, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


@dataclass(frozen=True, kw_only=True)
class Child:
    """What is to be started: ``python -m MODULE WORDS``."""

    module: str
    words: Sequence[str] = ()
    environment: Mapping[str, str] = field(default_factory=plain_environment, repr=False)
    niceness: int = 0

    @property
    def command(self) -> list[str]:
        """``-P``: no module of the working directory takes the place of ours."""
        nice = ["nice", "-n", str(self.niceness)] if self.niceness else []
        return [*nice, sys.executable, "-P", "-m", self.module, *self.words]

    def run(self, seconds: float) -> str:
        """What it prints, when it has ended. Raises SundogError with the last line that it complains with."""
        name = " ".join([self.module, *self.words[:1]])
        try:
            done = subprocess.run(
                self.command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                env=self.environment,
                text=True,
                errors="replace",
                timeout=seconds,
            )
        except subprocess.TimeoutExpired:
            raise SundogError(f"{name} {stopped_after(seconds)}") from None
        if done.returncode:
            raise SundogError(last_line(done.stderr) or f"{name} failed")
        return done.stdout

    def start(self, channel: socket.socket | None = None) -> subprocess.Popen[bytes]:
        """With pipes to and from it, in a session of its own: Ctrl-C is for us alone.

        Or with ``channel`` as its stdin, a socket that goes both ways.
        """
        return subprocess.Popen(
            self.command,
            stdin=channel.fileno() if channel else subprocess.PIPE,
            stdout=subprocess.DEVNULL if channel else subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=self.environment,
            start_new_session=True,
        )

    def detach(self, output: Path) -> DetachedProcess:
        """It outlives us; what it prints is appended to the file."""
        return spawn_detached(self.command, output, self.environment)


def stopped_after(seconds: float) -> str:
    return f"was stopped after {seconds:g} seconds"


def last_line(output: str) -> str:
    """The error of a command, which is the last line that it prints.

    >>> last_line("a warning\\nsundog: there is no crawl in x\\n\\n")
    'there is no crawl in x'
    """
    lines = output.strip().splitlines()
    return lines[-1].strip().removeprefix("sundog: ")[:LONGEST_ERROR] if lines else ""
