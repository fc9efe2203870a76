"""One message when a crawl ends. Off unless a server is configured; nothing that is sent in can add headers."""

from __future__ import annotations

import re
import smtplib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from email.message import EmailMessage
from typing import Any
from urllib.parse import quote

from sundog.errors import SundogError, UsageError

ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63}){0,8}")
TO_CONNECT = 20.0  # seconds
LONGEST_TITLE = 120


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
    if not ADDRESS.fullmatch(address):
        raise UsageError(f"'{_one_line(address)}' is no e-mail address")


def message_of(settings: EmailSettings, to: str, crawl: Mapping[str, Any], results: bytes | None) -> EmailMessage:
    """What is sent; ``crawl`` is as in the API, ``results`` JSON lines."""
    check_address(to)
    message = EmailMessage()
    message["From"], message["To"] = settings.sender, to
    message["Subject"] = f"Sundog: {_one_line(crawl['title'] or crawl['id'])} has ended"
    lines = [
        f"{crawl['fetched']:,} pages were fetched, {crawl['relevant']:,} of them relevant.",
        f"State: {_one_line(crawl['state'])}. {_one_line(crawl['reason'])}".rstrip(),
        f"Statements: {crawl['statements'] or 0:,}.",
    ]
    if settings.site:
        lines.append(f"Results: {settings.site.rstrip('/')}/crawls/{quote(crawl['id'], safe='')}/results")
    if results is not None:
        lines.append("The entities are attached, one a line.")
    message.set_content("\n".join(lines) + "\n")
    if results is not None:
        message.add_attachment(results, "application", "jsonl", filename="entities.jsonl")
    return message


def send(settings: EmailSettings, message: EmailMessage) -> None:
    """Raises SundogError."""
    try:
        with smtplib.SMTP(settings.server, settings.port, timeout=TO_CONNECT) as server:
            if settings.starttls:
                server.starttls()
            if settings.user:
                server.login(settings.user, settings.password)
            server.send_message(message)
    except (OSError, smtplib.SMTPException) as error:
        raise SundogError(f"no e-mail could be sent by {settings.server}: {error}") from None


def _one_line(text: str) -> str:
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())[:LONGEST_TITLE]
