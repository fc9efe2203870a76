"""One fetch on its way: where it has been, how long that took, and where it is sent next."""

from __future__ import annotations

from typing import NamedTuple

import aiohttp

from sundog.fetch.target import Target, parse_target
from sundog.fetch.values import Extras, Hop, Limits, Page, Trouble, trouble


class Redirect(NamedTuple):
    location: str
    status: int


class Errand:
    """Keeps what all hops of a fetch share, and puts it into the page or the trouble that ends it."""

    __slots__ = tuple("address answered_at asked asked_at conditions extras hops limits spent url".split())

    def __init__(self, asked: str, limits: Limits, conditions: dict[str, str], extras: Extras) -> None:
        self.asked = self.url = asked
        self.limits = limits
        self.conditions = conditions
        self.extras = extras
        self.hops: list[Hop] = []
        self.spent = 0.0
        self.asked_at = 0.0
        self.answered_at: float | None = None
        self.address = ""

    def begin_hop(self, url: str, now: float) -> None:
        self.url, self.asked_at, self.answered_at = url, now, None

    def answered(self, now: float, address: str) -> None:
        self.answered_at, self.address = now, address

    def follow(self, here: Target, redirect: Redirect) -> Target | Trouble:
        """Where the redirect leads, if it may be gone there."""
        if len(self.hops) >= self.limits.max_redirects:
            return trouble("too-many-redirects", f"more than {self.limits.max_redirects}")
        # bytes that are not UTF-8 come as surrogates
        location = redirect.location.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        target = parse_target(location, base=here.href, max_length=self.limits.max_url)
        if isinstance(target, Trouble):
            return trouble("bad-redirect", target.detail)
        self.hops.append(Hop(self.url, redirect.status, self.asked_at, self.answered_at or self.asked_at))
        if any(target.href == hop.url for hop in self.hops):
            return trouble("redirect-loop", target.href[:200])
        wrong = self._adapt_extras(here, target, keeps_method=redirect.status in (307, 308))
        if wrong:
            return wrong
        self.url = target.href
        return target

    def _adapt_extras(self, here: Target, target: Target, *, keeps_method: bool) -> Trouble | None:
        """As browsers do: a form becomes a GET, unless the redirect says otherwise; headers stay at home."""
        headers, form, head = self.extras
        leaves_origin = _origin(here) != _origin(target)
        if leaves_origin and form is not None and keeps_method:
            return trouble("bad-redirect", "the form would be sent to another origin")
        self.extras = Extras({} if leaves_origin else headers, form if keeps_method else None, head)
        return None

    def trouble(self, cause: Trouble) -> Trouble:
        return cause._replace(
            was_asked=cause.was_asked or bool(self.hops),
            url=self.url,
            redirects=tuple(self.hops),
            asked_at=self.asked_at,
            answered_at=self.answered_at,
        )

    def page(
        self,
        response: aiohttp.ClientResponse,
        now: float,
        content_type: str = "",
        body: bytes = b"",
        *,
        truncated: bool = False,
        not_modified: bool = False,
    ) -> Page:
        return Page(
            self.asked,
            self.url,
            response.status,
            response.raw_headers,
            content_type,
            body,
            tuple(self.hops),
            truncated,
            not_modified,
            self.address,
            self.asked_at,
            self.answered_at or now,
            now,
        )


def _origin(target: Target) -> str:
    return target.href[: -len(target.path)]


def conditions(etag: str, last_modified: str) -> dict[str, str]:
    """Headers that let the server answer 304; they came from a server, so only harmless ones are sent back."""
    headers = {"If-None-Match": etag, "If-Modified-Since": last_modified}
    return {name: value for name, value in headers.items() if value and value.isascii() and value.isprintable()}
