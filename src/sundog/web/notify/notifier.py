"""Notices are sent in the background and tried a few times: no crawl waits for one, or fails because of one."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Event as Signal
from threading import Lock, Thread
from typing import Any

from sundog.web.errors import NotFoundError
from sundog.web.notify.attachment import attachment_of
from sundog.web.notify.email import email_of, send_email
from sundog.web.notify.notice import Notice, notice_of_end
from sundog.web.notify.webhook import payload_of, post_webhook
from sundog.web.results.reading import reading
from sundog.web.runs.crawls import Crawls, spec_of
from sundog.web.runs.directories import CrawlDirectory
from sundog.web.runs.state import State
from sundog.web.settings import EmailSettings, Settings

MOST_TRIES, SECONDS_BETWEEN = 5, 60.0
ITEMS = "SELECT count(*) FROM found_items"
log = logging.getLogger("sundog.web")
Send = Callable[[], None]


class Notifier:
    """``done`` is called with the name of the way when there is nothing more to be sent for a crawl's end."""

    def __init__(
        self,
        settings: Settings,
        crawls: Crawls,
        done: Callable[[CrawlDirectory, str], None],
    ) -> None:
        self._settings, self._crawls, self._done = settings, crawls, done
        self._lock, self._closed = Lock(), Signal()
        self._under_way: set[tuple[str, ...]] = set()

    def close(self) -> None:
        """Nothing is tried again; what is not told yet will be by the next server."""
        self._closed.set()

    def ended(self, crawl: CrawlDirectory, state: State) -> bool:
        """Whether somebody is to be told of it; may be called as often as one likes."""
        ways = self._ways(crawl, state, notice_of_end(state.outcome, state.reason))
        for way, send in ways.items():
            self._start(crawl, (crawl.id, way), send, partial(self._done, crawl, way))
        return bool(ways)

    def needs_attention(self, crawl: CrawlDirectory, state: State, reason: str) -> None:
        for way, send in self._ways(crawl, state, Notice("attention", reason)).items():
            self._start(crawl, (crawl.id, way, reason), send, lambda: None)

    def _ways(self, crawl: CrawlDirectory, state: State, notice: Notice) -> dict[str, Send]:
        found: dict[str, Send] = {}
        email, webhook = self._settings.email, self._settings.webhook
        if email and state.email and not state.mailed:
            found["email"] = lambda: self._send_email(email, crawl, state.email, notice)
        if webhook and (url := state.webhook or webhook.url) and not state.hooked:
            found["webhook"] = lambda: self._post(crawl, url, notice)
        return found

    def _start(self, crawl: CrawlDirectory, key: tuple[str, ...], send: Send, done: Send) -> None:
        with self._lock:
            if key in self._under_way:
                return
            self._under_way.add(key)
        Thread(target=self._deliver, args=(crawl, key, send, done), daemon=True).start()

    def _deliver(self, crawl: CrawlDirectory, key: tuple[str, ...], send: Send, done: Send) -> None:
        try:
            for last in (*[False] * (MOST_TRIES - 1), True):
                try:
                    send()
                    break
                except Exception as error:  # whatever it was, the site and the crawl go on
                    log.warning("%s: %s", crawl.id, error)
                if not last and self._closed.wait(SECONDS_BETWEEN):
                    return
            with suppress(NotFoundError):  # it was deleted meanwhile
                done()
        finally:
            self._under_way.discard(key)

    def _send_email(self, settings: EmailSettings, crawl: CrawlDirectory, address: str, notice: Notice) -> None:
        attachment = None if notice.event == "attention" else attachment_of(crawl, settings.attach)
        send_email(
            settings, email_of(settings, address, self._worded(notice, crawl), self._json(crawl), attachment)
        )

    def _post(self, crawl: CrawlDirectory, url: str, notice: Notice) -> None:
        settings = self._settings.webhook
        assert settings is not None
        body = payload_of(self._worded(notice, crawl), self._json(crawl), settings.site, items_found(crawl))
        post_webhook(url, body, settings.secret, allow_private=self._settings.allow_private)

    def _json(self, crawl: CrawlDirectory) -> dict[str, Any]:
        return self._crawls.as_json(crawl)

    def _worded(self, notice: Notice, crawl: CrawlDirectory) -> Notice:
        return notice if notice.reason else notice._replace(reason=self._json(crawl)["reason_words"])


def items_found(crawl: CrawlDirectory) -> int | None:
    """By all data patterns; None if the crawl has no patterns."""
    if not spec_of(crawl)["patterns"]:
        return None
    with reading(crawl) as reader:
        return int(reader.connection.execute(ITEMS).fetchone()[0]) if reader.knows_patterns else 0
