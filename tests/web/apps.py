"""The application behind a real server in a thread of the tests: quick to start."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from time import sleep
from typing import Any

import httpx
import uvicorn

from sundog.web.app import make_app
from sundog.web.serve import config_of
from sundog.web.settings import Settings


@contextmanager
def served(settings: Settings, **options: Any) -> Iterator[httpx.Client]:
    """A client of the site."""
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(config_of(make_app(settings)))
    thread = Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    while not server.started:
        sleep(0.01)
    base = f"http://127.0.0.1:{listening.getsockname()[1]}"
    try:
        with httpx.Client(base_url=base, timeout=60, **options) as client:
            yield client
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


def csrf(client: httpx.Client) -> dict[str, str]:
    return {"X-CSRF-Token": client.get("/api/session").json()["csrf"]}
