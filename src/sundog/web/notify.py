"""One e-mail when a crawl ends, sent in the background and tried a few times. Off unless it is configured."""

from __future__ import annotations

import logging
import smtplib
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from email.message import EmailMessage
from pathlib import Path
from threading import Lock, Thread
from time import monotonic
from typing import Any, NamedTuple
from urllib.parse import quote

from sundog.errors import SundogError
from sundog.results.export import best_format
from sundog.store.formats.format import Format
from sundog.web.errors import NotFoundError
from sundog.web.results.exports import export_to
from sundog.web.runs.crawls import Crawls
from sundog.web.runs.directories import CrawlDirectory
from sundog.web.settings import EmailSettings, check_address, one_line

TO_CONNECT = 20.0  # seconds
MOST_TRIES, SECONDS_BETWEEN = 5, 60.0
TO_EXPORT = 300.0  # seconds
log = logging.getLogger("sundog.web")


class Results(NamedTuple):
    """What may be attached."""

    format: Format
    content: bytes


class Notifier:
    """``done`` is called when there is nothing more to be sent for a crawl."""

    def __init__(self, settings: EmailSettings, crawls: Crawls, done: Callable[[CrawlDirectory], None]) -> None:
        self._settings, self._crawls, self._done = settings, crawls, done
        self._lock = Lock()
        self._tries: dict[str, int] = {}
        self._next: dict[str, float] = {}  # when the next try may begin; while one is made, never

    def crawl_ended(self, crawl: CrawlDirectory, address: str) -> None:
        """May be called as often as one likes."""
        with self._lock:
            if monotonic() < self._next.get(crawl.id, 0.0):
                return
            self._next[crawl.id] = float("inf")
        Thread(target=self._try, args=(crawl, address), daemon=True).start()

    def _try(self, crawl: CrawlDirectory, address: str) -> None:
        tries = self._tries[crawl.id] = self._tries.get(crawl.id, 0) + 1
        try:
            send_email(
                self._settings,
                email_of(self._settings, address, self._crawls.as_json(crawl), self._results(crawl)),
            )
        except (OSError, SundogError) as error:
            log.warning("%s: %s", crawl.id, error)
            if tries < MOST_TRIES:
                self._next[crawl.id] = monotonic() + SECONDS_BETWEEN
                return
        with suppress(NotFoundError):  # it was deleted meanwhile
            self._done(crawl)
        self._tries.pop(crawl.id, None)
        self._next.pop(crawl.id, None)

    def _results(self, crawl: CrawlDirectory) -> Results | None:
        """None if they are too large, or there are none."""
        chosen = best_format(crawl.summary)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / chosen.file
            try:
                export_to(path, crawl, chosen, TO_EXPORT)
            except SundogError:
                return None
            fits = path.stat().st_size <= self._settings.attach
            return Results(chosen, path.read_bytes()) if fits else None


def email_of(settings: EmailSettings, to: str, crawl: Mapping[str, Any], results: Results | None) -> EmailMessage:
    """What is sent; ``crawl`` is as in the API. Nothing in it can add headers."""
    check_address(to)
    message = EmailMessage()
    message["From"], message["To"] = settings.sender, to
    message["Subject"] = f"Sundog: {one_line(crawl['title'] or crawl['id'])} has ended"
    lines = [
        f"{crawl['fetched']:,} pages were fetched, {crawl['relevant']:,} of them relevant.",
        f"State: {one_line(crawl['state'])}. {one_line(crawl['reason_words'])}".rstrip(),
        f"Statements: {crawl['statements'] or 0:,}.",
    ]
    if settings.site:
        lines.append(f"Results: {settings.site.rstrip('/')}/crawls/{quote(crawl['id'], safe='')}/results")
    if results is not None:
        lines.append(f"Attached: {results.format.summary}.")
    message.set_content("\n".join(lines) + "\n")
    if results is not None:
        kind, _, subtype = results.format.media_type.partition("/")
        message.add_attachment(results.content, kind, subtype, filename=results.format.file)
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
