"""What the misbehaving server does, by path; the docstrings say how each is meant."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from functools import cache

import brotli
from backports import zstd

from tests.fetch.server import Behaviour, Client

OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
PAGE = b"<!doctype html><title>A page</title><p>Hello."
MEGABYTE = 1_000_000


@cache
def bomb(coding: str) -> bytes:
    """50 MB of nothing, packed."""
    if coding == "gzip":
        return gzip.compress(bytes(50 * MEGABYTE), 6)
    if coding == "gzip, gzip":
        return gzip.compress(bomb("gzip"))
    if coding == "br":
        return bytes(brotli.compress(bytes(50 * MEGABYTE), quality=1))
    return zstd.compress(bytes(50 * MEGABYTE))


def sends(data: bytes, *, close: bool = True) -> Behaviour:
    async def behave(client: Client) -> object:
        await client.send(data)
        return "close" if close else None

    return behave


def hangs_after(data: bytes) -> Behaviour:
    async def behave(client: Client) -> None:
        await client.send(data)
        await asyncio.sleep(3)

    return behave


def repeats(start: bytes, again: bytes, every: float = 0.0) -> Behaviour:
    async def behave(client: Client) -> object:
        await client.send(start)
        await client.repeat(again, every)
        return "close"

    return behave


def page(body: bytes, *headers: str, status: str = "200 OK", type_: str = "text/html") -> Behaviour:
    async def behave(client: Client) -> None:
        await client.page(body, *headers, status=status, type_=type_)

    return behave


def packed(body: bytes, coding: str) -> Behaviour:
    return page(body, f"Content-Encoding: {coding}")


def redirects(location: str, status: str = "302 Found") -> Behaviour:
    return page(b"moved", f"Location: {location}", status=status)


async def drops(client: Client) -> object:
    return "close"


async def resets(client: Client) -> None:
    client.reset()


async def counts_up(client: Client) -> None:
    """Every page leads to the next one."""
    number = int(client.asked.target.partition("?")[2] or 0)
    await client.page(b"", f"Location: /redirect-chain?{number + 1}", status="301 Moved")


async def is_unchanged(client: Client) -> None:
    if client.asked.headers.get("if-none-match") == '"v1"':
        await client.send(b'HTTP/1.1 304 Not Modified\r\nETag: "v1"\r\n\r\n')
    else:
        await client.page(PAGE, 'ETag: "v1"')


async def sets_cookies(client: Client) -> None:
    seen = client.asked.headers.get("cookie", "none").encode()
    await client.page(seen, "Set-Cookie: id=1; Path=/", "Set-Cookie: id2=\xff; Domain=.example")


async def index(client: Client) -> None:
    links = "".join(f'<a href="/{name}">{name}</a>' for name in BEHAVIOURS if name)
    await client.page(links.encode())


RAW_DEFLATE = zlib.compressobj(wbits=-15)
BEHAVIOURS: dict[str, Behaviour] = {
    "": index,
    "fine": page(PAGE),
    "drop": drops,
    "reset": resets,
    "half-status": sends(b"HTTP/1.1 20"),
    "half-headers": sends(b"HTTP/1.1 200 OK\r\nContent-Ty"),
    "silent": hangs_after(b""),
    "half-headers-hang": hangs_after(b"HTTP/1.1 200 OK\r\nContent-Ty"),
    "drip-headers": repeats(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n", 0.1),
    "drip-body": repeats(OK + b"Content-Length: 100000\r\n\r\n", b"x", 0.05),
    "long-body": repeats(OK + b"Content-Length: 9000000\r\n\r\n", b"x" * 500, 0.05),
    "stall": hangs_after(OK + b"Content-Length: 100\r\n\r\nhalf"),
    "endless-body": repeats(OK + b"\r\n", b"x" * 65_536),
    "endless-chunks": repeats(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"4000\r\n" + b"x" * 0x4000 + b"\r\n"),
    "endless-headers": repeats(b"HTTP/1.1 200 OK\r\n", b"X-Header: more\r\n" * 100),
    "endless-header": repeats(b"HTTP/1.1 200 OK\r\nX: ", b"x" * 10_000),
    "giant-header": sends(OK + b"X: " + b"x" * MEGABYTE + b"\r\n\r\n"),
    "many-headers": sends(OK + b"X: y\r\n" * 1_000 + b"Content-Length: 0\r\n\r\n"),
    "endless-continue": repeats(b"", b"HTTP/1.1 100 Continue\r\n\r\n", 0.01),
    "continue": sends(b"HTTP/1.1 100 Continue\r\n\r\n" + OK + b"Content-Length: 2\r\n\r\nok", close=False),
    "upgrade": sends(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
    "length-too-long": sends(OK + b"Content-Length: 1000\r\n\r\nshort"),
    "length-too-short": sends(OK + b"Content-Length: 5\r\n\r\nhello and more", close=False),
    "length-negative": sends(OK + b"Content-Length: -5\r\n\r\nhello"),
    "length-no-number": sends(OK + b"Content-Length: many\r\n\r\nhello"),
    "length-twice": sends(OK + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!"),
    "length-huge": sends(OK + b"Content-Length: 99999999999999999999999\r\n\r\nhello"),
    "two-answers": sends(
        (OK + b"Content-Length: 5\r\n\r\nfirst") + (OK + b"Content-Length: 4\r\n\r\nevil"), close=False
    ),
    "bad-chunk": sends(OK + b"Transfer-Encoding: chunked\r\n\r\nZZ\r\nhello\r\n0\r\n\r\n"),
    "cut-chunk": sends(OK + b"Transfer-Encoding: chunked\r\n\r\nff\r\nhello"),
    "not-http": sends(b"220 mail.example ESMTP ready\r\n"),
    "http-0.9": sends(b"<html><p>No headers here."),
    "garbage": sends(bytes(range(256)) * 40),
    "status-0": sends(b"HTTP/1.1 000 Nothing\r\nContent-Length: 0\r\n\r\n"),
    "status-999": page(b"", status="999 Denied"),
    "null-in-header": sends(OK + b"X: a\0b\r\nContent-Length: 2\r\n\r\nok"),
    "bad-bytes-in-header": page(PAGE, "X-Name: caf\xe9 \xff", "X-Name: two"),
    "bad-charset": page("caf\xe9 \xff".encode("latin-1"), type_="text/html; charset=no-such-thing"),
    "redirect-loop": redirects("/redirect-loop#again"),
    "redirect-loop-2": redirects("/redirect-loop-3"),
    "redirect-loop-3": redirects("/redirect-loop-2"),
    "redirect-chain": counts_up,
    "redirect-fine": redirects("/fine", "308 Permanent"),
    "redirect-other-host": redirects("https://other.example/fine"),
    "redirect-loopback": redirects("http://127.0.0.1/"),
    "redirect-localhost": redirects("//localhost/"),
    "redirect-decimal": redirects("http://2130706433/"),
    "redirect-metadata": redirects("http://169.254.169.254/latest/meta-data/"),
    "redirect-mapped": redirects("http://[::ffff:10.0.0.1]/"),
    "redirect-file": redirects("file:///etc/passwd"),
    "redirect-password": redirects("http://me:secret@bad.example/fine"),
    "redirect-nowhere": page(b"", status="302 Found"),
    "redirect-bad": redirects("http://[bad/"),
    "redirect-long": redirects("/" + "x" * 7_000),
    "bomb-gzip": packed(bomb("gzip"), "gzip"),
    "bomb-br": packed(bomb("br"), "br"),
    "bomb-zstd": packed(bomb("zstd"), "zstd"),
    "bomb-twice": packed(bomb("gzip, gzip"), "gzip, gzip"),
    "gzip": packed(gzip.compress(PAGE), "gzip"),
    "deflate": packed(RAW_DEFLATE.compress(PAGE) + RAW_DEFLATE.flush(), "deflate"),
    "br": packed(brotli.compress(PAGE), "br"),
    "zstd": packed(zstd.compress(PAGE), "zstd"),
    "gzip-not": packed(PAGE, "gzip"),
    "br-not": packed(PAGE, "br"),
    "coding-unknown": packed(PAGE, "rot13"),
    "coding-tower": packed(PAGE, "gzip, gzip, gzip, gzip"),
    "image": page(b"\x89PNG", type_="image/png"),
    "endless-video": repeats(b"HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n", b"x" * 65_536),
    "no-type": sends(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", close=False),
    "no-content": sends(b"HTTP/1.1 204 No Content\r\n\r\n", close=False),
    "cookies": sets_cookies,
    "auth": page(b"who?", "WWW-Authenticate: Basic realm=x", status="401 Unauthorized"),
    "endless-404": repeats(b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n", b"x" * 65_536),
    "gone": page(b"gone", status="410 Gone"),
    "too-many": page(b"", "Retry-After: 7", status="429 Too Many"),
    "busy": page(b"", "Retry-After: Fri, 01 Jan 2100 00:00:00 GMT", status="503 Busy"),
    "broken": page(b"", status="500 Oops"),
    "never": page(b"", status="501 Never"),
    "unasked-304": sends(b"HTTP/1.1 304 Not Modified\r\n\r\n", close=False),
    "unchanged": is_unchanged,
    "many-links": page(b"".join(b'<a href="/l/%d">x</a>' % number for number in range(100_000))),
    "robots.txt": page((b"User-agent: *\nDisallow: /secret\n" + b"# filler\n" * 100_000) * 55, type_="text/plain"),
}
