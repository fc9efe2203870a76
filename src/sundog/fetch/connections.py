"""What politeness by address needs of aiohttp: when a request leaves, and no connection to a former address."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar

import aiohttp
from aiohttp.client_reqrep import ConnectionKey
from aiohttp.connector import Connection

from sundog.fetch.resolver import CheckedResolver

WHEN_SENT: ContextVar[Callable[[], None] | None] = ContextVar("WHEN_SENT", default=None)


def request_class(resolver: CheckedResolver) -> type[aiohttp.ClientRequest]:
    class Request(aiohttp.ClientRequest):
        @property
        def connection_key(self) -> ConnectionKey:
            """Connections are used again by key. When a name leads elsewhere, the key is another."""
            key = super().connection_key
            moves = resolver.moves_of(key.host)
            return key._replace(proxy_headers_hash=hash((key.proxy_headers_hash, moves))) if moves else key

        async def send(self, conn: Connection) -> aiohttp.ClientResponse:
            """The request is on its way when this returns: that it has a connection is not enough."""
            response = await super().send(conn)
            tell = WHEN_SENT.get()
            if tell is not None:
                tell()
            return response

    return Request
