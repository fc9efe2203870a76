"""The table ``[api]``: nodes behind a JSON API, by URL templates and JMESPath expressions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from sundog.errors import UsageError, nearest
from sundog.fetch.credentials import Credentials, patterns_of
from sundog.fetch.pace import Manners
from sundog.spec.jmespath_expressions import check_expression
from sundog.spec.secrets import ascii_only, check_headers, filled
from sundog.spec.world import USUAL_OBJECTIVE, WorldKind, identity_kept
from sundog.urls.hosts import origin_of
from sundog.urls.identity import identity

if TYPE_CHECKING:
    from sundog.objectives import Objective

FIELD = re.compile(r"\{([^{}]*)\}")
FIELDS = ("id", "page", "cursor")
DOTS = (".", "..")  # in a path they mean another one, however they are written
LONGEST_VALUE = 1_000
MOST_VALUES = 8  # of a template
EXPRESSIONS = ("texts", "score", "links", "keep", "next")
LONGEST_RETRY_AFTER = 86_400.0  # some APIs have windows of a day


@dataclass(frozen=True, kw_only=True)
class Api(WorldKind):
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

    summary = 'nodes behind a JSON API, by a spec with world = "api": sundog crawl'
    seed_word = "id of a node"
    unit = "requests"

    def check(self) -> None:
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
        check_headers(self.headers, "api.headers")
        if bool(self.requests) != bool(self.window):
            raise UsageError("api.requests and api.window belong together: so many requests in so many seconds")

    def check_objective(self, objective: Objective, environment: Mapping[str, str]) -> None:
        self.credentials(environment)
        if self.score:
            if objective.text != USUAL_OBJECTIVE:
                raise UsageError(
                    f"api.score and the objective '{objective.text}' both score nodes: give one of them"
                )
        elif objective.text_score is None:
            fix = "say keyword:…, or give api.score"
            raise UsageError(f"the objective '{objective.text}' cannot score answers of an API: {fix}")
        elif not self.texts:
            raise UsageError(f"'api.texts' is missing: a JMESPath expression for the texts of '{objective.text}'")

    def credentials(self, environment: Mapping[str, str]) -> dict[str, Credentials]:
        """The headers, with the secrets that they name: for the origin of the API."""
        secrets: list[str] = []
        headers = {
            name: ascii_only(filled(value, f"api.headers.{name}", environment, secrets), f"api.headers.{name}")
            for name, value in self.headers.items()
        }
        urls = [identity(url) or "" for url in (self.items, self.neighbours) if url and headers]
        origins = map(origin_of, urls)
        return dict.fromkeys(origins, Credentials(headers, patterns_of(secrets)))

    def obeys_robots(self, following: bool) -> bool:
        """robots.txt is for those who crawl pages; an API is used by its own terms, unless the spec says so."""
        return following and self.robots

    def manners(self, usual: Manners) -> Manners:
        return replace(usual, requests=self.requests, window=self.window, longest_retry_after=LONGEST_RETRY_AFTER)

    @property
    def longest_window(self) -> float:
        return self.window

    def seed_url(self, seed: str) -> str | None:
        return self.node_url(seed)

    def node_url(self, node: str) -> str | None:
        """The name of a node in the crawl: the first URL of its items. None if it has none."""
        return identity_kept(self._items.fill(id=node))

    def node_of(self, url: str) -> str | None:
        return self._items.id_of(url)

    def windows_budget(self, seconds: float | None) -> int | None:
        """n = kT/d: all requests that the windows allow in the time of the crawl, which has one window at least.

        >>> Api(requests=15, window=900).windows_budget(86_400)
        1440
        """
        return int(self.requests * max(1.0, seconds / self.window)) if self.requests and seconds else None

    def budget_line(self, seconds: float | None, budget: int) -> str:
        """What the windows allow, and what of it is asked for."""
        if not (allowed := self.windows_budget(seconds)):
            return ""
        line = f"{self.requests:,} requests in {self.window:g} s, for {seconds:g} s: {allowed:,} requests"
        return line if budget == allowed else f"{line}, of which {budget:,} are asked for"

    @cached_property
    def _items(self) -> Template:
        template = Template(self.items, "api.items")
        return template.first_page_of(self.first_page, self.first_cursor)


class Template:
    """
    >>> users = Template("https://api.example/users/{id}?page={page}&as={id}")
    >>> users.fill(id="a/b", page=2)
    'https://api.example/users/a%2Fb?page=2&as=a%2Fb'
    >>> users.first_page_of(1, "").id_of("https://api.example/users/a%2Fb?page=1&as=a%2Fb")
    'a/b'
    """

    def __init__(self, text: str, place: str = "template") -> None:
        self.text, self.place = text, place
        self.fields = tuple(FIELD.findall(text))

    def check(self, first_page: int, first_cursor: str) -> None:
        for name in self.fields:
            if name not in FIELDS:
                known = ", ".join(f"{{{each}}}" for each in FIELDS)
                hint = nearest(name, FIELDS)
                raise UsageError(f"{self.place}: '{{{name}}}' means nothing{hint}; there are {known}")
        if "id" not in self.fields:
            raise UsageError(f"{self.place}: '{{id}}' is missing, where a node's id belongs")
        if "page" in self.fields and "cursor" in self.fields:
            raise UsageError(f"{self.place}: there are numbers of pages or cursors, not both")
        if len(self.fields) > MOST_VALUES:
            raise UsageError(f"{self.place}: more than {MOST_VALUES} fields")
        url = self.fill(id="id", page=first_page, cursor=first_cursor)
        if url is None or identity(url) is None or "#" in url:
            raise UsageError(f'{self.place} = "{self.text}": an http or https URL is expected')
        if "{" in origin_of(self.text):
            raise UsageError(f"{self.place}: '{{id}}' must stand after the host's name")

    def fill(self, *, id: str, page: int = 0, cursor: str = "") -> str | None:
        """None if the id cannot be part of a URL. A parameter that is an empty cursor is left out."""
        if not id or id in DOTS or len(id) > LONGEST_VALUE or len(cursor) > LONGEST_VALUE:
            return None
        text = self.text if cursor else _without_cursor(self.text)
        values = {"id": id, "page": str(page), "cursor": cursor}
        try:
            return FIELD.sub(lambda field: quote(values[field[1]], safe=""), text)
        except (KeyError, UnicodeEncodeError):
            return None

    def first_page_of(self, first_page: int, first_cursor: str) -> Template:
        """With the first page and cursor filled in, so that it is the node's alone."""
        text = self.text if first_cursor else _without_cursor(self.text)
        text = text.replace("{page}", str(first_page)).replace("{cursor}", quote(first_cursor, safe=""))
        return Template(text, self.place)

    def id_of(self, url: str) -> str | None:
        """The id from which ``fill`` has made the URL."""
        first, *others = self.text.split("{id}")
        rest = r"\1".join(map(re.escape, others))
        found = re.fullmatch(f"{re.escape(first)}([^/?&#=]+){rest}", url) if others else None
        return unquote(found[1]) if found else None


def _without_cursor(text: str) -> str:
    path, mark, query = text.partition("?")
    kept = [part for part in query.split("&") if not part.endswith("={cursor}")]
    return f"{path}{mark if kept and kept != [''] else ''}{'&'.join(kept)}".replace("{cursor}", "")
