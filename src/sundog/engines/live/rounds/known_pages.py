"""The pages that a crawl knows, as arrays: what each is worth, when it was last seen, how often it changes.

Ages are days of the crawl: they go on from round to round, and do not shrink when somebody sets the clock back.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from sundog.engines.live.pages.reading import OF_SITEMAPS
from sundog.fetch.values import NO_ANSWER
from sundog.frontier.facts import FINE, Facts
from sundog.revisits.hints import NOTHING, HintTrust
from sundog.revisits.rates import ChangeRates
from sundog.revisits.siblings import TemplateNews
from sundog.store import CrawlReader, OwnHints
from sundog.store.database import GONE, LATEST
from sundog.urls.revisits import RENDERED

DAY = 86_400.0
NOT_FOUND = 404
WORTH_A_LOOK = 0.1  # of what a page is worth on average: few that were not found are there later
LEAST_LISTED = 3  # pages of which a list must tell to be visited for that
UNSEEN = ", ".join(f"'{kind}'" for kind in sorted(NO_ANSWER))
# All pages of a host may be one and the same for a time, such as a wall: they are asked again even so.
WAS_ITSELF = """EXISTS (SELECT 1 FROM outcomes e JOIN log f ON f.step = e.step WHERE e.candidate = o.candidate
  AND e.step < o.step AND e.duplicate_of IS NULL AND f.event IN ('fetched', 'revisited'))"""
# A page that was visited again with a browser, and was another then, is that one from then on.
WAS_RENDERED = f"""SELECT p.id FROM urls p WHERE p.url IN (SELECT substr(u.url, 1, length(u.url) - {len(RENDERED)})
  FROM urls u JOIN outcomes e ON e.candidate = u.id AND e.duplicate_of IS NULL WHERE u.url LIKE '%{RENDERED}')"""
# A page that was not found is looked for in round 1, 3, 7, 15, …: after twice as many rounds each time.
IS_LOOKED_FOR = """(SELECT count(*) FROM rounds n WHERE n.step > coalesce(
  (SELECT max(r.step) FROM revisits r WHERE r.candidate = o.candidate), o.step))
  >= 1 << (SELECT count(*) FROM revisits r WHERE r.candidate = o.candidate)"""
PAGES = f"""SELECT o.candidate, o.step, l.at, coalesce(l.value, 0.0), l.event = 'failed', o.status = {NOT_FOUND}
  FROM outcomes o JOIN log l ON l.step = o.step
  WHERE (o.duplicate_of IS NULL OR {WAS_ITSELF}) AND coalesce(o.trouble, '') <> '{GONE}' AND {LATEST}
  AND (l.event IN ('fetched', 'revisited') OR (l.event = 'failed'
    AND (o.trouble IN ({UNSEEN}) OR (o.status = {NOT_FOUND} AND {IS_LOOKED_FOR}))))
  AND o.candidate NOT IN ({WAS_RENDERED})
  ORDER BY o.candidate"""
LED_TO = """SELECT u.parent, sum(l.value) / (count(*) + 1) FROM log l JOIN urls u ON u.id = l.subject
  WHERE l.event = 'fetched' AND u.parent IS NOT NULL GROUP BY u.parent HAVING sum(l.value) > 0"""
VISITS = f"""SELECT r.candidate, r.age, r.result IN ('changed', 'gone') OR r.found > 0, l.at,
    (SELECT count(*) FROM log e WHERE e.event = 'round' AND e.step < r.step),
    CASE json_extract(d.data, '$[3]') WHEN 'changed' THEN 1 WHEN 'unchanged' THEN 0 ELSE -1 END,
    {", ".join(f"coalesce(json_extract(d.data, '$[4][{place}]'), -1)" for place in range(len(OwnHints._fields)))}
  FROM revisits r JOIN log l ON l.step = r.step JOIN log d ON d.step = r.decided
  WHERE r.result NOT IN ('failed', 'refused') ORDER BY r.step"""
# What was not found is no error of the server's: after three such visits a page is gone.
FAILURES = f"""SELECT r.candidate, count(*), max(r.age) FROM revisits r
  WHERE r.result = 'failed' AND coalesce(r.status, 0) <> {NOT_FOUND} AND r.step > coalesce((SELECT max(e.step)
    FROM revisits e WHERE e.candidate = r.candidate AND e.result NOT IN ('failed', 'refused')), 0)
  GROUP BY r.candidate ORDER BY r.candidate"""
HINTS = "SELECT candidate, at FROM hints ORDER BY candidate"
OWN_HINTS = f"SELECT candidate, {', '.join(OwnHints._fields)} FROM own_hints ORDER BY candidate"
SOURCES = 1 + len(OwnHints._fields)  # of hints: sitemaps and feeds are one
# Lists of lists, too: they say which new ones there are.
LISTINGS = f"""WITH lists AS (SELECT listing FROM hints GROUP BY listing HAVING count(*) >= {LEAST_LISTED})
  SELECT listing FROM lists UNION SELECT u.parent FROM lists JOIN urls u ON u.id = lists.listing
    JOIN outcomes o ON o.candidate = u.parent JOIN log l ON l.step = o.step AND l.event = 'fetched'
    JOIN texts t ON t.id = json_extract(l.data, '$[0][2]') AND t.text = '{OF_SITEMAPS}' ORDER BY 1"""
FIRST = "SELECT min(step), min(at) FROM log WHERE step = (SELECT min(step) FROM log WHERE event = 'decided')"
LAST = """SELECT step, at FROM log
  WHERE event IN ('decided', 'fetched', 'failed', 'revisiting', 'revisited', 'round') ORDER BY step DESC LIMIT 1"""


class Ages:
    """From steps of the log and their times to ages, in seconds."""

    def __init__(self, reader: CrawlReader) -> None:
        _, origin = reader.connection.execute(FIRST).fetchone()
        rows = reader.connection.execute("SELECT step, began, age FROM rounds ORDER BY step").fetchall()
        self._steps = np.array([0, *(row[0] for row in rows)])
        self._began = np.array([origin or 0.0, *(row[1] for row in rows)])
        self._ages = np.array([0.0, *(row[2] for row in rows)])

    def of(self, steps: Any, times: Any) -> Any:
        """None is below the age at which its round began, nor above that of the next one."""
        number = np.searchsorted(self._steps, np.asarray(steps), "right") - 1
        ages = self._ages[number] + np.asarray(times, float) - self._began[number]
        return np.clip(ages, self._ages[number], np.append(self._ages[1:], np.inf)[number])

    def now(self, reader: CrawlReader, clock: float) -> float:
        """Of the whole crawl. A clock that was set back adds nothing to that of the last event; when it is right
        again, the time counts that has passed since the latest round."""
        row = reader.connection.execute(LAST).fetchone()
        if row is None:
            return 0.0
        step, at = int(row[0]), float(row[1])
        last = float(self.of([step], [at])[0])
        age, latest = last + max(0.0, clock - at), int(np.argmax(self._began))
        if clock >= self._began[latest]:
            age = min(age, float(self._ages[latest] + clock - self._began[latest]))
        return max(last, age)


class KnownPages(NamedTuple):
    """Arrays by page: its id, template and host, its value from 0 to 1, the age at which it was last seen, and the
    time by the clock. ``asked``: the age at which it was last asked for, whether it came or not. ``hint``: when a
    sitemap or feed says that it last changed, NaN if none does; ``own``: what it says itself, as ``OwnHints``,
    likewise; ``is_listing``: it is a sitemap or feed."""

    candidate: Any
    template: Any
    host: Any
    value: Any
    seen: Any
    seen_at: Any
    asked: Any
    hint: Any
    own: Any
    is_listing: Any
    templates: dict[tuple[int, int], int]  # (host, shape) to its number

    def said(self, places: Any, since: Any) -> Any:
        """By page and source, what is said of these pages, last seen ``since`` days ago.

        A page that may be kept for an hour says that it does not change within that hour. One that was last
        changed a year before it was seen says that it does not change within a year.
        """
        seen_at, since = self.seen_at[places], since * DAY
        fresh_for, last_modified, date_modified = self.own[places].T
        limits = fresh_for, np.maximum(0.0, seen_at - last_modified), np.maximum(0.0, seen_at - date_modified)
        said = np.full((len(places), SOURCES), NOTHING, np.int8)
        for source, (claims, unknown) in enumerate(
            [
                (self.hint[places] > seen_at, np.isnan(self.hint[places])),
                *((since > limit, np.isnan(limit)) for limit in limits),
            ]
        ):
            said[:, source] = np.where(unknown, NOTHING, claims)
        return said

    def template_of(self, facts: Facts, candidate: int) -> int:
        key = int(facts.host.item(candidate)), int(facts.shape[candidate, FINE])
        return self.templates.get(key, -1)


def known_pages(reader: CrawlReader, facts: Facts) -> tuple[KnownPages, Learned, HintTrust]:
    """All pages that may be visited again, what earlier visits say of their changes, and whom to believe.

    A page is worth what it earned, and what the pages that it has led to are worth: a list brings new ones. One
    that never came, because its host did not answer, is worth as much as pages are on average; one that was not
    found a part of that. Each visit in a row that has failed halves it: pages that always fail would go first,
    and when a host has failed a few times it is left alone.
    """
    rows = np.array(reader.connection.execute(PAGES).fetchall(), float).reshape(-1, 6)
    candidate, step = rows[:, 0].astype(np.int64), rows[:, 1].astype(np.int64)
    ages = Ages(reader)
    seen = ages.of(step, rows[:, 2]) / DAY
    reward = rows[:, 3] / max(1.0, float(rows[:, 3].max(initial=0.0)))
    came = rows[:, 4] == 0
    reward[~came] = reward[came].mean() if came.any() else 1.0
    reward[~came & (rows[:, 5] == 1)] *= WORTH_A_LOOK
    led_to = np.array(reader.connection.execute(LED_TO).fetchall(), float).reshape(-1, 2)
    place, is_known = _places(candidate, led_to[:, 0])
    reward[place[is_known]] += led_to[is_known, 1] / max(1.0, float(led_to[:, 1].max(initial=0.0)))
    host, shape = facts.host[candidate].astype(np.int64), facts.shape[candidate, FINE].astype(np.int64)
    kinds, template = np.unique(np.column_stack((host, shape)), axis=0, return_inverse=True)
    names = {(int(site), int(form)): number for number, (site, form) in enumerate(kinds.tolist())}
    hints = np.array(reader.connection.execute(HINTS).fetchall(), float).reshape(-1, 2)
    hint = np.full(len(candidate), np.nan)
    of, is_hinted = _places(candidate, hints[:, 0])
    hint[of[is_hinted]] = hints[is_hinted, 1]
    own = np.array(reader.connection.execute(OWN_HINTS).fetchall(), float).reshape(-1, SOURCES)
    of, is_hinted = _places(candidate, own[:, 0])
    own_hints = np.full((len(candidate), SOURCES - 1), np.nan)
    own_hints[of[is_hinted]] = own[is_hinted, 1:]
    listings = [listing for (listing,) in reader.connection.execute(LISTINGS)]
    failures = np.array(reader.connection.execute(FAILURES).fetchall(), float).reshape(-1, 3)
    of, is_known = _places(candidate, failures[:, 0])
    reward[of[is_known]] *= 0.5 ** failures[is_known, 1]
    asked = np.zeros(len(candidate))
    asked[of[is_known]] = failures[is_known, 2] / DAY
    pages = KnownPages(
        candidate,
        template.reshape(-1),
        host,
        np.minimum(reward, 1.0),
        seen,
        rows[:, 2].copy(),
        asked,
        hint,
        own_hints,
        np.isin(candidate, listings),
        names,
    )
    return pages, *_recall(reader, pages)


def _places(candidates: Any, of: Any) -> tuple[Any, Any]:
    """Where these stand among sorted candidates, and whether they do."""
    places = np.searchsorted(candidates, of)
    if not len(candidates):
        return places, np.zeros(len(places), bool)
    return places, (places < len(candidates)) & (candidates[np.minimum(places, len(candidates) - 1)] == of)


def _recall(reader: CrawlReader, pages: KnownPages) -> tuple[Learned, HintTrust]:
    """Learn from the visits so far, round by round; ``seen`` becomes the age of the last one of each page, and
    ``asked`` is no lower."""
    learned, trust = Learned(pages), HintTrust(SOURCES)
    visits = np.array(reader.connection.execute(VISITS).fetchall(), float).reshape(-1, 5 + SOURCES)
    places, known = _places(pages.candidate, visits[:, 0])
    visits, places = visits[known], places[known]
    trust.observe(pages.host[places], visits[:, 5:], visits[:, 2] > 0)
    np.maximum.at(pages.seen_at, places, visits[:, 3])
    last = _first_seen(reader, pages)
    for of in _runs(visits[:, 4]):
        place, age, changed = places[of], visits[of, 1] / DAY, visits[of, 2] > 0
        learned.observe(place, last[place], age, changed)
        np.maximum.at(last, place, age)
    pages.seen[:] = np.maximum(pages.seen, last)
    pages.asked[:] = np.maximum(pages.asked, pages.seen)
    return learned, trust


def _runs(numbers: Any) -> Iterator[slice]:
    """Where equal numbers stand, one after another."""
    ends = np.append(np.flatnonzero(np.diff(numbers)) + 1, len(numbers)).tolist()
    return map(slice, [0, *ends[:-1]], ends)


class Learned:
    """Rates of change, learned from visits of known pages; and whether those of a template change together."""

    def __init__(self, pages: KnownPages) -> None:
        self._pages = pages
        self.rates, self._news = ChangeRates(), TemplateNews(pages.template)

    def observe(self, places: Any, before: Any, now: Any, changed: Any) -> None:
        """Visits of pages at these places, at these ages; they were last seen before. No time tells nothing."""
        longer = now > before
        places, before, now, changed = (each[longer] for each in (places, before, now, changed))
        chain = self.chain(places)
        expected = self.rates.rates(*chain) * (now - before)
        self._news.learn(self._news.heard(before, places), expected, changed)
        self.rates.observe_many(*chain, now - before, changed)
        self._news.observe(places, now, changed)
        self.rates.alike = self._news.alike

    def chain(self, places: Any) -> tuple[Any, Any, Any]:
        return self._pages.candidate[places], self._pages.template[places], self._pages.host[places]


def _first_seen(reader: CrawlReader, pages: KnownPages) -> Any:
    """The age at which each page first came: the latest version may be of a later round."""
    query = """SELECT o.candidate, min(o.step), l.at FROM outcomes o JOIN log l ON l.step = o.step
      GROUP BY o.candidate ORDER BY o.candidate"""
    rows = np.array(reader.connection.execute(query).fetchall(), float).reshape(-1, 3)
    places = np.searchsorted(rows[:, 0], pages.candidate)
    return Ages(reader).of(rows[places, 1].astype(np.int64), rows[places, 2]) / DAY
