"""Cookies by RFC 6265, in bounds whatever servers send."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sundog.fetch import cookies
from sundog.fetch.cookies import Cookies
from sundog.fetch.fetcher import Fetcher
from sundog.fetch.pace import Manners, Pace
from sundog.fetch.polite import PoliteFetcher, steady_clock
from sundog.fetch.robots import Robots
from sundog.fetch.target import Target, parse_target
from sundog.fetch.values import Page, Trouble
from tests.fetch.server import Client, Server

SHOP = "https://www.shop.co.uk/a/b"
SESSION = "f81d4fae-7dec-11d0-a765"


def target(url: str) -> Target:
    found = parse_target(url, max_length=2_048)
    assert isinstance(found, Target)
    return found


attributes = st.lists(
    st.sampled_from(
        'a=1 ; = Domain=co.uk Domain=.shop.co.uk Path=/ " \\015 Expires=0 Max-Age=9 Secure \t , x=é'.split(" ")
    ),
    max_size=12,
).map(" ".join)


class Jar:
    """Cookies without a server."""

    def __init__(self) -> None:
        self.cookies = Cookies()

    def sets(self, url: str, *values: str) -> None:
        self.cookies.take([(b"Set-Cookie", value.encode("latin-1")) for value in values], target(url))

    def names(self, url: str) -> set[str]:
        header = self.cookies.sent_to(target(url)).header
        return {pair.partition("=")[0] for pair in header.split("; ") if pair}


def with_jar(test: Callable[[Jar], Any]) -> Callable[[], None]:
    """aiohttp's jars want a running loop."""

    async def run() -> None:
        test(Jar())

    return lambda: asyncio.run(run())


@with_jar
def test_domain_and_path_and_secure(jar: Jar) -> None:
    jar.sets(SHOP, "host=1; Path=/", "domain=2; Domain=.shop.co.uk; Path=/", "path=3; Path=/a", "near=4")
    jar.sets(SHOP, "safe=5; Path=/; Secure")
    assert jar.names("https://www.shop.co.uk/a/c") == {"host", "domain", "path", "near", "safe"}
    assert jar.names("https://www.shop.co.uk/ab") == {"host", "domain", "safe"}
    assert jar.names("http://www.shop.co.uk/") == {"host", "domain"}
    assert jar.names("https://other.shop.co.uk/") == jar.names("https://shop.co.uk/") == {"domain"}
    assert jar.names("https://evil-shop.co.uk/") == jar.names("https://www.shop.co.uk.evil.com/") == set()


@with_jar
def test_no_cookie_is_for_others(jar: Jar) -> None:
    """Nor is one for a public suffix, however that is written; nor is one secure that came by http."""
    jar.sets(SHOP, "a=1; Domain=evil.com", "b=1; Domain=co.uk", 'c=1; Domain="co.uk"', "d=1; Path=/ Domain=.CO.UK")
    jar.sets(SHOP, "e=1; Domain=uk", "f=1; Domain=www.other.co.uk", "g=1; Domain=x.www.shop.co.uk")
    jar.sets("http://www.shop.co.uk/", "h=1; Secure; Path=/")
    jar.sets("https://me.github.io/", "i=1; Domain=github.io")
    for url in (
        SHOP,
        "https://evil.com/",
        "https://other.co.uk/",
        "https://x.www.shop.co.uk/",
        "https://you.github.io/",
    ):
        assert jar.names(url) == set()
    assert len(jar.cookies) == 0


@with_jar
def test_they_end(jar: Jar) -> None:
    jar.sets(SHOP, "a=1; Path=/", "b=1; Path=/", "c=1; Path=/; Max-Age=1000", "d=1; Path=/")
    jar.sets(SHOP, "a=; Path=/; Max-Age=0", "b=; Path=/; Expires=Wed, 09 Jun 2021 10:18:14 GMT")
    jar.sets(SHOP, "d=2; Path=/; Max-Age=99999999999999999999999999")
    assert jar.cookies.sent_to(target(SHOP)).header.split("; ") == ["c=1", "d=2"]


@with_jar
def test_hosts_may_be_addresses(jar: Jar) -> None:
    jar.sets("http://10.0.0.1/", "a=1")
    jar.sets("http://[::1]:8080/", "b=1")
    assert (jar.names("http://10.0.0.1/x"), jar.names("http://[::1]:8080/"), jar.names("http://0.0.1/")) == (
        {"a"},
        {"b"},
        set(),
    )


@with_jar
def test_what_is_broken_or_huge_is_not_kept(jar: Jar) -> None:
    jar.sets(SHOP, "a=\x00b", "a\x1b[31m=1", "a=b\r\nX-Evil: 1", "a=\xff", "=1", "a", "", ";;;", "a b=1")
    jar.sets(SHOP, f"a={'x' * cookies.LONGEST}", f"{'n' * 5_000}=1", f"a=1; Path=/{'p' * 5_000}")
    assert len(jar.cookies) == 0


@settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(st.text(st.characters(max_codepoint=255), max_size=60), attributes), max_size=8))
def test_whatever_is_set_the_header_is_harmless(values: list[str]) -> None:
    def run(jar: Jar) -> None:
        jar.sets(SHOP, *values)
        header = jar.cookies.sent_to(target(SHOP)).header
        assert header.isascii()
        assert header.isprintable() or not header
        assert jar.names("https://other.co.uk/") == set()

    with_jar(run)()


@with_jar
def test_thousands(jar: Jar) -> None:
    jar.sets("http://a.example/", "mine=1")
    for number in range(300):
        jar.sets("http://evil.example/", *(f"n{number}-{each}=1; Path=/{each}" for each in range(100)))
    assert len(jar.cookies) == cookies.MOST_A_SITE + 1
    jar.sets("http://evil.example/", "n0-3=; Path=/3; Max-Age=0")  # what is known can be ended
    assert len(jar.cookies) == cookies.MOST_A_SITE
    assert jar.names("http://a.example/") == {"mine"}
    for number in range(cookies.MOST_SITES + 10):
        jar.sets(f"http://h{number}.example/", "a=1")
        jar.names("http://a.example/")  # whoever is asked keeps its cookies
    assert len(jar.cookies) == cookies.MOST_SITES
    assert jar.names("http://a.example/") == {"mine"}


@with_jar
def test_one_name_for_thousands_of_paths(jar: Jar) -> None:
    for number in range(300):
        jar.sets("http://evil.example/", *(f"n=1; Path=/{number}/{each}" for each in range(20)))
        assert len(jar.cookies) <= cookies.MOST_A_SITE


@with_jar
def test_the_header_is_short(jar: Jar) -> None:
    for number in range(cookies.MOST_A_SITE):
        jar.sets(SHOP, f"n{number}={'x' * 4_000}; Path=/")
    assert 4_000 < len(jar.cookies.sent_to(target(SHOP)).header) <= cookies.LONGEST_HEADER


# -- with a server ----------------------------------------------------------------------------------------------


async def behave(client: Client) -> None:
    """Shows cookies; a wall lets nobody in who has none; the other host is one redirect away."""
    host, path, sent = client.asked.host, client.asked.target, client.asked.headers.get("cookie", "")
    if path == "/robots.txt":
        await client.page(b"User-agent: *\nAllow: /", "Set-Cookie: robots=1; Path=/", type_="text/plain")
    elif path == "/away":
        await client.page(b"", "Location: http://b.example/", "Set-Cookie: a=1; Path=/", status="302 Found")
    elif path == "/wall" and not sent:
        lines = "Location: /wall", f"Set-Cookie: sid={SESSION}; Path=/; HttpOnly"
        await client.page(b"", *lines, status="302 Found")
    else:
        await client.page(f"{host} got {sent}".encode(), "Set-Cookie: seen=yes; Path=/")


@pytest.fixture
def server() -> Iterator[Server]:
    with Server({"": behave}) as running:
        yield running


def fetch(server: Server, *urls: str, kept: bool = True) -> list[Page | Trouble]:
    async def main() -> list[Page | Trouble]:
        connect_to = ("127.0.0.1", server.port)
        async with Fetcher(connect_to=connect_to, clock=steady_clock(), cookies=kept) as fetcher:
            polite = PoliteFetcher(fetcher, pace=Pace(Manners(delay=0.0)), robots=Robots(fetcher.agent))
            return [await polite.fetch(url) for url in urls]

    return asyncio.run(main())


def test_hosts_behind_one_address_have_their_own(server: Server) -> None:
    fetch(server, "http://a.example/away", "http://a.example/", "http://b.example/")
    sent = [(asked.host, asked.target, asked.headers.get("cookie")) for asked in server.log]
    assert sent == [
        ("a.example", "/robots.txt", None),
        ("a.example", "/away", None),
        ("b.example", "/robots.txt", None),
        ("b.example", "/", None),
        ("a.example", "/", "a=1"),
        ("b.example", "/", "seen=yes"),
    ]


def test_a_wall_that_wants_a_cookie(server: Server) -> None:
    """The page shows the session to whoever has it, and what proves a login is kept out of pages."""
    (page,) = fetch(server, "http://a.example/wall")
    assert isinstance(page, Page)
    assert page.body == b"a.example got sid=********"
    assert "set-cookie" not in page.headers
    assert server.log[-1].headers["cookie"] == f"sid={SESSION}"


def test_without_the_setting_none_is_kept(server: Server) -> None:
    (trouble,) = fetch(server, "http://a.example/wall", kept=False)
    assert (isinstance(trouble, Trouble), getattr(trouble, "kind", "")) == (True, "redirect-loop")
    assert not any("cookie" in asked.headers for asked in server.log)
