"""The server: one process, one event loop."""

from __future__ import annotations

import socket
from collections.abc import Callable

import uvicorn

from sundog.errors import SundogError
from sundog.web.app import make_app
from sundog.web.settings import Settings

SECONDS_TO_END = 3


def serve(settings: Settings, ready: Callable[[str], None]) -> None:
    """Serve until a signal; ``ready`` is told the address."""
    app = make_app(settings)
    listening = _listening(settings)
    port = listening.getsockname()[1]
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=SECONDS_TO_END,
        limit_concurrency=500,
        ws="none",
    )
    ready(f"http://{host}:{port}/")
    with listening:
        uvicorn.Server(config).run([listening])


def _listening(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        return socket.create_server((settings.host, settings.port), family=family, backlog=256)
    except OSError as error:
        where = f"{settings.host}:{settings.port}"
        raise SundogError(f"nothing can be served at {where}: {error.strerror or error}; try --port 0") from None
