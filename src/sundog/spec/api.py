"""The table ``[api]``: nodes behind a JSON API, by URL templates and JMESPath expressions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from sundog.errors import UsageError
from sundog.frontier.identity import identity
from sundog.spec.jmes import check_expression
from sundog.spec.template import Template

VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+").fullmatch
EXPRESSIONS = ("texts", "score", "links", "keep", "next")


@dataclass(frozen=True, kw_only=True)
class Api:
    """``items`` and ``neighbours`` are asked for each node; all else says what is read of the answers."""

    items: str = ""
    neighbours: str = ""  # empty: the links are in the answers of items
    texts: str = ""  # JMESPath: what keywords are counted in
    score: str = ""  # JMESPath: a number instead
    links: str = ""  # JMESPath: ids, or objects with an id and perhaps a score or a text
    keep: str = ""  # JMESPath: what is kept of items as answers
    next: str = ""  # JMESPath: the next cursor, page or URL
    first_page: int = 1
    first_cursor: str = ""
    page_size: int = 0  # a page with fewer entries is the last; 0: an empty one is
    max_pages: int = 10
    headers: Mapping[str, str] = field(default_factory=dict)
    requests: int = 0  # in each window of so many seconds; 0: as many as delay and server allow
    window: float = 0.0
    robots: bool = False

    def check(self) -> None:
        """Raises UsageError; only for a crawl whose world this is."""
        if not self.items:
            raise UsageError("'api.items' is missing: a URL with {id} in it")
        if not self.links:
            raise UsageError("'api.links' is missing: a JMESPath expression for the ids of neighbours")
        for name in ("items", "neighbours"):
            if url := getattr(self, name):
                template = Template(url, f"api.{name}")
                template.check(self.first_page, self.first_cursor)
                if "cursor" in template.fields and not self.next:
                    raise UsageError(f"'api.next' is missing: a JMESPath expression for api.{name}'s {{cursor}}")
        for name in EXPRESSIONS:
            check_expression(getattr(self, name), f"api.{name}")
        self._check_headers()
        if bool(self.requests) != bool(self.window):
            raise UsageError("api.requests and api.window belong together: so many requests in so many seconds")

    def _check_headers(self) -> None:
        for name, value in self.headers.items():
            if not HEADER(name):
                raise UsageError(f"api.headers: '{name}' is no name of a header")
            if not isinstance(value, str) or not (value.isascii() and value.isprintable()):
                raise UsageError(f"api.headers.{name}: a text of printable ASCII is expected")

    def sent_headers(self, environment: Mapping[str, str]) -> dict[str, str]:
        """With the values of ``${NAME}``, which are kept nowhere."""
        return {name: _filled(value, name, environment) for name, value in self.headers.items()}

    def node_url(self, node: str) -> str | None:
        """The name of a node in the crawl: the first URL of its items. None if it has none."""
        return identity_kept(self._items.first(node))

    def node_of(self, url: str) -> str | None:
        return self._items.id_of(url)

    def budget(self, seconds: float | None) -> int | None:
        """n = kT/d: all requests that the windows allow in the time of the crawl, which has one window at least.

        >>> Api(requests=15, window=900).budget(86_400)
        1440
        """
        return int(self.requests * max(1.0, seconds / self.window)) if self.requests and seconds else None

    @cached_property
    def _items(self) -> Template:
        template = Template(self.items, "api.items")
        return template.beginning(self.first_page, self.first_cursor)


def identity_kept(url: str | None) -> str | None:
    """The URL if it can be crawled at all; unlike a page's, no part of it is noise."""
    return url if url is not None and identity(url) is not None else None


def _filled(value: str, header: str, environment: Mapping[str, str]) -> str:
    def content(variable: re.Match[str]) -> str:
        found = environment.get(variable[1])
        if not found:
            raise UsageError(f"api.headers.{header}: the environment variable {variable[1]} is not set")
        if not (found.isascii() and found.isprintable()):
            raise UsageError(f"api.headers.{header}: the environment variable {variable[1]} cannot be sent")
        return found

    return VARIABLE.sub(content, value)
