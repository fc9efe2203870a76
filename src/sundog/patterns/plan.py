"""A spec's patterns as plain values for the process that runs them, and what of the crawl they look at."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, NamedTuple

from sundog.spec.patterns import Patterns

_ITEMS = re.compile(r"crawl:items\(\s*(?:['\"]([\w-]+)['\"])?")
_PARENTS = re.compile(r"crawl:(?:parent|matched)|\$crawl")


class Needs(NamedTuple):
    """``items``: of which patterns; what nobody asks for is neither kept at hand nor handed over."""

    parents: bool = False
    path: bool = False
    items: frozenset[str] = frozenset()
    statements: bool = False


def plan_of(patterns: Patterns) -> dict[str, Any]:
    def common(kind: str, pattern: Any) -> dict[str, Any]:
        where = f"patterns.{kind} '{pattern.name}'"
        own = {"name": pattern.name, "engine": patterns.engine_of(pattern), "when": pattern.when, "where": where}
        return own if kind == "stop" else {**own, "find": pattern.find}

    data = [{**common("data", each), "fields": [asdict(field) for field in each.parsed]} for each in patterns.data]
    return {
        "data": data,
        "link": [common("link", each) for each in patterns.link],
        "stop": [common("stop", each) for each in patterns.stop],
    }


def needs_of(patterns: Patterns) -> Needs:
    queries = list(_queries(patterns))
    text = "\n".join(queries)
    named = set(_ITEMS.findall(text))
    every = {each.name for each in patterns.data}
    return Needs(
        parents=bool(_PARENTS.search(text)),
        path="crawl:path" in text,
        items=frozenset(every if "" in named else named & every),
        statements=any(patterns.engine_of(each) == "sparql" for each in _all(patterns)),
    )


def _queries(patterns: Patterns) -> Iterator[str]:
    for pattern in _all(patterns):
        for _, query in pattern.queries:
            yield query


def _all(patterns: Patterns) -> list[Any]:
    return [*patterns.data, *patterns.link, *patterns.stop]
