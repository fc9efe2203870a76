"""Sessions in a signed cookie, CSRF tokens bound to them, and the token that lets one in."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections import deque
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from sundog.errors import SundogError

TOO_MANY_WRONG = "there were too many wrong tokens: wait a minute"
MOST_WRONG, WITHIN = 10, 60.0  # wrong tokens in so many seconds close the door for as long
SECONDS = 30 * 86_400  # that a cookie lasts


class Session(NamedTuple):
    """``known``: it has shown the token."""

    name: str
    known: bool


class Sessions:
    """Signs and checks. The secret outlives the server, so browsers stay logged in when it is restarted."""

    def __init__(self, folder: Path, token: str) -> None:
        self._secret = _kept_secret(folder / "secret")
        self._token = token
        self._wrong: deque[float] = deque(maxlen=MOST_WRONG)
        self.cookie = f"sundog_{hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:8]}"

    @property
    def needs_token(self) -> bool:
        return bool(self._token)

    def new(self, *, known: bool) -> Session:
        return Session(secrets.token_urlsafe(18), known)

    def find(self, cookies: str) -> Session | None:
        """The session in a Cookie header, if we have signed it."""
        try:
            morsel = SimpleCookie(cookies).get(self.cookie)
        except CookieError:
            return None
        name, _, rest = morsel.value.partition(".") if morsel else ("", "", "")
        known, _, signature = rest.partition(".")
        if name and hmac.compare_digest(signature.encode(), self._signature(name, known).encode()):
            return Session(name, known == "1")
        return None

    def header(self, session: Session) -> str:
        """As Set-Cookie has it."""
        known = "1" if session.known else "0"
        value = f"{session.name}.{known}.{self._signature(session.name, known)}"
        return f"{self.cookie}={value}; Path=/; Max-Age={SECONDS}; HttpOnly; SameSite=Strict"

    def csrf(self, session: Session) -> str:
        return self._sign(f"csrf {session.name} {session.known}")

    def is_csrf(self, session: Session, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self.csrf(session).encode())

    @property
    def is_closed(self) -> bool:
        """After too many wrong tokens."""
        return len(self._wrong) == MOST_WRONG and monotonic() - self._wrong[0] < WITHIN

    def is_token(self, given: str) -> bool:
        if not self._token or self.is_closed:
            return False
        if hmac.compare_digest(given.encode(), self._token.encode()):
            return True
        self._wrong.append(monotonic())
        return False

    def _signature(self, name: str, known: str) -> str:
        """Of one token only: with another, everybody has to show it."""
        return self._sign(f"session {name} {known} {self._token}")

    def _sign(self, text: str) -> str:
        return hmac.new(self._secret, text.encode(), hashlib.sha256).hexdigest()


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
