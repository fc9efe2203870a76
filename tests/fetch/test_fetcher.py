"""Whatever a server does, a fetch ends in time, with a page or a trouble of its kind."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from sundog.errors import UsageError
from sundog.fetch.fetcher import Fetcher
from sundog.fetch.robots import ROBOTS_LIMITS, Robots
from sundog.fetch.values import TROUBLE_KINDS, Limits, Page, Trouble, TroubleKind, trouble
from tests.fetch.behaviours import BEHAVIOURS, PAGE
from tests.fetch.server import Server

SHORT = Limits(connect=1.0, first_byte=0.6, total=1.5, min_speed=1_000.0, speed_grace=0.4, max_bytes=3_000_000)
TROUBLES = {
    "drop": "connection-lost",
    "reset": "connection-lost",
    "half-status": "connection-lost",
    "half-headers": "connection-lost",
    "silent": "timeout-first-byte",
    "half-headers-hang": "timeout-first-byte",
    "drip-headers": "timeout-first-byte",
    "drip-body": "too-slow",
    "long-body": "timeout-total",
    "stall": "too-slow",
    "endless-headers": "bad-header",
    "endless-header": "bad-header",
    "giant-header": "bad-header",
    "many-headers": "bad-header",
    "endless-continue": "timeout-first-byte",
    "upgrade": "bad-header",
    "length-too-long": "connection-lost",
    "length-too-short": "bad-header",
    "length-negative": "bad-header",
    "length-no-number": "bad-header",
    "length-twice": "bad-header",
    "length-huge": "bad-header",
    "bad-chunk": "bad-encoding",
    "cut-chunk": "connection-lost",
    "not-http": "bad-header",
    "http-0.9": "bad-header",
    "garbage": "bad-header",
    "status-0": "bad-header",
    "status-999": "bad-header",
    "null-in-header": "bad-header",
    "redirect-loop": "redirect-loop",
    "redirect-loop-2": "redirect-loop",
    "redirect-loop-3": "redirect-loop",
    "redirect-chain": "too-many-redirects",
    "redirect-loopback": "private-address",
    "redirect-localhost": "private-address",
    "redirect-decimal": "private-address",
    "redirect-metadata": "private-address",
    "redirect-mapped": "private-address",
    "redirect-file": "bad-redirect",
    "redirect-password": "bad-redirect",
    "redirect-nowhere": "bad-redirect",
    "redirect-bad": "bad-redirect",
    "redirect-long": "bad-redirect",
    "bomb-gzip": "bomb",
    "bomb-br": "bomb",
    "bomb-zstd": "bomb",
    "bomb-twice": "bomb",
    "gzip-not": "bad-encoding",
    "br-not": "bad-encoding",
    "coding-unknown": "bad-encoding",
    "coding-tower": "bad-encoding",
    "image": "content-type",
    "endless-video": "content-type",
    "auth": "http-4xx",
    "endless-404": "http-4xx",
    "gone": "http-4xx",
    "too-many": "rate-limited",
    "busy": "rate-limited",
    "broken": "http-5xx",
    "never": "http-5xx",
    "unasked-304": "bad-redirect",
}
PAGES = {
    "": b"<a href",
    "fine": PAGE,
    "continue": b"ok",
    "endless-body": b"x" * SHORT.max_bytes,
    "endless-chunks": b"x" * SHORT.max_bytes,
    "two-answers": b"first",
    "bad-bytes-in-header": PAGE,
    "bad-charset": b"caf\xe9 \xff",
    "redirect-fine": PAGE,
    "redirect-other-host": PAGE,
    "gzip": PAGE,
    "deflate": PAGE,
    "br": PAGE,
    "zstd": PAGE,
    "no-type": b"hello",
    "no-content": b"",
    "cookies": b"none",
    "unchanged": PAGE,
    "many-links": b"<a href",
    "robots.txt": b"User-agent",
}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server(BEHAVIOURS) as running:
        yield running


def fetch(server: Server, *urls: str, limits: Limits = SHORT, settings: Any = None, **asking: Any) -> list[Any]:
    """The outcomes of fetching the URLs one after another, with one fetcher."""
    settings = {"connect_to": ("127.0.0.1", server.port), "limits": limits} | (settings or {})

    async def run() -> list[Page | Trouble]:
        async with Fetcher(**settings) as fetcher:
            return [await fetcher.fetch(url, **asking) for url in urls]

    return asyncio.run(run())


def bad(name: str) -> str:
    return f"https://bad.example/{name}"


@pytest.mark.parametrize("name", TROUBLES)
def test_a_misbehaviour_is_a_trouble_of_its_kind(server: Server, name: str) -> None:
    began = time.monotonic()
    (result,) = fetch(server, bad(name))
    assert isinstance(result, Trouble), result
    assert (result.kind, result.was_asked) == (TROUBLES[name], True)
    assert result.detail.isprintable()
    assert time.monotonic() - began < 60.0  # it ends; how soon is the machine's business


@pytest.mark.parametrize("name", PAGES)
def test_what_is_odd_but_readable_is_a_page(server: Server, name: str) -> None:
    (page,) = fetch(server, bad(name))
    assert isinstance(page, Page), page
    assert page.body.startswith(PAGES[name])
    assert page.truncated == name.startswith(("endless", "robots"))
    assert len(page.body) <= SHORT.max_bytes


def test_every_behaviour_is_expected() -> None:
    assert set(BEHAVIOURS) == set(TROUBLES) | set(PAGES)
    assert len(BEHAVIOURS) >= 30


@pytest.mark.parametrize(
    "name", ["drop", "reset", "half-headers", "silent", "broken", "cut-chunk", "length-too-long"]
)
def test_nothing_is_asked_twice(server: Server, name: str) -> None:
    before = server.times_asked(f"/{name}")
    fetch(server, bad("fine"), bad(name))  # also not on a connection that was used before
    assert server.times_asked(f"/{name}") == before + 1


@pytest.mark.parametrize("name", ["two-answers", "length-too-short"])
def test_an_answer_too_many_is_nobodys(server: Server, name: str) -> None:
    results = fetch(server, bad(name), bad("fine"), bad("fine"))
    assert [result.body for result in results[1:]] == [PAGE, PAGE]


def test_hosts_share_connections_and_keep_their_names(server: Server) -> None:
    fetch(server, "http://one.example/fine", "https://two.example:8443/fine?a=b#c", "http://[2606:4700::1]/fine")
    assert [asked.host for asked in server.log[-3:]] == ["one.example", "two.example:8443", "[2606:4700::1]"]
    assert server.log[-2].target == "/fine?a=b"
    assert "+https://" in server.log[-1].headers["user-agent"]


def test_cookies_are_not_kept(server: Server) -> None:
    results = fetch(server, bad("cookies"), bad("cookies"))
    assert [result.body for result in results] == [b"none", b"none"]


def test_headers_of_any_bytes_are_readable(server: Server) -> None:
    (page,) = fetch(server, bad("bad-bytes-in-header"))
    assert page.headers["x-name"] == "caf\xe9 \xff, two"


def test_redirects_are_recorded(server: Server) -> None:
    (page,) = fetch(server, bad("redirect-other-host"))
    assert (page.asked, page.url) == (bad("redirect-other-host"), "https://other.example/fine")
    assert [(hop.url, hop.status) for hop in page.redirects] == [(bad("redirect-other-host"), 302)]
    assert page.redirects[0].asked_at <= page.redirects[0].answered_at <= page.asked_at <= page.answered_at


def test_redirects_are_checked_before_they_are_followed(server: Server) -> None:
    seen: list[str] = []

    async def check(url: str) -> Trouble:
        seen.append(url)
        return trouble("redirect-out-of-scope", "not here", was_asked=False)

    before = len(server.log)
    (result,) = fetch(server, bad("redirect-other-host"), check=check)
    assert (result.kind, result.was_asked, seen) == ("redirect-out-of-scope", True, ["https://other.example/fine"])
    assert len(server.log) == before + 1


def test_the_time_a_check_takes_is_not_the_servers(server: Server) -> None:
    async def check(_: str) -> None:
        await asyncio.sleep(SHORT.total + 0.1)

    (result,) = fetch(server, bad("redirect-fine"), check=check)
    assert isinstance(result, Page)


def test_conditional_requests(server: Server) -> None:
    (page,) = fetch(server, bad("unchanged"), etag='"v1"')
    assert (page.not_modified, page.status, page.body) == (True, 304, b"")
    (page,) = fetch(server, bad("unchanged"), etag='"v1"\r\nX: injected', last_modified="\xff")
    assert not page.not_modified


def test_when_to_ask_again(server: Server) -> None:
    results = fetch(server, *map(bad, ("too-many", "busy", "broken", "never", "gone")))
    assert [result.healable for result in results] == [True, True, True, False, False]
    assert [result.retry_after for result in results] == [7.0, 86_400.0, None, None, None]


def test_types_can_be_chosen(server: Server) -> None:
    (page,) = fetch(server, bad("image"), limits=Limits(types=None))
    assert page.media_type == "image/png"


def test_robots_of_fifty_megabytes(server: Server) -> None:
    began = time.monotonic()
    (page,) = fetch(server, bad("robots.txt"), limits=ROBOTS_LIMITS)
    rules = Robots("sundog/1 (+https://a.example)").learn("https://bad.example", page, 0.0)
    assert (len(page.body), page.truncated) == (ROBOTS_LIMITS.max_bytes, True)
    assert not rules.allows(bad("secret/x"))
    assert time.monotonic() - began < 30.0


BAD_URLS = """ftp://bad.example/ http:// not-a-url http://me:pass@bad.example/ file:///etc/passwd
data:text/html,x javascript:alert(1) http://[::1 http://a%00b/"""


