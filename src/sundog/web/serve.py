"""The server: one process with one event loop, and one server for a root."""

from __future__ import annotations

import fcntl
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI

from sundog.errors import SundogError
from sundog.web.app import make_app
from sundog.web.guard.slow_headers import HeaderTimeoutProtocol
from sundog.web.runs.directories import Root
from sundog.web.settings import Settings

SECONDS_TO_END = 3


def serve(settings: Settings, ready: Callable[[str], None]) -> None:
    """Serve until a signal; ``ready`` is called with the address."""
    with _locked(Root(settings.root)):
        _serve(settings, ready)


def _serve(settings: Settings, ready: Callable[[str], None]) -> None:
    app = make_app(settings)
    listening = _listening_socket(settings)
    port = listening.getsockname()[1]
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    ready(f"http://{host}:{port}/")
    with listening:
        uvicorn.Server(config_of(app)).run([listening])


def config_of(app: FastAPI) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=SECONDS_TO_END,
        limit_concurrency=500,
        http=HeaderTimeoutProtocol,  # bounds the headers of a request, in size and time
        ws="none",
    )


@contextmanager
def _locked(root: Root) -> Iterator[None]:
    """Two servers would start the same crawls. The lock ends with the process, however that ends."""
    try:
        file = (root.site_folder / "lock").open("ab")
    except OSError as error:
        raise SundogError(f"{root.path} cannot be used as root: {error.strerror}") from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SundogError(
                f"{root.path} is served already: end that server, or choose another --root"
            ) from None
        yield


def _listening_socket(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        return socket.create_server((settings.host, settings.port), family=family, backlog=256)
    except OSError as error:
        where = f"{settings.host}:{settings.port}"
        raise SundogError(f"nothing can be served at {where}: {error.strerror or error}; try --port 0") from None
