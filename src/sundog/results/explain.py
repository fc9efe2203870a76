"""Why a URL was fetched, or was not: what the store knows of it, and what the session thinks of it now."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from sundog.errors import UsageError
from sundog.fetch.pace import HostState
from sundog.fetch.values import REDIRECT_KNOWN
from sundog.scope.traps import group_of
from sundog.sharding.ownership import Owners
from sundog.spec.crawl import CrawlSpec, parse_spec
from sundog.spec.linked_data import link_filter_of
from sundog.store import CrawlReader, OwnHints, open_readonly
from sundog.store.database import LATEST, PARTS
from sundog.store.directory import SPEC
from sundog.store.shards import is_sharded, read_layout, shard_directories, shard_directory, shard_number
from sundog.syntaxes import STORED
from sundog.urls.hosts import host_of
from sundog.urls.identity import identity
from sundog.urls.revisits import is_revisit, mark_of, rendered_visit, without_mark

if TYPE_CHECKING:
    from sundog.replay import Replayed

SLUG = re.compile(r"[^/?]*-[^/?]*-[^/?]*")
HAS_OUTCOME = "SELECT 1 FROM urls u JOIN outcomes o ON o.candidate = u.id WHERE u.url = ?"
FOUND = "SELECT p.url, u.depth FROM urls u JOIN urls p ON p.id = u.parent WHERE u.url = ?"
LED_TO = "SELECT url FROM urls WHERE parent = ?"
MOST_SHAPES, LEAST_PAGES = 4, 0.5  # that are said of where a page leads
RENDERED = "SELECT why, failure FROM renders WHERE url = ? ORDER BY step DESC LIMIT 1"
HISTORY = """SELECT l.event, l.at, l.value, l.data FROM outcomes o JOIN log l ON l.step = o.step
  WHERE o.candidate = ? ORDER BY o.step DESC LIMIT 1"""
LAST_VISIT = """SELECT v.round, v.at, v.worth, v.value, v.rate * 86400 AS changes_a_day,
    v.since / 86400 AS days_since, json_extract(d.data, '$[3]') AS listed_as,
    json_extract(d.data, '$[4]') AS said_itself, v.result, v.status, v.reason
  FROM visits v JOIN revisits r ON r.step = v.step JOIN log d ON d.step = r.decided
  WHERE v.page = ? ORDER BY v.step DESC LIMIT 1"""
# The host is worked out for each row: a search in the URL first leaves few rows.
PAGES = f"""SELECT url, relevant, EXISTS (
    SELECT 1 FROM outcomes o JOIN log l ON l.step = o.step WHERE o.candidate = pages.id AND {LATEST}
      AND l.event = 'failed' AND o.trouble IS NOT '{REDIRECT_KNOWN}')
  FROM pages WHERE instr(url, ?) AND host = ?"""


@dataclass(frozen=True)
class Explanation:
    """Plain values, fit for JSON. ``state`` is fetched, failed, refused, in flight, waiting, or unknown."""

    url: str
    state: str
    reason: str = ""
    at: float | None = None
    found: Mapping[str, Any] = field(default_factory=dict)  # on which page, how deep, by which link
    page: Mapping[str, Any] = field(default_factory=dict)  # what was fetched
    decision: Mapping[str, Any] = field(default_factory=dict)  # score and parts when it was chosen, or now
    next_choice: Mapping[str, Any] = field(default_factory=dict)  # what would be fetched next instead
    host: Mapping[str, Any] = field(default_factory=dict)
    group: Mapping[str, Any] = field(default_factory=dict)
    leads: Mapping[str, float] = field(
        default_factory=dict
    )  # new pages by shape: that it led to, or is expected to
    revisit: Mapping[str, Any] = field(default_factory=dict)  # why it was last visited again, and what came of it
    shard: int | None = None  # that has the page, or its host; None: the crawl has no shards


def replayed_anew(reader: CrawlReader, spec: CrawlSpec) -> Replayed:
    from sundog.replay import Replayed  # loads kernels, which pages that were fetched do not need

    return Replayed(reader, spec)


Replay = Callable[[CrawlReader, CrawlSpec], "Replayed"]


def explain(directory: Path | str, url: str, replayed: Replay = replayed_anew) -> Explanation:
    """``replayed`` is called only for pages that were not fetched: it takes long, and may keep what it made."""
    name = identity(url)
    if name is None:
        raise UsageError(f"'{url}' is no URL that could be crawled: give it as the crawl has it, with its scheme")
    directory = Path(directory)
    if not is_sharded(directory):
        return _explained(directory, url, name, replayed)
    shard = _shard_of(directory, name)
    found = _explained(shard, url, name, replayed)
    if found.found and found.found["page"] is None:
        found = replace(found, found=_found_elsewhere(directory, found.url) or found.found)
    return replace(found, shard=shard_number(shard))


def _explained(directory: Path, url: str, name: str, replayed: Replay) -> Explanation:
    with open_readonly(directory) as reader:
        spec = parse_spec(reader.spec_text, str(directory / SPEC))
        if is_revisit(url) and (candidate := reader.candidate(visit := name + mark_of(url))) is not None:
            return _Explainer(reader, spec, candidate, visit, replayed).explanation()
        candidate = reader.candidate(name)
        if candidate is None and (candidate := reader.redirected_to(url, name)) is not None:
            found = _Explainer(reader, spec, candidate, reader.url(candidate), replayed).explanation()
            return replace(found, reason=found.reason or f"a redirect led from there to {name}")
        if candidate is None:
            host = _host(reader, name, _pages_of_host(reader, name))
            return Explanation(name, "unknown", _why_unknown(spec, name), host=host)
        return _Explainer(reader, spec, candidate, name, replayed).explanation()


def _shard_of(directory: Path, url: str) -> Path:
    """The one that has fetched the page, or owns its host."""
    layout = read_layout(directory)
    owner = shard_directory(directory, Owners(layout.shards, layout.split).of(url))
    for shard in shard_directories(directory):
        with open_readonly(shard) as reader:
            if reader.connection.execute(HAS_OUTCOME, (url,)).fetchone():
                return shard
    return owner


def _found_elsewhere(directory: Path, url: str) -> dict[str, Any]:
    """Where another shard has found it; empty if none has, or if it is a seed."""
    for shard in shard_directories(directory):
        with open_readonly(shard) as reader:
            if url in map(identity, parse_spec(reader.spec_text).seed_urls):
                return {}
            row = reader.connection.execute(FOUND, (url,)).fetchone()
            if row is not None:
                return {"page": row[0], "depth": row[1]}
    return {}


def _why_unknown(spec: CrawlSpec, url: str) -> str:
    reason = link_filter_of(spec).out_of_scope(url)
    if reason:
        return f"out of scope: {reason}"
    return "no page that was fetched has a link to it that may be followed"


class _Explainer:
    def __init__(self, reader: CrawlReader, spec: CrawlSpec, candidate: int, url: str, replayed: Replay) -> None:
        self.reader, self.spec, self.candidate, self.url = reader, spec, candidate, url
        self._replayed = replayed

    def explanation(self) -> Explanation:
        pages = _pages_of_host(self.reader, self.url)
        url = without_mark(self.url)
        found, host, group = self._found(), _host(self.reader, url, pages), _group(url, pages)
        row = self.reader.connection.execute(HISTORY, (self.candidate,)).fetchone()
        if row is None:
            waiting = self._waiting()
            return replace(waiting, found=found, host=host, group=group)
        event, at, reward, data = row
        reason = "" if event == "fetched" else str(data)
        page = {} if event == "refused" else {"reward": reward or 0.0, **self._page()}
        if event == "revisited":
            event, reason = "fetched", ""
        revisit = self._revisit()
        leads = _by_shape((url, 1.0) for (url,) in self.reader.connection.execute(LED_TO, (self.candidate,)))
        return Explanation(
            self.url, event, reason, at, found, page, self._decision(), {}, host, group, leads, revisit
        )

    def _revisit(self) -> dict[str, Any]:
        rows = self._rows(LAST_VISIT)
        found = {name: value for name, value in rows[0].items() if value not in (None, "")} if rows else {}
        own = zip(OwnHints._fields, orjson.loads(found.pop("said_itself", "[]")), strict=False)
        said = {name: bool(says) for name, says in own if says >= 0}
        return found | ({"said_itself": said} if said else {})

    def _rows(self, query: str) -> list[dict[str, Any]]:
        """With this candidate for each parameter."""
        cursor = self.reader.connection.execute(query, (self.candidate,) * query.count("?"))
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor]

    def _found(self) -> dict[str, Any]:
        (found,) = self._rows(
            "SELECT p.url AS page, u.depth FROM urls u LEFT JOIN urls p ON p.id = u.parent WHERE u.id = ?"
        )
        link = self._rows(
            "SELECT anchor, tag_path FROM links"
            " WHERE dst = ? AND src = (SELECT parent FROM urls WHERE id = ?) LIMIT 1"
        )
        return {**found, **(link[0] if link else {})}

    def _page(self) -> dict[str, Any]:
        rows = self._rows(
            f"SELECT status, final_url, content_type, size, seconds, {', '.join(STORED)}, types, faults,"
            " (SELECT url FROM urls WHERE id = duplicate_of) AS duplicate_of"
            " FROM outcomes WHERE candidate = ? ORDER BY step DESC LIMIT 1"
        )
        page = {name: value for name, value in rows[0].items() if value not in (None, 0)}
        if said := self._rendered(self.url):
            page["browser"] = said
        again = rendered_visit(self.url)
        if again != self.url and (again := self._rendered(again)):
            page["visited_again"] = again
        return page

    def _rendered(self, name: str) -> str:
        """Why it was rendered or not; empty if that was no question."""
        row = self.reader.connection.execute(RENDERED, (name,)).fetchone()
        return "; failed: ".join(filter(None, row)) if row else ""

    def _decision(self) -> dict[str, Any]:
        rows = self._rows(f"SELECT score, {PARTS} FROM decisions WHERE id = ? ORDER BY step DESC LIMIT 1")
        return rows[0] if rows else {}

    def _waiting(self) -> Explanation:
        replayed = self._replayed(self.reader, self.spec)
        if self.candidate in replayed.in_flight:
            return Explanation(self.url, "in flight", decision=self._decision())
        worth, leads = replayed.worth(self.candidate), _by_shape(replayed.leads(self.candidate))
        return Explanation(self.url, "waiting", decision=worth, next_choice=replayed.next_choice, leads=leads)


class HostPage(NamedTuple):
    url: str
    relevant: int
    failed: int


def _pages_of_host(reader: CrawlReader, url: str) -> list[HostPage]:
    host = host_of(url)
    return [HostPage._make(row) for row in reader.connection.execute(PAGES, (host, host))]


def _group(url: str, pages: Sequence[HostPage]) -> dict[str, Any]:
    """Pages of the same host whose URLs have the same shape."""
    shape = page_shape(url)
    alike = [page.relevant for page in pages if page_shape(without_mark(page.url)) == shape]
    return {"shape": shape, "fetched": len(alike), "relevant": sum(alike)}


def _by_shape(pages: Iterable[tuple[str, float]]) -> dict[str, float]:
    """URLs with numbers of pages like them, added up; those that there are most of."""
    found: dict[str, float] = defaultdict(float)
    for url, number in pages:
        found[page_shape(without_mark(url))] += number
    most = sorted(found.items(), key=lambda item: -item[1])[:MOST_SHAPES]
    return {shape: number for shape, number in most if number >= LEAST_PAGES}


def page_shape(url: str) -> str:
    """Numbers and names of several words vary within a group of pages.

    >>> page_shape("https://a.example/recipes/1031-rustic-salmon-risotto?page=2")
    'a.example/recipes/*?page'
    """
    return SLUG.sub("*", group_of(url).key)


def _host(reader: CrawlReader, url: str, pages: Sequence[HostPage]) -> dict[str, Any]:
    host = host_of(url)
    known = {
        "name": host,
        "fetched": len(pages),
        "relevant": sum(page.relevant for page in pages),
        "failed": sum(page.failed for page in pages),
    }
    state = reader.host_states().get(host)
    if state is not None:
        pace = HostState(*state)
        known |= {"crawl_delay": pace.crawl_delay, "errors_in_a_row": pace.errors, "breaks": pace.breaks}
    return known
