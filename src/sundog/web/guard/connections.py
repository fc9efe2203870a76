"""Bounds what one client can hold: places, time and memory.

A connection waits for its client before and while a request is sent, between two requests, and while the client
does not read what it is sent. The head of a request and a silent reader have a time for that. No connection that
waits for its client keeps a new one out: the one that has waited longest, at the address with the most, is closed.
"""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from typing import Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from sundog.web.guard.wrong_tokens import network_of

MOST = 600  # connections
MOST_OF_ONE = 300  # of one address
SECONDS_FOR_HEAD = 15.0
SECONDS_TO_READ = 30.0  # within which a client must read some of what it is sent
SEND_BUFFER = 131_072  # bytes that the system keeps for a client; it takes more when a third of them was read
NO_ROOM = b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\r\ntoo many connections: try again later\n"


class BoundedProtocol(H11Protocol):
    """One connection; ``connections`` are all of them."""

    seconds_for_head = SECONDS_FOR_HEAD
    seconds_to_read = SECONDS_TO_READ
    _head_timer: asyncio.TimerHandle | None = None
    _read_timer: asyncio.TimerHandle | None = None
    _waits_since = 0.0
    _unread = 0  # bytes, when it was last looked at

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.network = network_of(self.client[0] if self.client else "")
        self._waits_since = self.loop.time()
        system_socket = transport.get_extra_info("socket")
        system_socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        self._start_head_timer()
        if not self._has_room():
            transport.write(NO_ROOM)
            transport.close()

    def data_received(self, data: bytes) -> None:
        if not self.flow.write_paused:  # the next response follows
            self._stop_read_timer()
        super().data_received(data)
        self._start_head_timer()

    def on_response_complete(self) -> None:
        self._waits_since = self.loop.time()
        self._start_read_timer()  # for what is left in the buffer
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_head_timer()
        self._stop_read_timer()
        super().connection_lost(exc)

    # -- places --------------------------------------------------------------------------------------

    @property
    def waits_for_client(self) -> bool:
        """Whether it is the client's turn: to send, or to read."""
        is_answered = self.cycle is None or self.cycle.response_complete
        return is_answered or self.cycle.more_body or self.flow.write_paused

    def _has_room(self) -> bool:
        """If there is none, make some."""
        all_of_them = cast("set[BoundedProtocol]", self.connections)
        at = Counter(each.network for each in all_of_them)
        if at[self.network] > MOST_OF_ONE:
            crowded = self.network
        elif len(all_of_them) > MOST:
            crowded = max(at, key=at.__getitem__)
        else:
            return True
        others = (each for each in all_of_them if each.network == crowded and each is not self)
        waiting = [each for each in others if each.waits_for_client]
        if not waiting:
            return False
        longest = min(waiting, key=lambda each: each._waits_since)
        self.connections.discard(longest)  # as it does itself, a moment later
        longest.transport.abort()
        return True

    # -- the head of a request -----------------------------------------------------------------------

    def _start_head_timer(self) -> None:
        """The clock starts with the first byte of a head, and stops with its last."""
        if self.conn.their_state is not h11.IDLE:
            self._stop_head_timer()
        elif self._head_timer is None:
            self._head_timer = self.loop.call_later(self.seconds_for_head, self._close_without_head)

    def _stop_head_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _close_without_head(self) -> None:
        self._head_timer = None
        if self.conn.their_state is h11.IDLE:
            self.transport.abort()

    # -- what is sent and not read -------------------------------------------------------------------

    def pause_writing(self) -> None:
        super().pause_writing()
        self._waits_since = self.loop.time()
        self._start_read_timer()

    def resume_writing(self) -> None:
        self._stop_read_timer()
        super().resume_writing()

    def _start_read_timer(self) -> None:
        self._stop_read_timer()
        self._unread = self.transport.get_write_buffer_size()
        if self._unread:
            self._read_timer = self.loop.call_later(self.seconds_to_read, self._check_reading)

    def _stop_read_timer(self) -> None:
        if self._read_timer is not None:
            self._read_timer.cancel()
            self._read_timer = None

    def _check_reading(self) -> None:
        """Nothing is written while this timer runs, so what is unread can only become less."""
        unread = self.transport.get_write_buffer_size()
        if unread and unread == self._unread:
            self.transport.abort()
        else:
            self._start_read_timer()
