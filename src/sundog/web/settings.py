"""How the server was started, e-mail included, as values that were checked."""

from __future__ import annotations

import ipaddress
import re
import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sundog.errors import UsageError, unreadable
from sundog.spec.tables import read_table
from sundog.texts import printable
from sundog.web import DEFAULT_AT_ONCE, DEFAULT_HOST, DEFAULT_PORT

EMAIL_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63}){0,8}")
LONGEST_SHOWN = 120  # characters of a text in a message
SHORTEST_TOKEN = 16  # characters


@dataclass(frozen=True, kw_only=True)
class Settings:
    root: Path
    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT
    token: str = field(default="", repr=False)
    names: frozenset[str] = frozenset()  # host names by which the server may be asked
    at_once: int = DEFAULT_AT_ONCE
    allow_private: bool = False
    connect_to: str = ""
    email: EmailSettings | None = None

    def __post_init__(self) -> None:
        if self.token and len(self.token) < SHORTEST_TOKEN:
            raise UsageError(f"the token is too short: it needs {SHORTEST_TOKEN} characters or more")
        if not self.token and not is_loopback(self.host):
            raise UsageError(
                f"{self.host} can be reached by others: give a token with --token-file FILE, or use 127.0.0.1"
            )


def is_loopback(host: str) -> bool:
    """
    >>> [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "site.example")]
    [True, True, True, False, False]
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def read_token(path: Path) -> str:
    """The first line of the file."""
    lines = _read(path).splitlines()
    if not lines or not lines[0].strip():
        raise UsageError(f"{path} is empty: its first line is to be the token")
    return lines[0].strip()


def read_email(path: Path) -> EmailSettings | None:
    """The table ``[email]`` of a settings file; a password file is looked for beside it."""
    try:
        found: dict[str, Any] = tomllib.loads(_read(path))
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path} is no TOML: {error}") from None
    unknown = [name for name in found if name != "email"]
    if unknown:
        raise UsageError(f"{path}: unknown key '{unknown[0]}'; there is the table [email]")
    if "email" not in found:
        return None
    email = read_table(EmailSettings, found["email"], "email.")
    if not email.password_file:
        return email
    return email.with_password(read_token(path.parent / email.password_file))


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise unreadable(path, error) from None


@dataclass(frozen=True, kw_only=True)
class EmailSettings:
    server: str
    sender: str
    port: int = 25
    starttls: bool = False
    user: str = ""
    password_file: str = ""
    site: str = ""  # where links in messages lead
    attach: int = 5_000_000  # bytes; larger results are not attached
    password: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        check_address(self.sender)

    def with_password(self, password: str) -> EmailSettings:
        return replace(self, password=password)


def check_address(address: str) -> None:
    """
    >>> check_address("ada@example.org\\nBcc: eve@example.org")
    Traceback (most recent call last):
    ...
    sundog.errors.UsageError: 'ada@example.org Bcc: eve@example.org' is no e-mail address
    """
    if not EMAIL_ADDRESS.fullmatch(address):
        raise UsageError(f"'{one_line(address)}' is no e-mail address")


def one_line(text: str) -> str:
    return " ".join(printable(text).split())[:LONGEST_SHOWN]
