"""A spec's patterns as plain values for the process that runs them, and what of the crawl they look at."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:  # a process that reads pages gets a plan, and need not load what specs are made of
    from sundog.spec.patterns import Patterns

_ITEMS = re.compile(r"crawl:items\(\s*(?:['\"]([\w-]+)['\"])?")
_PARENTS = re.compile(r"crawl:(?:parent|matched)|\$crawl")


class Needs(NamedTuple):
    """``items``: of which patterns; what nobody asks for is neither kept at hand nor handed over."""

    parents: bool = False
    path: bool = False
    items: frozenset[str] = frozenset()
    statements: bool = False
    linked_from: bool = False


class Plan(NamedTuple):
    """``queries``: what the process is set up with."""

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

    data = [{**common("data", each), "fields": [asdict(field) for field in each.parsed]} for each in patterns.data]
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
        linked_from=any(each.linked_from for each in patterns.steered),
        statements=any(patterns.engine_of(each) == "sparql" for each in patterns.all),
    )


def _queries(patterns: Patterns) -> Iterator[str]:
    for pattern in patterns.all:
        for _, query in pattern.queries:
            yield query
