"""``health``: what broke in a crawl that is kept, in words and as plain values."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sundog.rdf.namespaces import shortened
from sundog.results.health.alarms import Alarm, watch
from sundog.results.health.aspects import PATTERN, PROPERTY
from sundog.results.health.evidence import Visit, rounds_seen
from sundog.results.merge import as_one
from sundog.store import CrawlReader, open_readonly
from sundog.texts import counted

MOST_TEMPLATES = 5
MOST_NAMES = 4


def health(crawl: Path | str | CrawlReader) -> dict[str, Any]:
    """All hosts and templates compared with their own past: ``alarms`` are those that go on, those that began last
    first; ``ended`` those that are over. Fit for JSON."""
    if isinstance(crawl, CrawlReader):
        return _health(crawl)
    with open_readonly(as_one(crawl)) as reader:
        reader.connection.execute("BEGIN")  # all of it as of one commit
        return _health(reader)


def alarms_told(reader: CrawlReader) -> list[dict[str, Any]]:
    """What goes on, in short, for whoever reads the summary of a round."""
    names = ("host", "cause", "since", "is_new", "wrong", "visits", "example")
    return [{name: alarm[name] for name in names} for alarm in health(reader)["alarms"]]


def alarm_line(alarm: dict[str, Any]) -> str:
    """One of them in one line."""
    when = "new" if alarm["is_new"] else f"since round {alarm['since']}"
    share = f"{alarm['wrong']:,} of {alarm['visits']:,} visits"
    return f"{alarm['host']}: {alarm['cause']} ({when}; {share}), for example {alarm['example']}"


def _health(reader: CrawlReader) -> dict[str, Any]:
    watcher = watch(rounds_seen(reader))
    alarms = sorted(watcher.alarms, key=lambda alarm: (-alarm.since, alarm.key.host, -alarm.wrong, alarm.key))
    found = [as_json(alarm, watcher.last) for alarm in alarms]
    return {
        "round": watcher.last,
        "hosts": len(watcher.hosts),
        "alarms": _merged([alarm for alarm in found if alarm["ended"] is None]),
        "ended": _merged([alarm for alarm in found if alarm["ended"] is not None]),
    }


def _merged(alarms: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What a host has for one cause is told once: with the figures of where it is worst, and all templates."""
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for alarm in alarms:
        first = found.setdefault((alarm["host"], alarm["cause"], alarm["ended"]), alarm)
        if first is not alarm:
            first["templates"] = list(dict.fromkeys([*first["templates"], *alarm["templates"]]))[:MOST_TEMPLATES]
            first["more"] = first.get("more", 0) + 1
    return list(found.values())


def as_json(alarm: Alarm, last: int) -> dict[str, Any]:
    return {
        "host": alarm.key.host,
        "cause": alarm.cause.name,
        "what": what(alarm),
        "advice": alarm.cause.advice,
        "templates": alarm.templates[:MOST_TEMPLATES],
        "since": alarm.since,
        "is_new": alarm.since == last,
        "seen": alarm.round,
        "ended": alarm.ended,
        "wrong": alarm.wrong,
        "visits": alarm.visits,
        "usual": round(alarm.usual, 4),
        "chance": float(f"{alarm.chance:.2g}"),
        "example": alarm.example.url,
        "evidence": evidence(alarm.example),
    }


def what(alarm: Alarm) -> str:
    """The cause in a sentence, with the property or pattern that it is about."""
    aspect = alarm.key.aspect
    if aspect.startswith(PROPERTY):
        return f"{alarm.cause.means}: {named(aspect.removeprefix(PROPERTY))}"
    if aspect.startswith(PATTERN):
        return f"{alarm.cause.means}: {aspect.removeprefix(PATTERN)}"
    return alarm.cause.means


def named(name: str) -> str:
    """A type, or a property and the type of the things that have it.

    >>> named("http://schema.org/name http://schema.org/Recipe")
    'schema:name of schema:Recipe'
    """
    return " of ".join(shortened(iri) for iri in name.split(" "))


def evidence(visit: Visit) -> str:
    """What was seen of the example, in a few words."""
    return "; ".join(_evidence(visit)) or ("it came" if visit.came else "no page came")


def _evidence(visit: Visit) -> Iterator[str]:
    if visit.reason:
        yield visit.reason
    if visit.led_to and visit.led_to not in visit.reason:
        yield f"leads to {visit.led_to}"
    lost = visit.lost
    if lost is not None and visit.after is not None:
        names = sorted(lost.types) or sorted(lost.properties)
        if names:
            shown = ", ".join(named(name) for name in names[:MOST_NAMES])
            yield f"lost {shown}{f' and {len(names) - MOST_NAMES} more' if len(names) > MOST_NAMES else ''}"
        if lost.syntaxes:
            has = ", ".join(sorted(visit.after.syntaxes)) or "nothing"
            yield f"had {', '.join(sorted(lost.syntaxes))}, has {has}"
    patterns = sorted({*(lost.patterns if lost else ()), *visit.signs.get("patterns", ())})
    if patterns:
        yield f"{', '.join(patterns)} matched before"
    for name, things in (("links", "links"), ("entries", "entries")):
        if name in visit.signs:
            before, now = visit.signs[name]
            yield f"{before:,} {things} before, {now:,} now"
    if title := visit.signs.get("title"):
        yield f"its title is “{title}”"


def whose(found: dict[str, Any]) -> str:
    return "its" if found["hosts"] == 1 else "their"


def lines(found: dict[str, Any]) -> Iterator[str]:
    """For people."""
    if not found["round"]:
        yield "no round yet: sundog refresh makes one, and then hosts are compared with their past"
        return
    alarms = found["alarms"]
    number = counted(len(alarms), "alarm") if alarms else "nothing broke"
    hosts = counted(found["hosts"], "host")
    yield f"round {found['round']}: {number}; {hosts} compared with {whose(found)} own past"
    for alarm in alarms:
        yield ""
        yield f"{alarm['host']}: {alarm['cause']}{' (new)' if alarm['is_new'] else ''}"
        yield f"  {alarm['what']}"
        share = f"{alarm['wrong']:,} of {alarm['visits']:,} visits, usually {alarm['usual']:.1%}"
        yield f"  {share}; since round {alarm['since']}"
        yield f"  templates: {'  '.join(alarm['templates'])}"
        yield f"  look at {alarm['example']}: {alarm['evidence']}"
        yield f"  {alarm['advice']}"
    if found["ended"]:
        yield ""
    for alarm in found["ended"]:
        rounds = f"from round {alarm['since']} to {alarm['ended']}"
        yield f"over: {alarm['host']}: {alarm['cause']}, {rounds}"
