"""What a crawl has found and what went wrong, counted as it comes."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import orjson

from sundog.report.crawl.counts import NOT_KEPT, without_numbers
from sundog.sandbox.prefixes import shortened
from sundog.store import SYNTAXES, CrawlReader
from sundog.web.records import Outcome

SHOWN = 30
MOST_COUNTED = 20_000  # a site can invent any number of names; rare ones are forgotten
LONGEST = 200  # characters of a name
PREDICATE = re.compile(r"^\S+ <([^>\s]+)> ", re.MULTILINE)
STATEMENTS = "SELECT triples FROM statements WHERE id >= ? AND id < ?"


class Finds:
    def __init__(self) -> None:
        self.types: Counter[str] = Counter()
        self.properties: Counter[str] = Counter()
        self.syntaxes: Counter[str] = Counter()
        self.troubles: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()

    def add(self, outcome: Outcome) -> None:
        self.types.update(outcome.type_names)
        for name, count in zip(SYNTAXES, outcome.counts, strict=True):
            if count:
                self.syntaxes[name] += count
        if outcome.event == "failed":
            self.troubles[outcome.trouble or "other"] += 1
        elif outcome.event == "refused":
            self.refusals[outcome.trouble or str(outcome.reason).partition(":")[0]] += 1
        for syntax, reason in orjson.loads(outcome.faults) if outcome.faults else ():
            if syntax != NOT_KEPT:
                self.faults[without_numbers(f"{syntax}: {reason}")[:LONGEST]] += 1
        for counter in (self.types, self.faults):
            _prune(counter)

    def read_properties(self, reader: CrawlReader, after: int, until: int) -> None:
        """Of the statements of these steps."""
        for (triples,) in reader.connection.execute(STATEMENTS, (8 * (after + 1), 8 * (until + 1))):
            self.properties.update(PREDICATE.findall(triples))
            _prune(self.properties)

    def told(self) -> dict[str, Any]:
        counters = {
            "types": self.types,
            "properties": self.properties,
            "syntaxes": self.syntaxes,
            "troubles": self.troubles,
            "refusals": self.refusals,
            "faults": self.faults,
        }
        return {name: _lines(counter) for name, counter in counters.items()}


def _lines(counter: Counter[str]) -> list[dict[str, Any]]:
    return [
        {"name": name[:LONGEST], "short": shortened(name)[:LONGEST], "count": count}
        for name, count in counter.most_common(SHOWN)
    ]


def _prune(counter: Counter[str]) -> None:
    if len(counter) > 2 * MOST_COUNTED:
        kept = dict(counter.most_common(MOST_COUNTED))
        counter.clear()
        counter.update(kept)
