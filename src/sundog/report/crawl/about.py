"""What the crawl was told, out of ``spec.toml``, the log and the summary; nothing of it is taken for granted."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sundog.store import CrawlReader

# A spec leaves out what is as usual.
DEFAULTS: dict[str, Any] = {"objective": "any", "budget": 1_000, "policy": "sundog", "delay": 1.0}
BUDGETED = "SELECT value FROM log WHERE event = 'budgeted' ORDER BY step DESC LIMIT 1"


@dataclass(frozen=True)
class About:
    """``budget`` is None if unknown, ``stopped`` empty if nobody wrote it down."""

    title: str
    objective: str
    policy: str
    parameters: dict[str, str]
    budget: int | None
    seeds: list[str]
    delay: float
    stopped: str
    spec_text: str


def about(reader: CrawlReader) -> About:
    text = _spec_text(reader)
    said = _parsed(text)
    spec = {**DEFAULTS, **_by_patterns(said), **said}
    delay, seeds = spec["delay"], spec.get("seeds")
    return About(
        title=str(spec.get("title") or "") or f"Crawl of {reader.directory.resolve().name}",
        objective=str(spec["objective"]),
        policy=str(spec["policy"]),
        parameters=_as_texts(spec.get("parameters")),
        budget=_budget(reader, spec),
        seeds=[str(url) for url in seeds] if isinstance(seeds, list) else [],
        delay=float(delay) if isinstance(delay, int | float) else float(DEFAULTS["delay"]),
        stopped=str(reader.summary.get("stopped") or ""),
        spec_text=text,
    )


def _spec_text(reader: CrawlReader) -> str:
    try:
        return reader.spec_text
    except (OSError, UnicodeDecodeError):
        return ""


def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return {}


def _by_patterns(spec: Mapping[str, Any]) -> dict[str, str]:
    """With data patterns, what is usual is what they find."""
    patterns = spec.get("patterns")
    return {"objective": "patterns"} if isinstance(patterns, Mapping) and patterns.get("data") else {}


def _as_texts(table: Any) -> dict[str, str]:
    if not isinstance(table, Mapping):
        return {}
    return {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in table.items()}


def _budget(reader: CrawlReader, spec: Mapping[str, Any]) -> int | None:
    later = reader.connection.execute(BUDGETED).fetchone()
    budget = later[0] if later else spec.get("budget")
    return int(budget) if isinstance(budget, int | float) else None
