"""What a fetch is limited by, and what comes of it: a ``Page`` or a ``Trouble``, never an exception."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from sundog.errors import UsageError
from sundog.media_types import PAGE_TYPES, media_type
from sundog.urls.identity import LONGEST

AGENT = "sundog/0.1 (+https://pypi.org/project/sundog/)"
TroubleKind = Literal[
    "bad-url",
    "private-address",
    "robots",
    "redirect-out-of-scope",
    "redirect-known",
    "redirect-elsewhere",
    "redirect-loop",
    "too-many-redirects",
    "bad-redirect",
    "dns",
    "connection-refused",
    "connection-lost",
    "tls",
    "timeout-connect",
    "timeout-first-byte",
    "timeout-total",
    "too-slow",
    "content-type",
    "bad-header",
    "bad-encoding",
    "bomb",
    "rate-limited",
    "http-4xx",
    "http-5xx",
    "internal",
    "other",
]
TEMPORARY = frozenset({302, 303, 307})  # redirects after which a page is still where it was
REDIRECT_KNOWN: Final = "redirect-known"  # nothing went wrong, though the page brought nothing
REDIRECT_ELSEWHERE: Final = "redirect-elsewhere"  # likewise


class AboutTrouble(NamedTuple):
    """What a kind of trouble means, and whether asking again later may help."""

    meaning: str
    healable: bool = False


TROUBLE_KINDS: dict[TroubleKind, AboutTrouble] = {
    "bad-url": AboutTrouble("not an http(s) URL, too long, or with a user name or password in it"),
    "private-address": AboutTrouble("the host is, or its name leads to, an address that is not public"),
    "robots": AboutTrouble("robots.txt forbids it, or cannot be had for now"),
    "redirect-out-of-scope": AboutTrouble("a redirect leads out of the crawl's scope"),
    "redirect-known": AboutTrouble("a redirect leads to a page that was asked already"),
    "redirect-elsewhere": AboutTrouble("a redirect leads to a host of another shard, which asks it"),
    "redirect-loop": AboutTrouble("a redirect leads back to a URL that was already asked"),
    "too-many-redirects": AboutTrouble("more redirects than the limit"),
    "bad-redirect": AboutTrouble("a 3xx answer without a usable Location"),
    "dns": AboutTrouble("the host's name has no address", True),
    "connection-refused": AboutTrouble("no connection: refused, unreachable, or no sockets left", True),
    "connection-lost": AboutTrouble("the connection was closed before the answer was complete", True),
    "tls": AboutTrouble("no secure connection: bad certificate, or the server does not speak TLS"),
    "timeout-connect": AboutTrouble("look-up and connection took too long", True),
    "timeout-first-byte": AboutTrouble("the headers were not complete in time", True),
    "timeout-total": AboutTrouble("the whole fetch took too long", True),
    "too-slow": AboutTrouble("the body came slower than the least speed, or ceased to come", True),
    "content-type": AboutTrouble("not one of the accepted types; the body was not read"),
    "bad-header": AboutTrouble("what came is not HTTP, or its headers are too large"),
    "bad-encoding": AboutTrouble("the body's compression or chunks cannot be read"),
    "bomb": AboutTrouble("the body unpacks to far more than it seems"),
    "rate-limited": AboutTrouble(
        "429, 503 with Retry-After, or 403 with no request left: ask this host more slowly", True
    ),
    "http-4xx": AboutTrouble("the server says that the request is wrong; 408, 421 and 425 may heal"),
    "http-5xx": AboutTrouble("the server says that it failed; may heal, save 501 and 505", True),
    "internal": AboutTrouble("Sundog itself failed on this page; the detail says at which stage"),
    "other": AboutTrouble("anything else; the detail says what"),
}
# The host itself is at fault: after several in a row it gets a break.
HOST_ERRORS: frozenset[TroubleKind] = frozenset(
    {
        "dns",
        "connection-refused",
        "connection-lost",
        "tls",
        "timeout-connect",
        "timeout-first-byte",
        "timeout-total",
        "too-slow",
        "bad-header",
        "http-5xx",
    }
)
# Nothing came that can be read: if it was robots.txt, nobody knows what is allowed.
NO_ANSWER: frozenset[TroubleKind] = HOST_ERRORS | {"bad-encoding", "bomb", "rate-limited", "other"}
# No host was reached at all: if that is so of all seeds, they are wrong, or this machine is offline.
UNREACHABLE: frozenset[TroubleKind] = frozenset(
    {"bad-url", "private-address", "dns", "connection-refused", "timeout-connect", "tls"}
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """The bounds of one fetch. Times are seconds, sizes bytes; redirects share one ``total``."""

    connect: float = 10.0  # look-up, connection and TLS handshake together
    first_byte: float = 20.0  # from asking to the last header; and the longest silence within the body
    total: float = 60.0
    min_speed: float = 1_000.0  # bytes a second, judged after ``speed_grace``
    speed_grace: float = 10.0
    max_bytes: int = 5_000_000  # of the body, packed and unpacked; what is longer is cut
    max_density: float = 200.0  # bytes out of one; a body that is cut and was packed more densely is a bomb
    max_redirects: int = 5
    max_header_line: int = 8_190
    max_headers: int = 128
    max_url: int = LONGEST
    error_bytes: int = 16_384  # of bodies that nobody wants, read only to keep the connection
    types: tuple[str, ...] | None = PAGE_TYPES  # None: all; a missing type is always accepted


class Extras(NamedTuple):
    """What a request has besides its URL. With a ``form``, which is a whole body, it is a POST; with ``head``, it
    asks for headers only. ``accept`` takes the place of the usual Accept header, also after redirects.

    ``headers`` are sent to the URL's origin only. ``cookies``: whether the host's are sent and taken, if at all.
    """

    headers: Mapping[str, str] = MappingProxyType({})
    form: bytes | None = None
    head: bool = False
    accept: str = ""
    cookies: bool = True


class Hop(NamedTuple):
    """One request and the redirect that answered it. Times are the fetcher's clock."""

    url: str
    status: int
    asked_at: float
    answered_at: float