@pytest.mark.parametrize(
    "url",
    [*BAD_URLS.split(), "http://bad.example/" + "x" * 5_000, "http://bad.example/\ud800", "http://a b/"],
)
def test_bad_urls_are_not_asked(server: Server, url: str) -> None:
    (result,) = fetch(server, url)
    assert (result.kind, result.was_asked) == ("bad-url", False)


PRIVATE = """127.0.0.1 127.1 0x7f.1 2130706433 0 0.0.0.0 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1
224.0.0.1 255.255.255.255 198.18.0.1 [::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [64:ff9b::7f00:1] [64:ff9b:1::1]
[fe80::1] [fc00::1] [ff02::1] [2002:7f00:1::] [2001::1] [2001:db8::1] localhost LOCALHOST localhost. a.localhost
%6c%6f%63alhost 127.0.0.1. ①②⑦.0.0.1"""


@pytest.mark.parametrize("host", PRIVATE.split())
def test_private_addresses_are_refused_though_connect_to_would_serve_them(server: Server, host: str) -> None:
    before = len(server.log)
    (result,) = fetch(server, f"http://{host}/fine")
    assert (result.kind, result.was_asked) == ("private-address", False)
    assert len(server.log) == before


@pytest.mark.parametrize("answer", [["127.0.0.1"], ["93.184.215.14", "127.0.0.1"], ["::1"], ["::ffff:127.0.0.1"]])
def test_names_that_lead_to_private_addresses_are_refused(server: Server, answer: list[str]) -> None:
    settings = {"connect_to": None, "look_up": lambda host, port: answer}
    before = len(server.log)
    (result,) = fetch(server, f"http://bad.example:{server.port}/fine", settings=settings)
    assert (result.kind, result.was_asked) == ("private-address", False)
    assert len(server.log) == before


