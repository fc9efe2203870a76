"""Connections whose requests come in time: whoever sends a request's head too slowly is cut off.

The server's own limits are for idle connections; one byte now and then would keep a place for ever.
"""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

SECONDS = 15.0  # for the head of a request


class HeaderTimeoutProtocol(H11Protocol):
    seconds = SECONDS
    _too_late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._unwatch()
        super().connection_lost(exc)

    def _watch(self) -> None:
        """The clock starts with the first byte of a head, and stops with its last."""
        if self.conn.their_state is not h11.IDLE:
            self._unwatch()
        elif self._too_late is None:
            self._too_late = self.loop.call_later(self.seconds, self._cut_off)

    def _unwatch(self) -> None:
        if self._too_late is not None:
            self._too_late.cancel()
            self._too_late = None

    def _cut_off(self) -> None:
        self._too_late = None
        if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
            self.transport.close()
