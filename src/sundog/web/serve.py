"""The server: one process with one event loop, and one server for a root."""

from __future__ import annotations

import fcntl
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import urlencode

import uvicorn
from fastapi import FastAPI

from sundog.errors import SundogError
from sundog.web.app import make_app
from sundog.web.guard.connections import BoundedProtocol
from sundog.web.runs.directories import Root
from sundog.web.settings import Settings

SECONDS_TO_END = 3
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # addresses to listen on, not to open


def serve(settings: Settings, ready: Callable[[str], None]) -> None:
    """Serve until a signal; ``ready`` is called with the address, which lets in whoever opens it."""
    with _locked(Root(settings.root)):
        _serve(settings, ready)


def _serve(settings: Settings, ready: Callable[[str], None]) -> None:
    app = make_app(settings)
    listening = _listening_socket(settings)
    ready(_link(settings, listening.getsockname()[1]))
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
        http=BoundedProtocol,  # bounds headers in size and time, connections, and what is sent and not read
        ws="none",
    )


def _link(settings: Settings, port: int) -> str:
    """The address to open in a browser on this machine, with the token if there is one."""
    host = EVERYWHERE.get(settings.host, settings.host)
    host = f"[{host}]" if ":" in host else host
    return f"http://{host}:{port}/" + (f"?{urlencode({'token': settings.token})}" if settings.token else "")


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
