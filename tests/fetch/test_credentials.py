"""Credentials are sent to their origin alone, and are in no page and no trouble."""

from __future__ import annotations

import asyncio
import html
import json
from collections.abc import Iterator
from urllib.parse import quote, quote_plus, unquote

import pytest

from sundog.fetch.credentials import MARK, Credentials, patterns_of
from sundog.fetch.fetcher import Fetcher
from sundog.fetch.values import Limits, Page, Trouble
from tests.fetch.server import Client, Server

TOKEN = 'top secret/"token"&7'
OWN = {
    "https://data.example.org": Credentials({"X-Key": TOKEN}, patterns_of([TOKEN])),
    "http://plain.example.org:8080": Credentials({"X-Key": TOKEN}, patterns_of([TOKEN])),
}


async def behave(client: Client) -> None:
    path, key = client.asked.target, client.asked.headers.get("x-key", "")
    if path.startswith("/to/"):
        await client.page(b"", f"Location: {path.removeprefix('/to/')}", status="302 Found")
    elif path == "/tell":
        await client.page(b"", f"Location: https://b.example.org/?{key}", status="302 Found")
    elif path.startswith("/say/"):
        await client.page(b"it is " + unquote(path.removeprefix("/say/")).encode(), "Set-Cookie: a=1")
    elif path == "/no":
        await client.page(key.encode(), status="401 Unauthorized")
    elif path == "/type":
        await client.page(b"", type_=f"image/{key}")
    elif path == "/long":
        await client.page(b"x" * 990 + key.encode())
    else:
        spelt = [
            key,
            quote(key),
            quote_plus(key),
            html.escape(key),
            json.dumps(key)[1:-1],
            key.replace("/", "\\/"),
        ]
        spelt += [quote(key[:9]) + key[9:], html.escape(key, quote=False), key.replace('"', "&#34;")]
        await client.page("|".join(spelt).encode(), f"X-Echo: {key}", "Set-Cookie: session=1")


@pytest.fixture
def server() -> Iterator[Server]:
    with Server({"": behave}) as running:
        yield running


def fetch(server: Server, url: str) -> Page | Trouble:
    async def main() -> Page | Trouble:
        connect_to = ("127.0.0.1", server.port)
        async with Fetcher(connect_to=connect_to, credentials=OWN, limits=Limits(max_bytes=1_000)) as fetcher:
            return await fetcher.fetch(url)

    return asyncio.run(main())


def keys(server: Server) -> list[tuple[str, bool]]:
    return [(asked.host, "x-key" in asked.headers) for asked in server.log]


@pytest.mark.parametrize(
    ("url", "gets_it"),
    [
        ("https://data.example.org/", True),
        ("HTTPS://DATA.example.org:443/", True),
        ("http://data.example.org/", False),
        ("https://data.example.org:8443/", False),
        ("https://www.data.example.org/", False),
        ("https://example.org/", False),
        ("https://data.example.org.evil.com/", False),
        ("http://plain.example.org:8080/", True),
        ("http://plain.example.org/", False),
        ("https://plain.example.org:8080/", False),
    ],
)
def test_only_its_origin_gets_it(server: Server, url: str, gets_it: bool) -> None:
    fetch(server, url)
    assert [sent for _, sent in keys(server)] == [gets_it]


@pytest.mark.parametrize("place", ["https://b.example.org/", "http://data.example.org/", "//data.example.org:1/"])
def test_no_redirect_takes_it_elsewhere(server: Server, place: str) -> None:
    fetch(server, f"https://data.example.org/to/{place}")
    assert [sent for _, sent in keys(server)] == [True, False]


def test_a_redirect_to_its_origin_brings_it(server: Server) -> None:
    fetch(server, "https://b.example.org/to/https://data.example.org/")
    assert keys(server) == [("b.example.org", False), ("data.example.org", True)]


def test_what_the_server_repeats_is_not_in_the_page(server: Server) -> None:
    page = fetch(server, "https://data.example.org/")
    assert isinstance(page, Page)
    assert set(page.body.split(b"|")) == {MARK}
    assert page.headers["x-echo"] == MARK.decode()
    assert "set-cookie" not in page.headers


def test_who_was_not_sent_it_may_know_it_all_the_same(server: Server) -> None:
    """Such as the same host by http; what is public of others is kept, with its cookies."""
    page = fetch(server, f"https://b.example.org/say/{quote(TOKEN, safe='')}")
    assert isinstance(page, Page)
    assert page.body == b"it is " + MARK
    assert page.headers["set-cookie"] == "a=1"


def test_what_a_redirect_repeats_goes_nowhere(server: Server) -> None:
    fetch(server, "https://data.example.org/tell")
    assert server.log[-1].target == f"/?{MARK.decode()}"


def test_half_a_secret_at_the_end_of_what_was_cut(server: Server) -> None:
    page = fetch(server, "https://data.example.org/long")
    assert isinstance(page, Page)
    assert page.truncated
    assert set(page.body) == {ord("x")}


def test_troubles(server: Server) -> None:
    assert str(fetch(server, "https://data.example.org/type")) == f"content-type: image/{MARK.decode()}"
    refused = fetch(server, "https://data.example.org/no")
    assert str(refused) == "http-4xx: status 401 (the spec's credentials for this host were sent)"
    refused = fetch(server, "http://data.example.org/no")
    assert str(refused) == "http-4xx: status 401 (the spec's credentials for this host are sent by https only)"
    assert str(fetch(server, "https://b.example.org/no")) == "http-4xx: status 401"
