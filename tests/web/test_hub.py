"""Many who watch at once, and do not read."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from sundog.web.settings import Settings
from tests.store.crawls import small_crawl
from tests.web.apps import served
from tests.web.sites import until

REQUEST = b"GET /api/crawls/kettles/events HTTP/1.1\r\nHost: localhost\r\n\r\n"


def test_watchers_are_bounded_and_their_places_are_free_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sundog.web.watch.hub.MOST_WATCHERS", 3)
    monkeypatch.setattr(
        "sundog.web.watch.hub.SECONDS_BETWEEN_HEARTBEATS", 0.1
    )  # so that it is soon noticed that they have left
    small_crawl(tmp_path / "kettles")
    with served(Settings(root=tmp_path)) as client:
        with ExitStack() as stack:
            watchers = [stack.enter_context(_connection(client)) for _ in range(12)]
            for each in watchers:
                each.sendall(REQUEST)
            assert sum(_gets_events(each) for each in watchers) == 3
        until(lambda: _can_watch(client))


def _connection(client: httpx.Client) -> socket.socket:
    return socket.create_connection((client.base_url.host, client.base_url.port or 80), 60)


def _can_watch(client: httpx.Client) -> bool:
    with _connection(client) as late:
        late.sendall(REQUEST)
        return _gets_events(late)


def _gets_events(connection: socket.socket) -> bool:
    """Whether there is an event, rather than a refusal or an end."""
    received = b""
    while b"event: crawl" not in received:
        chunk = connection.recv(65_536)
        received += chunk
        if not chunk or received.startswith(b"HTTP/1.1 429") or received.endswith(b"\r\n0\r\n\r\n"):
            return False
    return True
