"""Places that a crawl would never leave: URLs that grow by themselves, and groups of pages without end.

A URL whose shape gives it away is refused at once. Calendars, pagination and filters are not traps until
they bring nothing: pages of one *group* share an allowance, and every page with a reward adds to it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from sundog.urls.hosts import split_host

MOST_SEGMENTS = 24
MOST_EQUAL_SEGMENTS = 4
MOST_PARAMETERS = 24
MOST_EQUAL_PARAMETERS = 6
MANY_PARAMETERS = 3  # so many are filters that combine
MOST_GROUPS = 100_000

Family = Literal["plain", "calendar", "pages", "filters"]
PAGE_NAMES = frozenset("page p pg paged pagenum page_no start offset from skip seite pagina".split())
DATE_NAMES = frozenset("year month day week date ical tribe-bar-date eventdate cal calendar".split())
DATE_AT_END = re.compile(r"(?:^|[/-])(?:19|20)\d\d[/-](?:0?[1-9]|1[0-2])(?:[/-](?:[0-2]?\d|3[01]))?/?$").search
PAGE_AT_END = re.compile(r"/(?:page|p|seite|pagina)[/-]?\d+/?$", re.IGNORECASE).search
NUMBER = re.compile(r"(?<!%)(?<!%[0-9A-Fa-f])\d+")  # digits of %C3 are a part of a letter


def shape_trap(path: str, query: str = "") -> str | None:
    """What is wrong with the shape of a URL.

    >>> shape_trap("a/b/a/b/a/b/a/b/a"), shape_trap("2024/01/01/01/story")
    ('trap: path repeats itself', None)
    """
    if path.count("/") >= MOST_EQUAL_SEGMENTS:
        segments = path.strip("/").split("/")
        if len(segments) > MOST_SEGMENTS:
            return "trap: path too deep"
        if (
            len(segments) - len(set(segments)) >= MOST_EQUAL_SEGMENTS
            and _most_equal(segments) > MOST_EQUAL_SEGMENTS
        ):
            return "trap: path repeats itself"
    if query.count("&") >= MOST_EQUAL_PARAMETERS:
        names = [part.partition("=")[0] for part in query.split("&")]
        if len(names) > MOST_PARAMETERS or _most_equal(names) > MOST_EQUAL_PARAMETERS:
            return "trap: query grows"
    return None


def split_url(url: str) -> tuple[str, str, str]:
    """Host, path without the first slash, and query of a URL that ``identity`` gave.

    >>> split_url("https://a.example/b/c?d=e")
    ('a.example', 'b/c', 'd=e')
    """
    host, rest = split_host(url)
    path, _, query = rest.removeprefix("/").partition("?")
    return host, path, query


def _most_equal(words: list[str]) -> int:
    return max(words.count(word) for word in set(words))


class Group(NamedTuple):
    """Pages that one template makes, and what kind of list they seem to belong to."""

    key: str
    family: Family


@lru_cache(maxsize=1024)  # a page is asked for before it is fetched and after that
def group_of(url: str) -> Group:
    """The group whose allowance a page shares, in words; policies learn by hashes of shapes, see ``urls.shapes``.

    >>> group_of("https://a.example/shop/12/?page=3"), group_of("https://a.example/events/2024-05-01").family
    (Group(key='a.example/shop/#/?page', family='pages'), 'calendar')
    >>> group_of("https://a.example/2024/05/a-story").family, group_of("https://a.example/l?c=1&s=2&m=3")
    ('plain', Group(key='a.example/l?*', family='filters'))
    """
    host, path, query = split_url(url)
    names = sorted({part.partition("=")[0].lower() for part in query.split("&") if part})
    family = _family(path, names)
    shown = "*" if family == "filters" else "&".join(names)
    return Group(f"{host}/{NUMBER.sub('#', path)}{'?' if names else ''}{shown}"[:300], family)


def _family(path: str, names: list[str]) -> Family:
    if len(names) >= MANY_PARAMETERS:
        return "filters"
    if not DATE_NAMES.isdisjoint(names) or DATE_AT_END(path):
        return "calendar"
    if not PAGE_NAMES.isdisjoint(names) or PAGE_AT_END(f"/{path}"):
        return "pages"
    return "plain"


@dataclass(frozen=True, kw_only=True, slots=True)
class Allowances:
    """How many pages of a group may be fetched before one of them has paid; None: any number."""

    plain: int | None = None
    calendar: int | None = 30
    pages: int | None = 100
    filters: int | None = 60
    earned: int = 10  # more pages for each reward


class TrapBudgets:
    """Counts what each group has cost and brought. ``allows`` is asked before a page is fetched.

    >>> budgets = TrapBudgets(Allowances(calendar=1))
    >>> day = group_of("https://a.example/2024/05/01")
    >>> budgets.allows(day), budgets.observe(day, 0.0), budgets.allows(day)
    (True, None, False)
    >>> budgets.observe(day, 1.0), budgets.allows(day)
    (None, True)
    """

    def __init__(self, allowances: Allowances | None = None) -> None:
        self.allowances = allowances or Allowances()
        self._records: dict[str, tuple[int, int]] = {}  # pages, and those with a reward

    def allows(self, group: Group) -> bool:
        allowance: int | None = getattr(self.allowances, group.family)
        if allowance is None or group.key not in self._records:
            return allowance is None or allowance > 0
        pages, paid = self._records[group.key]
        return pages < allowance + self.allowances.earned * paid

    def observe(self, group: Group, reward: float) -> None:
        """A page of the group was fetched, and was worth this."""
        self._note(group, 1, reward > 0)

    def credit(self, group: Group) -> None:
        """A page of the group has led to one with a reward."""
        self._note(group, 0, True)

    def _note(self, group: Group, fetched: int, paid: bool) -> None:
        if getattr(self.allowances, group.family) is None:
            return
        pages, before = self._records.pop(group.key, (0, 0))
        self._records[group.key] = (pages + fetched, before + paid)
        if len(self._records) > MOST_GROUPS:
            del self._records[next(iter(self._records))]  # the one that was longest not seen
