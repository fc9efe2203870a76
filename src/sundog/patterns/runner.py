"""Patterns applied to one page after the other, or to a whole crawl, in a process that can be ended."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from types import TracebackType
from typing import Any, NamedTuple, Self

from sundog.errors import SundogError, UsageError
from sundog.patterns.crawl_view import CrawlView
from sundog.patterns.definitions import LANGUAGES, PATTERN_KINDS, Patterns
from sundog.processes.sandbox import Sandbox, StoppedError

PAGE_PROGRAM = "sundog.patterns.page_child"
STOPS_ALLOWED = 3  # then a pattern is not applied any more: it would cost every page its time box
RESULT_PROGRAM = "sundog.patterns.result_child"
RESULT_SECONDS = 120.0  # a result is made once
_ITEMS = re.compile(r"crawl:items\(\s*(?:['\"]([\w-]+)['\"])?")
_PARENTS = re.compile(r"crawl:(?:parent|matched)|\$crawl")
_WAITING = re.compile(r"crawl:waiting|\bwaiting\b")


class Subject(NamedTuple):
    """A page to apply patterns to. ``statements`` are N-Triples, needed by ``sparql`` only.

    ``names``: the patterns to apply; None: all.
    """

    url: str
    body: bytes
    content_type: str = "text/html"
    statements: str = ""
    crawl_view: CrawlView = CrawlView()
    names: Sequence[str] | None = None


class FoundLink(NamedTuple):
    """A URL that a link pattern found, absolute."""

    url: str
    anchor: str = ""


class Found(NamedTuple):
    """What the patterns gave for one page, by their names. ``faults`` are (pattern, what is wrong)."""

    items: Mapping[str, Sequence[Mapping[str, Any]]] = {}
    links: Mapping[str, Sequence[FoundLink]] = {}
    stops: Sequence[str] = ()
    faults: Sequence[tuple[str, str]] = ()


class PatternRunner:
    """Use it as a context manager, or ``close`` it."""

    def __init__(self, patterns: Patterns | Plan) -> None:
        plan = patterns if isinstance(patterns, Plan) else plan_of(patterns)
        self._plan, self._names = plan, plan.names
        self._stopped: Counter[str] = Counter()
        self._sandbox = _sandbox(plan, plan.queries)

    def start(self) -> None:
        """Compile all patterns; raises UsageError with pattern, line and column if one cannot be."""
        try:
            self._sandbox.start()
        except StoppedError as stopped:
            raise UsageError(
                f"{self._too_much() or 'the patterns together'}: {stopped}, on an empty page"
            ) from None

    def _too_much(self) -> str:
        """The first pattern that is too much for a process that compiles nothing else."""
        for kind, queries in self._plan.queries.items():
            for query in queries:
                alone = _sandbox(self._plan, {**{each: [] for each in PATTERN_KINDS}, kind: [query]})
                try:
                    alone.start()
                except StoppedError:
                    return str(query["where"])
                finally:
                    alone.close()
        return ""

    def apply(self, subject: Subject) -> Found:
        """Never raises for what a page or a query does: that is among the faults."""
        names = subject.names
        if self._given_up:
            names = [
                name for name in self._names if name not in self._given_up and (names is None or name in names)
            ]
        request = _request(subject, names)
        try:
            return _found(self._sandbox.ask(request, subject.body))
        except StoppedError:
            return self._one_by_one(request, subject.body, self._names if names is None else names)

    def _one_by_one(self, request: dict[str, Any], body: bytes, names: Sequence[str]) -> Found:
        """One of them was too much for the process; to find out which, each is applied alone."""
        items: dict[str, Any] = {}
        links: dict[str, Any] = {}
        stops: list[str] = []
        faults: list[tuple[str, str]] = []
        for name in names:
            try:
                found = _found(self._sandbox.ask({**request, "names": [name]}, body))
            except StoppedError as stopped:
                self._stopped[name] += 1
                given_up = "; it is not applied any more" if name in self._given_up else ""
                faults.append((name, f"{stopped}{given_up}"))
                continue
            items |= found.items
            links |= found.links
            stops += found.stops
            faults += found.faults
        return Found(items, links, stops, faults)

    @property
    def _given_up(self) -> list[str]:
        return [name for name, times in self._stopped.items() if times >= STOPS_ALLOWED]

    def close(self) -> None:
        self._sandbox.close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _sandbox(plan: Plan, queries: Mapping[str, Any]) -> Sandbox:
    return Sandbox(PAGE_PROGRAM, queries, seconds=plan.seconds, memory=plan.memory * 1_000_000)


def _request(subject: Subject, names: Sequence[str] | None) -> dict[str, Any]:
    return {
        "url": subject.url,
        "content_type": subject.content_type,
        "statements": subject.statements,
        "crawl_view": subject.crawl_view._asdict(),
        "names": names,
    }


def _found(answer: Any) -> Found:
    links = {name: list(map(FoundLink._make, found)) for name, found in answer["links"].items()}
    return Found(answer["items"], links, answer["stops"], [(name, reason) for name, reason in answer["faults"]])


class ResultRunner:
    """For crawls whose result is a query. ``start`` raises UsageError if it cannot be compiled."""

    def __init__(self, patterns: Patterns) -> None:
        result = patterns.result
        setup = {"engine": result.engine, "find": result.find, "format": result.written_as}
        self._sandbox = Sandbox(
            RESULT_PROGRAM, setup, seconds=RESULT_SECONDS, memory=4 * patterns.memory * 1_000_000
        )

    def start(self) -> None:
        try:
            self._sandbox.start()
        except StoppedError as stopped:
            raise UsageError(f"patterns.result.find: {stopped}, on an empty crawl") from None

    def run(self, crawl: str) -> dict[str, Any]:
        """``text`` or ``records``; ``crawl`` is XML, or N-Quads for languages over statements."""
        try:
            answer: dict[str, Any] = self._sandbox.ask({}, crawl.encode())
        except StoppedError as stopped:
            raise SundogError(f"patterns.result.find: {stopped}") from None
        finally:
            self.close()
        return answer

    def close(self) -> None:
        self._sandbox.close()


class Needs(NamedTuple):
    """What queries ask of the crawl; the rest is neither remembered nor sent. ``items``: of which patterns."""

    parents: bool = False
    path: bool = False
    items: frozenset[str] = frozenset()
    statements: bool = False
    linked_from: bool = False
    waiting: bool = False


class Plan(NamedTuple):
    """Patterns as they are sent to the process that runs them; ``queries`` is what it compiles."""

    names: Sequence[str]
    queries: Mapping[str, Any]
    needs: Needs
    seconds: float
    memory: int  # megabytes


def plan_of(patterns: Patterns) -> Plan:
    def common(kind: str, pattern: Any) -> dict[str, Any]:
        where = f"patterns.{kind} '{pattern.name}'"
        own = {"name": pattern.name, "engine": patterns.engine_of(pattern), "when": pattern.when, "where": where}
        return own if kind == "stop" else {**own, "find": pattern.find}

    data = [
        {**common("data", each), "fields": [asdict(field) for field in each.parsed_fields]}
        for each in patterns.data
    ]
    queries = {
        "data": data,
        "link": [common("link", each) for each in patterns.link],
        "stop": [common("stop", each) for each in patterns.stop],
    }
    names = [each.name for each in patterns.all]
    return Plan(names, queries, needs_of(patterns), patterns.seconds, patterns.memory)


def needs_of(patterns: Patterns) -> Needs:
    queries = list(_queries(patterns))
    text = "\n".join(queries)
    named = set(_ITEMS.findall(text))
    every = {each.name for each in patterns.data}
    return Needs(
        parents=bool(_PARENTS.search(text)),
        path="crawl:path" in text,
        items=frozenset(every if "" in named else named & every),
        linked_from=any(each.linked_from for each in patterns.on_pages),
        waiting=asks_for_waiting(text),
        statements=any(LANGUAGES[patterns.engine_of(each)].over_statements for each in patterns.all),
    )


def asks_for_waiting(text: str) -> bool:
    """Whether queries name the frontier, which may be large."""
    return "crawl" in text and bool(_WAITING.search(text))


def _queries(patterns: Patterns) -> Iterator[str]:
    for pattern in patterns.all:
        for _, query in pattern.queries:
            yield query
