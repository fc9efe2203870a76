"""All patterns of a spec tried on one page, each for itself: what each yields, where it stands, what is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple

from sundog.errors import SundogError
from sundog.patterns.definitions import LANGUAGES, DataPattern, LinkPattern, Patterns, ResultPattern, StopPattern
from sundog.patterns.runner import Found, FoundLink, PatternRunner, ResultRunner, Subject
from sundog.processes.sandbox import Sandbox

POSITION_PROGRAM = "sundog.patterns.position_child"


class SourcePosition(NamedTuple):
    """Where an element begins in the page's source, and its path in the tree. Line 0: it is not in the source."""

    line: int
    column: int
    path: str


Positions = Mapping[str, SourcePosition]  # by the names of fields; the item or link itself has the empty name


class Tried(NamedTuple):
    """What one pattern gave. ``positions`` are those of its items with their fields, or of its links, if known."""

    name: str
    kind: Literal["data", "link", "stop", "result"]
    engine: str
    items: Sequence[Mapping[str, Any]] = ()
    links: Sequence[FoundLink] = ()
    positions: Sequence[Positions] = ()
    holds: bool | None = None  # of stop patterns; None: it depends on the crawl, not on a page
    errors: Sequence[str] = ()

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "name": self.name,
            "kind": self.kind,
            "engine": self.engine,
            "items": list(self.items),
            "links": [link._asdict() for link in self.links],
            "places": [{part: each._asdict() for part, each in one.items()} for one in self.positions],
            "holds": self.holds,
            "errors": list(self.errors),
        }


def try_patterns(patterns: Patterns, subject: Subject) -> list[Tried]:
    """On the page as if it were the first of a crawl."""
    errors = {name: [error] for name, error in _cannot_be_compiled(patterns)}
    sound = _only(patterns, [name for name in _names(patterns) if name not in errors])
    found = _applied(sound, subject)
    for name, reason in found.faults:
        errors.setdefault(name, []).append(reason)
    return [*_all_tried(patterns, found, _positions(sound, subject), errors), *_tried_result(patterns)]


def _names(patterns: Patterns) -> list[str]:
    return [pattern.name for pattern in patterns.all]


def _cannot_be_compiled(patterns: Patterns) -> Iterator[tuple[str, str]]:
    """If they cannot be compiled together, those that cannot be compiled alone, with their errors."""
    if _error_of(patterns) is None:
        return
    for name in _names(patterns):
        if (error := _error_of(_only(patterns, [name]))) is not None:
            yield name, error


def _error_of(patterns: Patterns) -> str | None:
    try:
        with PatternRunner(patterns):
            return None
    except SundogError as error:
        return str(error)


def _only(patterns: Patterns, names: Sequence[str]) -> Patterns:
    """Without ``next`` and ``start``, which choose patterns by the way to a page."""
    return replace(
        patterns,
        start=None,
        data=tuple(each for each in patterns.data if each.name in names),
        link=tuple(replace(each, next=None) for each in patterns.link if each.name in names),
        stop=tuple(each for each in patterns.stop if each.name in names),
        result=ResultPattern(),
    )


def _applied(patterns: Patterns, subject: Subject) -> Found:
    if not patterns:
        return Found()
    try:
        with PatternRunner(patterns) as runner:
            return runner.apply(subject)
    except SundogError as error:  # each could be compiled alone, but all of them take too long
        return Found(faults=[(name, str(error)) for name in _names(patterns)])


def _positions(patterns: Patterns, subject: Subject) -> Mapping[str, Sequence[Positions]]:
    """Empty if they cannot be found: nothing else depends on them."""
    queries = {
        each.name: (patterns.engine_of(each), each.find, _field_queries(each))
        for each in patterns.on_pages
        if LANGUAGES[patterns.engine_of(each)].finds_nodes
    }
    sandbox = Sandbox(POSITION_PROGRAM, queries, seconds=patterns.seconds, memory=patterns.memory * 1_000_000)
    request = {"url": subject.url, "content_type": subject.content_type}
    try:
        answer = sandbox.ask(request, subject.body) if queries else {}
    except SundogError:
        return {}
    finally:
        sandbox.close()
    return {
        name: [{part: SourcePosition(*position) for part, position in one.items()} for one in found]
        for name, found in answer.items()
    }


def _field_queries(pattern: DataPattern | LinkPattern) -> list[tuple[str, str, bool]]:
    fields = pattern.parsed_fields if isinstance(pattern, DataPattern) else ()
    return [(field.name, field.find, field.required) for field in fields if field.find]


def _all_tried(
    patterns: Patterns,
    found: Found,
    positions: Mapping[str, Sequence[Positions]],
    errors: Mapping[str, Sequence[str]],
) -> Iterator[Tried]:
    def tried(kind: Any, pattern: DataPattern | LinkPattern | StopPattern, **more: Any) -> Tried:
        return Tried(pattern.name, kind, patterns.engine_of(pattern), errors=errors.get(pattern.name, ()), **more)

    for data in patterns.data:
        items = found.items.get(data.name, ())
        yield tried("data", data, items=items, positions=_if_as_many(positions.get(data.name, ()), items))
    for link in patterns.link:
        links = found.links.get(link.name, ())
        yield tried("link", link, links=links, positions=_if_as_many(positions.get(link.name, ()), links))
    for stop in patterns.stop:
        yield tried("stop", stop, holds=stop.name in found.stops if stop.when else None)


def _tried_result(patterns: Patterns) -> Iterator[Tried]:
    """A result needs a whole crawl; with one page, its query is only compiled."""
    if patterns.result.find:
        runner = ResultRunner(patterns)
        try:
            runner.start()
        except SundogError as error:
            yield Tried("result", "result", patterns.result.engine, errors=[str(error)])
        else:
            yield Tried("result", "result", patterns.result.engine)
        finally:
            runner.close()


def _if_as_many(positions: Sequence[Positions], found: Sequence[Any]) -> Sequence[Positions]:
    """Second links to a page and values of a wrong type are left out: then nobody knows whose a position is."""
    return positions if len(positions) == len(found) else ()