class Page(NamedTuple):
    """What the server gave. ``answered_at`` is when the headers came: the request was made before that."""

    asked: str
    url: str
    status: int
    raw_headers: tuple[tuple[bytes, bytes], ...]
    content_type: str
    body: bytes
    redirects: tuple[Hop, ...]
    truncated: bool
    not_modified: bool
    address: str
    asked_at: float
    answered_at: float
    finished_at: float

    @property
    def media_type(self) -> str:
        """The content type without its parameters, in lower case."""
        return media_type(self.content_type)

    @property
    def headers(self) -> dict[str, str]:
        """By lower-case name; values of one name are joined by commas. Any bytes are readable."""
        joined: dict[str, str] = {}
        for raw_name, raw_value in self.raw_headers:
            name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
            joined[name] = f"{joined[name]}, {value}" if name in joined else value
        return joined


class Trouble(NamedTuple):
    """Why there is no page.

    ``healable``: asking again later may help, not before ``retry_after`` seconds if the server said so.
    ``was_asked``: the network was used; if not, the fetch costs nothing.
    """

    kind: TroubleKind
    detail: str = ""
    healable: bool = False
    retry_after: float | None = None
    was_asked: bool = True
    url: str = ""
    status: int = 0
    redirects: tuple[Hop, ...] = ()
    asked_at: float = 0.0
    answered_at: float | None = None

    @property
    def stopped_before(self) -> bool:
        """Whether ``url`` is where a redirect led, but was not asked."""
        last = self.redirects[-1] if self.redirects else None
        return last is not None and self.asked_at == last.asked_at and self.url != last.url

    @property
    def redirected_with(self) -> int | None:
        """The status of the redirects that led to ``url``; if one of them is for a time, all are."""
        statuses = [hop.status for hop in self.redirects]
        return next((status for status in statuses if status in TEMPORARY), statuses[-1] if statuses else None)

    def __str__(self) -> str:
        return f"{self.kind}: {self.detail}" if self.detail else self.kind


def trouble(kind: TroubleKind, detail: str = "", *, was_asked: bool = True) -> Trouble:
    """A trouble that heals or not as its kind does.

    >>> trouble("dns", "no such name").healable
    True
    """
    return Trouble(kind, detail, TROUBLE_KINDS[kind].healable, None, was_asked)


def check_agent(agent: str) -> None:
    """Whoever is asked must be able to find out who asks."""
    if not (agent.isascii() and agent.isprintable()):
        raise UsageError(f"the user agent {agent!r} cannot be sent: it must be printable ASCII")
    if "://" not in agent and "@" not in agent:
        raise UsageError(f"the user agent '{agent}' has no contact: put a URL or an e-mail address in it")
