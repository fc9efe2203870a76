"""An e-mail about a crawl: what it says, what it brings, and how it is sent."""

from __future__ import annotations

import smtplib
from collections.abc import Mapping
from email.message import EmailMessage
from typing import Any

from sundog.errors import SundogError
from sundog.texts import counted
from sundog.web.notify.attachment import Attachment
from sundog.web.notify.notice import Notice, link_to
from sundog.web.settings import EmailSettings, check_address, one_line

TO_CONNECT = 20.0  # seconds
SUBJECTS = {"ended": "has ended", "failed": "has failed", "attention": "needs attention"}


def email_of(
    settings: EmailSettings,
    to: str,
    notice: Notice,
    crawl: Mapping[str, Any],
    attachment: Attachment | None = None,
) -> EmailMessage:
    """What is sent; ``crawl`` is as in the API. Nothing in it can add headers."""
    check_address(to)
    message = EmailMessage()
    message["From"], message["To"] = settings.sender, to
    message["Subject"] = f"Sundog: {one_line(crawl['title'] or crawl['id'])} {SUBJECTS[notice.event]}"
    lines = [
        f"{counted(crawl['fetched'], 'page')} fetched, {crawl['relevant']:,} of them relevant.",
        f"State: {one_line(crawl['state'])}. {one_line(notice.reason)}".rstrip(),
        f"Statements: {crawl['statements'] or 0:,}.",
    ]
    if link := link_to(settings.site, crawl["id"]):
        lines.append(f"Results: {link}/results")
    if attachment is not None:
        lines.append(attachment.sentence)
    message.set_content("\n".join(lines) + "\n")
    if attachment is not None and attachment.content:
        kind, _, subtype = attachment.media_type.partition("/")
        message.add_attachment(attachment.content, kind, subtype, filename=attachment.file)
    return message


def send_email(settings: EmailSettings, message: EmailMessage) -> None:
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
