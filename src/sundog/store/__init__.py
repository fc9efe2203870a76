"""One crawl in its directory: written in transactions, read while it runs, exported in any format."""

from __future__ import annotations

from sundog.store.events import (
    Budgeted,
    Charged,
    Decided,
    Event,
    GivenBack,
    HeadAnswered,
    NearMiss,
    Observed,
    OwnHints,
    PageRecord,
    PatternFindings,
    Prepared,
    Received,
    RenderChoice,
    Rested,
    Revisited,
    Revisiting,
    RoundBegun,
    Seeded,
    Taught,
    Validators,
    VisitResult,
    Waited,
)
from sundog.store.reader import CrawlReader, open_readonly
from sundog.store.rendered import ActionLine, rendered_pages
from sundog.store.warc import Exchange
from sundog.store.writer import CrawlStore

__all__ = [
    "ActionLine",
    "Budgeted",
    "Charged",
    "CrawlReader",
    "CrawlStore",
    "Decided",
    "Event",
    "Exchange",
    "GivenBack",
    "HeadAnswered",
    "NearMiss",
    "Observed",
    "OwnHints",
    "PageRecord",
    "PatternFindings",
    "Prepared",
    "Received",
    "RenderChoice",
    "Rested",
    "Revisited",
    "Revisiting",
    "RoundBegun",
    "Seeded",
    "Taught",
    "Validators",
    "VisitResult",
    "Waited",
    "open_readonly",
    "rendered_pages",
]
