"""Why a page that is known has less than before: what is written down of a visit, for whoever asks what broke.

Nothing is, of a visit that brought what the version before had: a healthy round adds nothing.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import orjson

from sundog.engines.live.pages.reading import IN_FEED, IN_SITEMAP, OF_SITEMAPS
from sundog.engines.live.worlds.world import Observation
from sundog.fetch.robots import Rules
from sundog.model import NOT_KEPT, Fetched, Link
from sundog.store import CrawlReader, CrawlStore
from sundog.store.versions import Version, latest_version
from sundog.syntaxes import STORED
from sundog.urls.identity import identity

RECORD_OF = f"SELECT types, {', '.join(STORED)} FROM outcomes WHERE step = ?"
LINKS_OF = """WITH parts AS (SELECT data AS links FROM log WHERE step = ?1 UNION ALL
    SELECT links FROM foreign_links WHERE step = ?1 UNION ALL SELECT known FROM foreign_links WHERE step = ?1)
  SELECT coalesce(t.text, ''), count(*) FROM parts, json_each(parts.links) link
  LEFT JOIN texts t ON t.id = json_extract(link.value, '$[2]') GROUP BY 1"""
MATCHED = "SELECT pattern FROM found_matches WHERE step = ? AND kind = 'link' AND found > 0"
LISTINGS = (IN_SITEMAP, OF_SITEMAPS, IN_FEED)
LEAST_LIST = 3  # links at one place of a page


def signs_of(store: CrawlReader, url: str, candidate: int, observation: Observation) -> dict[str, Any]:
    """Empty if there is nothing to say. Call it before the visit is stored."""
    if not isinstance(observation.outcome, Fetched):
        return {"moved": observation.led_to} if observation.led_to else {}
    version = latest_version(store, candidate)
    if not version.is_there or observation.look is None:
        return {}
    signs = _of_place(url, version, observation.record.final_url) | _of_links(store, version, observation)
    if signs or _lost_markup(store, version, observation):
        seen = observation.look()
        signs |= {name: value for name, value in seen._asdict().items() if value}
    not_kept = next((reason for name, reason in observation.record.faults if name == NOT_KEPT), "")
    return signs | ({"not_kept": not_kept} if signs and not_kept else {})


def _of_place(url: str, version: Version, final_url: str | None) -> dict[str, Any]:
    before, now = (_place(each or url) for each in (version.final_url, final_url))
    return {"moved": final_url or url} if before != now else {}


def _place(url: str) -> str:
    """Without the scheme: a page that is served with https now has not moved."""
    return (identity(url) or url).partition("://")[2].rstrip("/")


def _lost_markup(store: CrawlReader, version: Version, observation: Observation) -> bool:
    row = store.connection.execute(RECORD_OF, (version.step,)).fetchone()
    if row is None:
        return False
    record = observation.record
    lost_types = set(orjson.loads(row[0] or "[]")) - set(record.types)
    return bool(lost_types) or any(
        before and not record.counts.get(name) for name, before in zip(STORED, row[1:], strict=True)
    )


def _of_links(store: CrawlReader, version: Version, observation: Observation) -> dict[str, Any]:
    """A list that is empty now, entries that a sitemap has lost, link patterns that match nothing any more."""
    links: Any = observation.outcome.links if isinstance(observation.outcome, Fetched) else ()
    findings, found = observation.findings, dict[str, Any]()
    if findings is not None:
        now_matching = {name for name, places in findings.followed.items() if places}
        lost = {name for (name,) in store.connection.execute(MATCHED, (version.step,))} - now_matching
        if lost:
            found["patterns"] = sorted(lost)
    before = dict(store.connection.execute(LINKS_OF, (version.step,)).fetchall())
    now = Counter(link.tag_path for link in links if isinstance(link, Link))
    if any(path in before for path in LISTINGS):
        entries = [sum(each.get(path, 0) for path in LISTINGS) for each in (before, now)]
        return found | ({"entries": entries} if 2 * entries[1] < entries[0] else {})
    fell = sum(before.values()) - sum(now.values())
    gone = sum(count for path, count in before.items() if count >= LEAST_LIST and not now[path])
    return found | ({"links": [sum(before.values()), sum(now.values())]} if gone and 2 * fell >= gone else {})


class RobotsLog:
    """Keeps what robots.txt said where that differs from before, and every time that it could not be had."""

    def __init__(self, store: CrawlStore) -> None:
        self._store = store
        query = "SELECT origin, digest FROM robots_files WHERE digest IS NOT NULL OR trouble IS NULL ORDER BY step"
        self._known: dict[str, str] = {origin: digest or "" for origin, digest in store.connection.execute(query)}

    def note(self, origin: str, rules: Rules) -> None:
        if rules.wait_until is not None:
            self._store.note_robots(origin, "", str(rules.why))
        elif self._known.get(origin) != rules.digest:
            self._known[origin] = rules.digest
            self._store.note_robots(origin, rules.digest, "")
