"""Sessions in a signed cookie, CSRF tokens bound to them, and the token that lets one in."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import secrets
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from time import time
from typing import NamedTuple

from sundog.errors import SundogError, unreadable
from sundog.files import write_whole
from sundog.web.guard.wrong_tokens import WrongTokens

TOO_MANY_WRONG = "there were too many wrong tokens from your address: wait a minute"
UNGUESSABLE = 32  # characters of a token that is let in whatever else its address has tried
SECRET = "secret"  # the file
ENDED = "ended-sessions"  # the file with those that have logged out, one a line
SECONDS = 30 * 86_400  # that a cookie lasts


class Session(NamedTuple):
    """``known``: it has shown the token."""

    name: str
    known: bool


class Sessions:
    """Signs and checks. The secret outlives the server, so browsers stay logged in when it is restarted."""

    def __init__(self, folder: Path, token: str) -> None:
        self._secret = _kept_secret(folder / SECRET)
        self._token = token
        self._wrong = WrongTokens()
        self._ended_file = folder / ENDED
        self._ended = _names_in(self._ended_file)
        cookie = f"sundog_{hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:8]}"
        # A browser that follows a link of another site sends no cookie, and gets that of a visitor: had both one
        # name, any such link would log it out.
        self._cookies = {True: cookie, False: f"{cookie}_visitor"}

    @property
    def needs_token(self) -> bool:
        return bool(self._token)

    def new(self, *, known: bool) -> Session:
        """Its name has the time of its end, so that one that was logged out need not be remembered for longer."""
        return Session(f"{secrets.token_urlsafe(18)}~{int(time()) + SECONDS}", known)

    def end(self, session: Session) -> None:
        """Whoever has its cookie is out, also after the server was started again."""
        self._ended = {name for name in self._ended if not _is_past(name)} | {session.name}
        write_whole(self._ended_file, "".join(f"{name}\n" for name in sorted(self._ended)).encode())

    def gone_header(self) -> str:
        """Set-Cookie that takes the cookie of one who was let in."""
        return f"{self._cookies[True]}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict"

    def find(self, cookies: str) -> Session | None:
        """The session in a Cookie header, if we have signed it."""
        try:
            found = SimpleCookie(cookies)
        except CookieError:
            return None
        for known, cookie in self._cookies.items():
            name, _, signature = found[cookie].value.partition(".") if cookie in found else ("", "", "")
            session = Session(name, known)
            if not name or not hmac.compare_digest(signature.encode(), self._signature(session).encode()):
                continue
            if name not in self._ended and not _is_past(name):
                return session
        return None

    def header(self, session: Session) -> str:
        """As Set-Cookie has it."""
        value = f"{session.name}.{self._signature(session)}"
        return f"{self._cookies[session.known]}={value}; Path=/; Max-Age={SECONDS}; HttpOnly; SameSite=Strict"

    def csrf(self, session: Session) -> str:
        return self._sign(f"csrf {session.name} {session.known}")

    def is_csrf(self, session: Session, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self.csrf(session).encode())

    def is_closed(self, address: str) -> bool:
        """After too many wrong tokens from there."""
        return self._wrong.is_closed(address)

    def is_token(self, given: str, address: str) -> bool:
        """A short token might be guessed, so it is not even compared while the address is closed. A long one is:
        all users of this machine have one address, and none of them shall lock out the others."""
        if not self._token or (self.is_closed(address) and len(self._token) < UNGUESSABLE):
            return False
        if hmac.compare_digest(given.encode(), self._token.encode()):
            return True
        self._wrong.add(address)
        return False

    def _signature(self, session: Session) -> str:
        """Of one token only: with another, everybody has to show it."""
        return self._sign(f"session {session.name} {session.known} {self._token}")

    def _sign(self, text: str) -> str:
        return hmac.new(self._secret, text.encode(), hashlib.sha256).hexdigest()


def _is_past(name: str) -> bool:
    """Sessions of earlier versions have no end."""
    end = name.partition("~")[2]
    return end.isdecimal() and int(end) < time()


def _names_in(path: Path) -> set[str]:
    try:
        return set(path.read_text(encoding="utf-8").split())
    except FileNotFoundError:
        return set()
    except (OSError, UnicodeDecodeError) as error:
        raise unreadable(path, error) from None


def own_token(folder: Path) -> str:
    """The token of a root that was given none: the same as long as its secret is."""
    digest = hmac.new(_kept_secret(folder / SECRET), b"token", hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def _kept_secret(path: Path) -> bytes:
    try:
        if not path.exists():
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(secrets.token_bytes(32))
        found = path.read_bytes()
    except OSError as error:
        raise SundogError(f"{path} cannot be made or read: {error.strerror}") from None
    if len(found) < 32:
        raise SundogError(f"{path} is damaged: remove it, and log in again")
    return found
