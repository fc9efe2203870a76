"""``sundog serve`` as a process of its own, as users start it; it can be killed and started again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from types import TracebackType

COMMAND = (sys.executable, "-c", "from sundog.cli import main; main()", "serve", "--query-seconds=60", "--port")


class Served:
    def __init__(self, root: Path, *options: str) -> None:
        self.root, self.options = root, options
        self.port = 0

    def __enter__(self) -> Served:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self.end(signal.SIGTERM)

    def start(self) -> None:
        """The same port as before, so that pages that are open can go on."""
        self.process = subprocess.Popen(
            [*COMMAND, str(self.port), "--root", str(self.root), *self.options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "COLUMNS": "300"},
        )
        assert self.process.stderr is not None
        line = self.process.stderr.readline()
        assert "http://" in line, line + self.process.stderr.read()
        self.link = line.partition(" at ")[2].strip()
        self.address = self.link.partition("http://")[2].partition("/")[0]
        self.port = int(self.address.rpartition(":")[2])
        self.process.stderr.close()

    def end(self, sign: signal.Signals) -> None:
        self.process.send_signal(sign)
        self.process.wait(30)

    def at(self, path: str) -> str:
        return f"http://{self.address}{path}"

    def entry(self, path: str) -> str:
        """The same for a browser that is not logged in yet."""
        before, sign, fragment = path.partition("#")
        query = self.link.partition("?")[2]
        return self.at(f"{before}{'&' if '?' in before else '?'}{query}{sign}{fragment}")
