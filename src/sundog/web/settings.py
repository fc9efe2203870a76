"""How the server was started, e-mail and webhook included, as values that were checked."""

from __future__ import annotations

import ipaddress
import os
import re
import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from sundog.errors import UsageError, nearest_or_all, unreadable
from sundog.spec.secrets import check_named, filled
from sundog.spec.tables import read_table
from sundog.texts import printable
from sundog.web import DEFAULT_AT_ONCE, DEFAULT_HOST, DEFAULT_PORT, DEFAULT_QUERY_SECONDS

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
    query_seconds: float = DEFAULT_QUERY_SECONDS  # for a SPARQL query
    allow_private: bool = False
    connect_to: str = ""
    email: EmailSettings | None = None
    webhook: WebhookSettings | None = None

    def __post_init__(self) -> None:
        if self.token and len(self.token) < SHORTEST_TOKEN:
            raise UsageError(f"the token is too short: it needs {SHORTEST_TOKEN} characters or more")
        if not self.token and not is_loopback(self.host):
            raise UsageError(f"{self.host} can be reached by others: leave out --no-token, or use 127.0.0.1")


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


def read_ways(path: Path) -> Ways:
    """A settings file: the tables ``[email]`` and ``[webhook]``; a password file is looked for beside it."""
    try:
        found: dict[str, Any] = tomllib.loads(_read(path))
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path} is no TOML: {error}") from None
    for name, table in found.items():
        if name not in Ways._fields:
            raise UsageError(f"{path}: unknown key '{name}'{nearest_or_all(name, Ways._fields)}")
        if not isinstance(table, dict):
            raise UsageError(f"{path}: {name} is a table: write [{name}], and its keys below")
    return Ways(
        _email(found["email"], path.parent) if "email" in found else None,
        _webhook(found["webhook"]) if "webhook" in found else None,
    )


def _email(table: dict[str, Any], folder: Path) -> EmailSettings:
    email = read_table(EmailSettings, table, "email.")
    if not email.password_file:
        return email
    return replace(email, password=read_token(folder / email.password_file))


def _webhook(table: dict[str, Any]) -> WebhookSettings:
    webhook = read_table(WebhookSettings, table, "webhook.")
    if not webhook.secret:
        return webhook
    check_named(webhook.secret, "webhook.secret")
    return replace(webhook, secret=filled(webhook.secret, "webhook.secret", os.environ, []))


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


@dataclass(frozen=True, kw_only=True)
class WebhookSettings:
    url: str = field(default="", repr=False)  # for crawls that name none; may hold a secret itself
    secret: str = field(default="", repr=False)  # signs messages; a settings file names it
    site: str = ""  # where links in messages lead


class Ways(NamedTuple):
    """How people and programs are told of crawls."""

    email: EmailSettings | None = None
    webhook: WebhookSettings | None = None


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