def test_connections_go_to_the_address_that_was_checked(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """One look-up, one check of its answer, one connection there: a name has no second chance to answer."""
    checked: list[str] = []
    answers = iter([["127.0.0.1"]])
    monkeypatch.setattr("sundog.fetch.resolver.is_public", lambda address: checked.append(address) or True)
    settings = {"connect_to": None, "look_up": lambda host, port: next(answers)}
    (page,) = fetch(server, f"http://bad.example:{server.port}/fine", settings=settings)
    assert (page.body, page.address, checked) == (PAGE, "127.0.0.1", ["127.0.0.1"])


def test_private_addresses_may_be_allowed(server: Server) -> None:
    settings = {"connect_to": None, "allow_private": True}
    (page,) = fetch(server, f"http://127.0.0.1:{server.port}/fine", settings=settings)
    assert (page.body, page.address) == (PAGE, "127.0.0.1")


def test_troubles_below_http(server: Server) -> None:
    def look_up(host: str, port: int) -> list[str]:
        if host.startswith("unknown"):
            raise OSError("no such name")
        if host.startswith("slow"):
            time.sleep(0.5)
        return [] if host.startswith("empty") else ["127.0.0.1"]

    settings = {"connect_to": None, "allow_private": True, "look_up": look_up}
    urls = {
        "http://unknown.example/": "dns",
        "http://empty.example/": "dns",
        "http://closed.example:1/": "connection-refused",
        f"https://plain.example:{server.port}/": "tls",
        f"https://self-signed.example:{server.tls_port}/": "tls",
    }
    results = fetch(server, *urls, limits=Limits(total=30.0), settings=settings)
    assert [result.kind for result in results] == list(urls.values())
    (result,) = fetch(server, "http://slow.example/", limits=Limits(connect=0.1), settings=settings)
    assert (result.kind, result.healable) == ("timeout-connect", True)


def test_a_proxy_is_asked_for_everything(server: Server) -> None:
    settings = {"connect_to": None, "proxy": f"http://127.0.0.1:{server.port}"}
    fetch(server, "http://far.example/fine", settings=settings)
    assert (server.log[-1].host, server.log[-1].target) == ("far.example", "http://far.example/fine")


def test_many_at_once(server: Server) -> None:
    """Troubles of some do not touch the others, and a cancelled one leaves nothing behind."""
    names = ["fine", "drop", "reset", "garbage", "gzip-not", "broken", "redirect-loop", "fine"] * 6

    async def run() -> list[Any]:
        async with Fetcher(connect_to=("127.0.0.1", server.port), limits=Limits(total=5.0)) as fetcher:
            stuck = asyncio.create_task(fetcher.fetch(bad("silent")))
            results = await asyncio.gather(*(fetcher.fetch(bad(name)) for name in names))
            stuck.cancel()
            with pytest.raises(asyncio.CancelledError):
                await stuck
            return results

    results = asyncio.run(run())
    found = [result.body if isinstance(result, Page) else result.kind for result in results]
    assert found == [TROUBLES.get(name, PAGE) for name in names]


def test_time_limits_of_the_caller_are_the_callers(server: Server) -> None:
    async def run() -> None:
        async with Fetcher(connect_to=("127.0.0.1", server.port), limits=SHORT) as fetcher, asyncio.timeout(0.1):
            await fetcher.fetch(bad("silent"))

    with pytest.raises(TimeoutError):
        asyncio.run(run())


def test_an_agent_has_a_contact() -> None:
    with pytest.raises(UsageError, match="no contact"):
        Fetcher(agent="a bot")


def test_kinds_are_closed_and_documented() -> None:
    assert set(get_args(TroubleKind)) == set(TROUBLE_KINDS)
    docs = (Path(__file__).parents[2] / "docs" / "fetching.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `([a-z0-9-]+)` \|", docs, re.MULTILINE)) >= set(TROUBLE_KINDS)
