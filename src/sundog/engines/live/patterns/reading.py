"""Patterns in the process that reads pages: their task, and what they find."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sundog.engines.live.pages.reading import Reading
from sundog.model import PATTERN_FAULT
from sundog.patterns.crawl_view import CrawlView
from sundog.patterns.runner import PatternRunner, Plan, Subject


class PatternTask(NamedTuple):
    """``names``: the patterns that are applied."""

    names: Sequence[str]
    crawl_view: CrawlView


class PatternReader:
    """Has a process of its own that runs the queries."""

    def __init__(self, plan: Plan) -> None:
        self._needs_statements = plan.needs.statements
        self._runner = PatternRunner(plan)

    def applied(self, reading: Reading, body: bytes, url: str, content_type: str, task: PatternTask) -> Reading:
        """The reading, with what the patterns found and what went wrong with them."""
        if not task.names:
            return reading
        statements = _ntriples(reading) if self._needs_statements else ""
        found = self._runner.apply(Subject(url, body, content_type, statements, task.crawl_view, task.names))
        faults = [(PATTERN_FAULT + name, reason) for name, reason in found.faults]
        return reading._replace(found=found, faults=[*reading.faults, *faults])

    def close(self) -> None:
        self._runner.close()


def _ntriples(reading: Reading) -> str:
    lines = [" ".join(each[:3]) for found in reading.statements.values() for each in found]
    return "".join(f"{line} .\n" for line in lines if "\n" not in line)
