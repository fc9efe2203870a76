"""Outcomes of a crawl as the API tells of them: rows of ``crawl.db`` to plain values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import orjson

from sundog.store import SYNTAXES, CrawlReader

PARTS = ("estimate", "classifier", "host", "group", "exploration", "propensity")
MOST_TYPES = 20  # of a page
LONGEST = 500  # characters of a reason
# Rows of fetched pages hold all their links, and only their heads are read so.
OUTCOMES = f"""SELECT o.step, o.candidate, u.url, l.event, l.at, o.status, coalesce(l.value, 0.0),
    CASE l.event WHEN 'fetched' THEN '' ELSE l.data END, d.at, d.value, d.data, o.types, o.faults, o.seconds,
    u.depth, u.parent, o.trouble, {", ".join(f"o.{name}" for name in SYNTAXES)}
  FROM outcomes o JOIN log l ON l.step = o.step JOIN log d ON d.step = o.decided
    JOIN urls u ON u.id = o.candidate"""
NEW = f"{OUTCOMES} WHERE o.step > ? ORDER BY o.step LIMIT ?"


class Outcome(NamedTuple):
    step: int
    candidate: int
    url: str
    event: str
    at: float
    status: int | None
    reward: float
    reason: str
    decided_at: float
    score: float | None
    parts: str
    types: str | None
    faults: str | None
    seconds: float | None
    depth: int
    parent: int | None
    trouble: str | None
    counts: tuple[int, ...]

    @property
    def type_names(self) -> list[str]:
        return list(orjson.loads(self.types)) if self.types else []

    def page(self) -> dict[str, Any]:
        """As the API has it."""
        return {
            "page": self.candidate,
            "url": self.url,
            "kind": self.event,
            "at": self.at,
            "status": self.status,
            "reward": self.reward,
            "reason": str(self.reason or "")[:LONGEST],
            "score": self.score,
            "parts": dict(zip(PARTS, orjson.loads(self.parts or "[]"), strict=False)),
            "types": self.type_names[:MOST_TYPES],
            "statements": sum(self.counts),
            "seconds": self.seconds,
            "depth": self.depth,
            "parent": self.parent,
        }


def outcome_of(row: tuple[Any, ...]) -> Outcome:
    return Outcome._make((*row[: -len(SYNTAXES)], row[-len(SYNTAXES) :]))


def outcomes_since(reader: CrawlReader, step: int, most: int) -> Iterator[Outcome]:
    return map(outcome_of, reader.connection.execute(NEW, (step, most)))
