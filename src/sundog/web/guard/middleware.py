"""The guard before the application: host, size, session, token, CSRF; and headers for every answer."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

import orjson
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sundog.web.guard.hosts import is_allowed_host, same_origin
from sundog.web.guard.sessions import TOO_MANY_WRONG, Session, Sessions
from sundog.web.settings import Settings

MOST_BYTES = 2_000_000  # of a request's body
MOST_BYTES_OUTSIDE = 4_000  # of one without the token, which can only be to log in
SECONDS = 30.0  # until it is here
SAFE = ("GET", "HEAD", "OPTIONS")
READS = re.compile("/api/crawls/[^/]+/sparql")  # whatever the method: programs that ask have no CSRF token
OPEN = ("/login", "/api/login", "/static/", "/favicon.ico")  # without the token
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'"
)
POLICY_WITH_IMAGES = POLICY.replace("img-src 'self'", "img-src https: 'self'")
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


class _RefusedError(Exception):
    def __init__(self, status: int, reason: str, headers: Iterable[tuple[str, str]] = ()) -> None:
        self.status, self.reason, self.headers = status, reason, list(headers)


class Guard:
    def __init__(self, app: ASGIApp, settings: Settings, sessions: Sessions) -> None:
        self._app, self._settings, self._sessions = app, settings, sessions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        try:
            headers = Headers(scope=scope)
            self._check_host(headers)
            _check_site(scope, headers)
            session, fresh = self._session(scope, headers)
            is_in = self._check_token(scope, headers, session)
            self._check_csrf(scope, headers, session)
            body = await _body_in_time(headers, receive, MOST_BYTES if is_in else MOST_BYTES_OUTSIDE)
        except _RefusedError as refused:
            await _refuse(refused, send)
            return
        scope.setdefault("state", {})["session"] = session
        cookie = self._sessions.header(session) if fresh and not scope["path"].startswith("/static/") else ""
        await self._app(scope, _replayed_body(body, receive), _with_headers(send, cookie))

    def _check_host(self, headers: Headers) -> None:
        if not is_allowed_host(headers.get("host", ""), self._settings):
            raise _RefusedError(421, "this host name is not ours: name it at the start with --name")

    def _session(self, scope: Scope, headers: Headers) -> tuple[Session, bool]:
        found = self._sessions.find(headers.get("cookie", ""))
        return (found, False) if found else (self._sessions.new(known=False), True)

    def _check_token(self, scope: Scope, headers: Headers, session: Session) -> bool:
        """Whether it has the token; without it, only what leads to the token may be asked for."""
        path = scope["path"]
        if scope["method"] == "GET" and not path.startswith("/api/"):
            self._take_token_from_link(scope, session)
        if not self._sessions.needs_token or session.known or self._bears_token(scope, headers):
            return True
        if path.startswith(OPEN):
            return False
        if "authorization" in headers and self._sessions.is_closed(_address(scope)):
            raise _RefusedError(429, TOO_MANY_WRONG)
        if path.startswith("/api/"):
            raise _RefusedError(401, "the token is missing: log in, or send it as Authorization: Bearer TOKEN")
        raise _RefusedError(303, "", [("location", "/login")])

    def _take_token_from_link(self, scope: Scope, session: Session) -> None:
        """Right or wrong, needed or not, it goes out of the address at once: no history and no screen shows it."""
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = dict(query).get("token")
        if given is None:
            return
        rest = urlencode([(name, value) for name, value in query if name != "token"])
        where = "/" + quote(scope["path"].lstrip("/")) + (f"?{rest}" if rest else "")
        if not self._sessions.needs_token or session.known:
            raise _RefusedError(303, "", [("location", where)])
        if not self._sessions.is_token(given, _address(scope)):
            raise _RefusedError(303, "", [("location", "/login?wrong=1")])
        cookie = self._sessions.header(self._sessions.new(known=True))
        raise _RefusedError(303, "", [("location", where), ("set-cookie", cookie)])

    def _check_csrf(self, scope: Scope, headers: Headers, session: Session) -> None:
        if scope["method"] in SAFE:
            return
        origin = headers.get("origin")
        if origin is not None and not same_origin(origin, headers.get("host", "")):
            raise _RefusedError(403, "requests from other sites change nothing here")
        if READS.fullmatch(scope["path"]):
            return
        if self._bears_token(scope, headers) or self._sessions.is_csrf(session, headers.get("x-csrf-token", "")):
            return
        raise _RefusedError(403, "the header X-CSRF-Token is missing or wrong: reload the page")

    def _bears_token(self, scope: Scope, headers: Headers) -> bool:
        scheme, _, token = headers.get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and self._sessions.is_token(token.strip(), _address(scope))


def _address(scope: Scope) -> str:
    """Of the client; empty if it has none."""
    client = scope.get("client")
    return str(client[0]) if client else ""


def _check_site(scope: Scope, headers: Headers) -> None:
    """Pages may be linked to. But no other site can read the API, so none has a reason to make us work for it."""
    if scope["path"].startswith("/api/") and headers.get("sec-fetch-site") in ("cross-site", "same-site"):
        raise _RefusedError(403, "requests from other sites are not answered here")


async def _body_in_time(headers: Headers, receive: Receive, most: int) -> bytes:
    try:
        async with asyncio.timeout(SECONDS):
            return await _body(headers, receive, most)
    except TimeoutError:
        raise _RefusedError(408, f"a request may take {SECONDS:g} seconds at most") from None


async def _body(headers: Headers, receive: Receive, most: int) -> bytes:
    """All of it, before anybody acts upon a part."""
    too_large = _RefusedError(413, f"a request may have {most:,} bytes at most")
    announced = headers.get("content-length", "")
    if len(announced) > 12 or (announced.isdecimal() and int(announced) > most):
        raise too_large
    parts, size, more = [], 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _RefusedError(400, "the request ended before its end")
        parts.append(message.get("body", b""))
        size, more = size + len(parts[-1]), message.get("more_body", False)
        if size > most:
            raise too_large
    return b"".join(parts)


def _replayed_body(body: bytes, receive: Receive) -> Receive:
    """The body that was read already, then whatever comes: as a rule that the browser has left."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return waiting.pop() if waiting else await receive()

    return receive_again


def _with_headers(send: Send, cookie: str) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            if cookie and "set-cookie" not in headers:
                headers.append("set-cookie", cookie)
        await send(message)

    return send_with_headers


async def _refuse(refused: _RefusedError, send: Send) -> None:
    body = orjson.dumps({"error": refused.reason}) if refused.reason else b""
    named: list[Any] = [("content-type", "application/json"), *HEADERS.items(), *refused.headers]
    headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in named]
    headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
