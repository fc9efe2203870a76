"""Patterns, ready to be applied to one page after the other, in a process that can be ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from sundog.errors import UsageError
from sundog.patterns.plan import Plan, plan_of
from sundog.patterns.values import Found, FoundLink, Subject
from sundog.sandbox.process import Sandbox, StoppedError

if TYPE_CHECKING:
    from sundog.spec.patterns import Patterns

PROGRAM = "sundog.patterns.child"
STOPS_ALLOWED = 3  # then a pattern is not applied any more: it would cost every page its time box


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
        """The pattern with which not even a process can be started: each is given one for itself."""
        for kind, queries in self._plan.queries.items():
            for query in queries:
                alone = _sandbox(self._plan, {"data": [], "link": [], "stop": [], kind: [query]})
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
        """One of them was too much for the process. Who, is seen when each has it for itself."""
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
    return Sandbox(PROGRAM, queries, seconds=plan.seconds, memory=plan.memory * 1_000_000)


def _request(subject: Subject, names: Sequence[str] | None) -> dict[str, Any]:
    return {
        "url": subject.url,
        "content_type": subject.content_type,
        "statements": subject.statements,
        "surroundings": subject.surroundings._asdict(),
        "names": names,
    }


def _found(answer: Any) -> Found:
    links = {name: list(map(FoundLink._make, found)) for name, found in answer["links"].items()}
    return Found(answer["items"], links, answer["stops"], [(name, reason) for name, reason in answer["faults"]])
