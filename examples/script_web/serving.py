"""The web on one port of this machine, in a thread; and what it was asked for."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from examples.script_web.sites import Site, sites_of


class ScriptWeb:
    """``requests`` are (host, path) pairs, in the order in which they came."""

    def __init__(self, sites: Mapping[str, Site], port: int) -> None:
        self.sites, self.port = sites, port
        self.requests: list[tuple[str, str]] = []

    @property
    def connect_to(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def seeds(self) -> list[str]:
        return [f"https://{host}/" for host in self.sites]


@contextmanager
def serving(
    kinds: dict[str, int], *, items: int = 12, articles: int = 6, canary: int = 9, filler: int = 0, port: int = 0
) -> Iterator[ScriptWeb]:
    web = ScriptWeb(sites_of(kinds, items, articles, canary, filler), port)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            host = self.headers.get("Host", "").partition(":")[0]
            web.requests.append((host, self.path))
            site = web.sites.get(host)
            if site is None:
                self.send_error(421)
                return
            answer = site.answer(self.path)
            body = answer.body.encode()
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.kind)
            self.send_header("Content-Length", str(len(body)))
            if answer.location:
                self.send_header("Location", answer.location)
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    web.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield web
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
