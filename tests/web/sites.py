"""The site in a process of its own, and a client that behaves like a browser."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Self

import httpx

import sundog
from tests.engines.live.webs import HOME, SmallWeb

COMMAND = [sys.executable, "-c", "from sundog.cli import main; main()"]
SOURCES = str(Path(sundog.__file__).parent.parent)
PATIENCE = 120.0  # of a busy machine
QUICK = "delay = 0\n[following]\npatience = 2\nretries = 0\n"


def until(holds: Callable[[], bool]) -> None:
    end = monotonic() + PATIENCE
    while not holds():
        assert monotonic() < end
        sleep(0.1)


class Site:
    """``with Site(root) as site``: served until the end of the block; crawls go on."""

    def __init__(self, root: Path, *options: object) -> None:
        self.root = root
        self._options = [str(option) for option in options]

    def __enter__(self) -> Self:
        words = [*COMMAND, "serve", f"--root={self.root}", "--port=0", *self._options]
        environment = {**os.environ, "PYTHONPATH": SOURCES}
        self.process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, env=environment)
        assert self.process.stderr is not None
        line = self.process.stderr.readline()
        assert " at http" in line, line + self.process.stderr.read()
        self.link = line.partition(" at ")[2].strip()
        self.address = self.link.partition("?")[0]
        self.client = httpx.Client(base_url=self.address, timeout=PATIENCE)
        self.client.get(self.link)  # as a browser that opens it
        return self

    def __exit__(self, *error: object) -> None:
        self.end(signal.SIGTERM)

    def end(self, sign: signal.Signals) -> None:
        """At once, unless it has ended already."""
        if self.process.returncode is not None:
            return
        self.client.close()
        self.process.send_signal(sign)
        self.process.wait(PATIENCE)
        assert self.process.stderr is not None
        self.process.stderr.close()

    def log_in(self) -> None:
        """Get the cookie and the CSRF token of a new session."""
        self.client.headers["X-CSRF-Token"] = self.get("/api/session")["csrf"]

    def get(self, path: str, **parameters: Any) -> Any:
        answer = self.client.get(path, params=parameters)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, body: Any = None, status: int = 200) -> Any:
        if "X-CSRF-Token" not in self.client.headers:
            self.log_in()
        answer = self.client.post(path, json=body)
        assert answer.status_code == status, answer.text
        return answer.json()

    def begin(self, spec: str, **more: Any) -> str:
        name: str = self.post("/api/crawls", {"spec": spec, **more}, 201)["id"]
        return name

    def crawl(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = self.get(f"/api/crawls/{name}")
        return found

    def until(self, name: str, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The crawl as soon as it is so."""
        end = monotonic() + PATIENCE
        while not holds(crawl := self.crawl(name)):
            assert monotonic() < end, crawl
            sleep(0.1)
        return crawl

    def until_state(self, name: str, *states: str) -> dict[str, Any]:
        return self.until(name, lambda crawl: crawl["state"] in states)


def shop(web: SmallWeb, products: int = 30, *, delay: float = 0.0) -> None:
    """A shop with so many products, each a page."""
    web.page(HOME, *[f"/p/{number}" for number in range(products)])
    for number in range(products):
        web.product(f"{HOME}p/{number}", "/", name=f"Kettle {number:03}", delay=delay)


def spec_of_shop(budget: int = 100, **more: object) -> str:
    lines = [f"{name} = {value}" for name, value in more.items()]
    return "\n".join(
        [f'seeds = ["{HOME}"]', 'objective = "type:schema:Product"', f"budget = {budget}", *lines, QUICK]
    )
