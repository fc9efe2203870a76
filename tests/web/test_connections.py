"""Clients that hold what others need: connections, places to watch, memory. All by real sockets."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from sundog.web.guard import connections
from sundog.web.settings import Settings
from tests.store.crawls import small_crawl
from tests.web.apps import served
from tests.web.sites import until

MOST, MOST_OF_ONE = 12, 8
TOKEN = "a token that nobody guesses"
HEAD = b"Host: localhost\r\nAuthorization: Bearer a token that nobody guesses\r\n"
WATCH = b"GET /api/crawls/kettles/events HTTP/1.1\r\n" + HEAD + b"\r\n"
DOWNLOAD = b"GET /api/crawls/kettles/export/jsonl HTTP/1.1\r\n" + HEAD + b"\r\n"
LOGIN = b"POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 30\r\n\r\n{"


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[httpx.Client]:
    monkeypatch.setattr(connections, "MOST", MOST)
    monkeypatch.setattr(connections, "MOST_OF_ONE", MOST_OF_ONE)
    small_crawl(tmp_path / "kettles")
    with served(Settings(root=tmp_path, token=TOKEN)) as client:
        yield client


def connect(client: httpx.Client, address: str = "127.0.0.1", receive_buffer: int = 0) -> socket.socket:
    connection = socket.socket()
    if receive_buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    connection.settimeout(60)
    connection.bind((address, 0))
    connection.connect((client.base_url.host, client.base_url.port or 80))
    return connection


@contextmanager
def many(client: httpx.Client, sent: bytes, count: int, *addresses: str) -> Iterator[list[socket.socket]]:
    with ExitStack() as stack:
        opened = [stack.enter_context(connect(client, address)) for address in addresses for _ in range(count)]
        for connection in opened:
            connection.sendall(sent)
        yield opened


def status_for(client: httpx.Client, address: str) -> int:
    """Of a new connection from there."""
    with connect(client, address) as connection:
        connection.sendall(b"GET /api/crawls HTTP/1.1\r\nConnection: close\r\n" + HEAD + b"\r\n")
        return int(connection.recv(65_536).split()[1])


@pytest.mark.parametrize(
    "sent", [b"", b"GET / HTTP/1.1\r\nX-A: ", LOGIN, b"GET /login HTTP/1.1\r\nHost: localhost\r\n\r\n"]
)
def test_connections_that_wait_for_their_clients_keep_nobody_out(client: httpx.Client, sent: bytes) -> None:
    """Neither silent ones, nor heads and bodies that do not end, nor what is kept alive; at whatever address."""
    addresses = [f"127.0.0.{number}" for number in range(1, 5)]
    with many(client, sent, 10, *addresses):
        for address in (*addresses, "127.0.0.9"):
            until(lambda address=address: status_for(client, address) == 200)  # those that were asked are answered


def test_one_client_cannot_take_all_places_by_watching(client: httpx.Client) -> None:
    """Its streams are not closed, for it is not at fault; what comes beyond them is refused, and nobody else."""
    with many(client, WATCH, MOST_OF_ONE, "127.0.0.1") as streams:
        assert all(connection.recv(12) == b"HTTP/1.1 200" for connection in streams)
        assert status_for(client, "127.0.0.1") == 503
        assert status_for(client, "127.0.0.2") == 200
    until(lambda: status_for(client, "127.0.0.1") == 200)


def test_watchers_of_one_address_are_bounded(client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sundog.web.watch.hub.MOST_OF_ONE", 2)
    with many(client, WATCH, 2, "127.0.0.1") as streams:
        assert all(connection.recv(12) == b"HTTP/1.1 200" for connection in streams)
        for address, status in (("127.0.0.1", b"429"), ("127.0.0.2", b"200")):
            with connect(client, address) as late:
                late.sendall(WATCH)
                assert late.recv(12) == b"HTTP/1.1 " + status


def is_cut_off(connection: socket.socket) -> bool:
    """Asked without reading: whether the other side has ended it."""
    try:
        return connection.send(b"X") == 0
    except OSError:
        return True


@pytest.mark.parametrize("request_", [WATCH, DOWNLOAD])
def test_clients_that_do_not_read_are_cut_off(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, request_: bytes
) -> None:
    monkeypatch.setattr("sundog.web.guard.connections.BoundedProtocol.seconds_to_read", 0.3)
    monkeypatch.setattr("sundog.web.watch.hub._messages_of", lambda events: b"data: " + b"x" * 3_000_000 + b"\n\n")
    monkeypatch.setattr(
        "sundog.web.results.exports.export_to", lambda path, *rest: path.write_bytes(b"x" * 3_000_000)
    )
    with connect(client, receive_buffer=4_096) as connection:
        connection.sendall(request_)
        until(lambda: is_cut_off(connection))
    until(lambda: not list((tmp_path / ".web").glob("tmp-*")))


def test_clients_that_read_slowly_get_all_of_it(client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sundog.web.guard.connections.BoundedProtocol.seconds_to_read", 2.0)
    size = 3_000_000
    monkeypatch.setattr("sundog.web.results.exports.export_to", lambda path, *rest: path.write_bytes(b"x" * size))
    with connect(client, receive_buffer=4_096) as connection:
        connection.sendall(DOWNLOAD)
        received = 0
        while received < size:
            chunk = connection.recv(20_000)
            assert chunk
            received += len(chunk)


def test_a_body_without_the_token_is_small(client: httpx.Client) -> None:
    headers = {"X-CSRF-Token": client.get("/login").text.partition('name="csrf" content="')[2].partition('"')[0]}
    assert client.post("/api/login", content=b" " * 4_001, headers=headers).status_code == 413
    assert client.post("/api/login", json={"token": TOKEN}, headers=headers).status_code == 204
