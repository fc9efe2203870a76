"""Which drops are no chance, from round to round: an alarm begins, goes on, and ends.

In every round each host, and each template of it, is compared with its own past in each aspect. While an alarm is
open, its rounds do not become the past; it ends when less than a quarter of what is visited is wrong.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sundog.results.health.aspects import (
    ANSWERS,
    MARKUP,
    PATTERN,
    PROPERTY,
    SITEMAP,
    aspect_of,
    had_names,
    judged,
    lost_names,
    order_of,
)
from sundog.results.health.causes import Cause, Scene, cause_of
from sundog.results.health.chance import PER_HOST_AND_ROUND, Past, chance, shared_among
from sundog.results.health.evidence import Round, Version, Visit, template_of

WHOLE = ""  # the template that is all of a host
OVER = 0.25  # an alarm has ended if a smaller share is wrong
SAME_PAGES = 0.8
FAMILIES = 5  # of what is tested
NOTHING = Past(0.0, 0.0)


Family = tuple[bool, bool, bool]


class Key(NamedTuple):
    host: str
    template: str
    aspect: str


@dataclass
class Tally:
    """Of one key in one round. ``number`` may be a guess: how many pages had a property is known only of those
    that changed."""

    number: float = 0.0
    wrong: list[Visit] = field(default_factory=list)


@dataclass
class Alarm:
    """``wrong`` of ``visits`` in its last round, usually a share of ``usual``; ``chance``: that it is none."""

    key: Key
    cause: Cause
    since: int
    round: int
    wrong: int
    visits: int
    usual: float
    chance: float
    example: Visit
    templates: list[str]  # those with most of the wrong pages first
    pages: dict[int, Version | None]  # wrong ones, and what they have lost
    ended: int | None = None


def watch(rounds: Iterable[Round]) -> Watcher:
    watcher = Watcher()
    for each in rounds:
        watcher.round(each)
    return watcher


class Watcher:
    """``alarms`` are all there have been, those that began last at the end; ``hosts`` those that were compared."""

    def __init__(self) -> None:
        self.alarms: list[Alarm] = []
        self.hosts: set[str] = set()
        self.last = 0
        self._past: dict[Key, Past] = defaultdict(lambda: NOTHING)
        self._open: dict[Key, Alarm] = {}

    def round(self, seen: Round) -> None:
        self.last = seen.number
        for host in sorted({*seen.visits, *seen.robots}):
            visits = seen.visits.get(host, [])
            if any(visit.was_there for visit in visits):
                self.hosts.add(host)
            if host in self.hosts:  # one that never answered has no past
                self._host(host, visits, seen.robots.get(host, []))

    def _host(self, host: str, visits: Sequence[Visit], robots: Sequence[Visit]) -> None:
        tallies = self._tallies(host, visits, robots)
        scene = Scene(sum(visit.came and not visit.signs for visit in visits))
        found: list[Alarm] = []
        limits = self._limits(tallies)
        for key, tally in tallies.items():
            if (alarm := self._open.get(key)) is not None:
                self._go_on(alarm, tally)
                continue
            aspect, number, wrong = aspect_of(key.aspect), round(tally.number), len(tally.wrong)
            level = chance(wrong, number, self._past[key], aspect.first)
            if number and wrong >= aspect.least * number and level <= limits[_family(key)]:
                found.append(self._alarm(key, tally, level, scene))
            else:
                self._past[key] = self._past[key].after(wrong, number)
        new = _without_explained(found, [each for each in self._open.values() if each.key.host == host])
        self._open |= {alarm.key: alarm for alarm in new}
        self.alarms += new

    # -- what is counted ----------------------------------------------------------------------------------

    def _tallies(self, host: str, visits: Sequence[Visit], robots: Sequence[Visit]) -> dict[Key, Tally]:
        found: dict[Key, Tally] = defaultdict(Tally)
        came: dict[str, list[Visit]] = defaultdict(list)
        for visit in robots:
            self._count(found, host, [WHOLE], visit)
        for visit in visits:
            if not visit.was_there:
                self._count(found, host, [WHOLE], visit)
                continue
            if visit.lost_sitemap:
                tally = found[Key(host, WHOLE, SITEMAP)]
                tally.number, tally.wrong = tally.number + 1, [*tally.wrong, visit]
                continue
            template = template_of(visit.url)
            self._count(found, host, [WHOLE, template], visit)
            if visit.came:
                came[template].append(visit)
        came[WHOLE] = [visit for each in came.values() for visit in each]
        for template, each in came.items():
            self._count_names(found, host, template, each)
        return dict(found)

    def _count(self, found: dict[Key, Tally], host: str, templates: Sequence[str], visit: Visit) -> None:
        for aspect, is_wrong in judged(visit):
            for key in (Key(host, template, aspect) for template in templates):
                if aspect == ANSWERS and is_wrong and visit.had_failed and key not in self._open:
                    continue  # a page that fails again is no news; it may well be the first of a round
                found[key].number += 1
                if is_wrong or self._still_lacks(key, visit):
                    found[key].wrong.append(visit)

    def _count_names(self, found: dict[Key, Tally], host: str, template: str, came: Sequence[Visit]) -> None:
        """Properties and patterns. Of unchanged pages, as many are taken to have one as of the others."""
        had = [(visit, names) for visit in came if (names := had_names(visit))]
        for name in {name for _, names in had for name in names}:
            having = [visit for visit, names in had if name in names]
            wrong = [visit for visit in having if name in lost_names(visit)]
            found[Key(host, template, name)] = Tally(len(having) * len(came) / len(had), wrong)
        for key, alarm in self._open.items():
            if key[:2] == (host, template) and key.aspect.startswith((PROPERTY, PATTERN)):
                known = [visit for visit in came if visit.candidate in alarm.pages]
                lacking = [visit for visit in known if not _has(visit, key.aspect)]
                tally = found[key]
                wrong = [*{visit.candidate: visit for visit in [*tally.wrong, *lacking]}.values()]
                found[key] = Tally(max(tally.number, len(known)), wrong)

    def _still_lacks(self, key: Key, visit: Visit) -> bool:
        """A page of an open alarm that has not got back what it lost."""
        alarm = self._open.get(key) if key.aspect == MARKUP else None
        if alarm is None or visit.candidate not in alarm.pages:
            return False
        lost, now = alarm.pages[visit.candidate], visit.after
        return now is None or (lost is not None and not (lost.types & now.types or lost.syntaxes & now.syntaxes))

    def _limits(self, tallies: Mapping[Key, Tally]) -> dict[Family, float]:
        """How small a chance must be: the same for sitemaps, the whole host, its templates, and names in both."""
        best: dict[Family, list[float]] = defaultdict(list)
        for key, tally in tallies.items():
            number = round(tally.number)
            best[_family(key)].append(chance(number, number, self._past[key], aspect_of(key.aspect).first))
        return {family: shared_among(levels, PER_HOST_AND_ROUND / FAMILIES) for family, levels in best.items()}

    # -- what comes of it -----------------------------------------------------------------------------------

    def _alarm(self, key: Key, tally: Tally, level: float, scene: Scene) -> Alarm:
        cause = cause_of(key.aspect, tally.wrong, scene)
        says_so = (visit for visit in tally.wrong if cause_of(key.aspect, [visit], scene) is cause)
        first, past = aspect_of(key.aspect).first, self._past[key]
        templates = Counter(template_of(visit.url) for visit in tally.wrong)
        return Alarm(
            key=key,
            cause=cause,
            since=self.last,
            round=self.last,
            wrong=len(tally.wrong),
            visits=max(round(tally.number), len(tally.wrong)),
            usual=Past(past.bad + first.bad, past.good + first.good).share,
            chance=level,
            example=next(says_so, tally.wrong[0]),
            templates=[template for template, _ in templates.most_common()],
            pages={visit.candidate: visit.lost for visit in tally.wrong},
        )

    def _go_on(self, alarm: Alarm, tally: Tally) -> None:
        wrong, visits = len(tally.wrong), round(tally.number)
        if not visits:
            return
        if wrong < OVER * visits:
            alarm.ended = self.last
            del self._open[alarm.key]
            return
        alarm.round, alarm.wrong, alarm.visits = self.last, wrong, max(visits, wrong)
        alarm.pages = {visit.candidate: visit.lost for visit in tally.wrong} | alarm.pages


def _has(visit: Visit, aspect: str) -> bool:
    """Whether a page that changed has this property, or this pattern matches on it."""
    name = aspect.partition(" ")[2]
    return visit.after is not None and (name in visit.after.properties or name in visit.after.patterns)


def _family(key: Key) -> Family:
    is_name = key.aspect.startswith((PROPERTY, PATTERN))
    return key.aspect == SITEMAP, is_name, key.template == WHOLE


def _without_explained(found: Sequence[Alarm], known: Sequence[Alarm]) -> list[Alarm]:
    """Without those whose pages are those of another: what is wrong in an aspect is so in those behind it."""
    kept: list[Alarm] = []
    for alarm in sorted(found, key=lambda each: (order_of(each.key.aspect), -len(each.pages), each.key)):
        pages = alarm.pages.keys()
        if not any(len(pages & each.pages.keys()) >= SAME_PAGES * len(pages) for each in (*known, *kept)):
            kept.append(alarm)
    return kept
