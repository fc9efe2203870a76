"""What each pattern of a crawl has come to, also those that never matched."""

from __future__ import annotations

import tomllib
from html import escape
from typing import Any, NamedTuple

from sundog.errors import SundogError
from sundog.report.html_table import Column, html_table
from sundog.store import CrawlReader

COLUMNS = (
    Column("pattern"),
    Column("found", "items of a data pattern, links of a link pattern"),
    Column("pages", "where it matched"),
    Column("faults", "pages where it failed, or found a value of the wrong type"),
    Column("for example", is_text=True),
)
LONGEST = 200  # characters of an example


class PatternLine(NamedTuple):
    name: str
    found: int
    pages: int
    faults: int
    example: str


def patterns_of(reader: CrawlReader) -> list[PatternLine]:
    names = _names(reader)
    if not names or not reader.knows_patterns:
        return []
    counts = reader.match_counts(names)
    return [
        PatternLine(name, each["found"], each["pages"], each["faults"], str(each.get("fault", "")))
        for name, each in counts.items()
    ]


def _names(reader: CrawlReader) -> list[str]:
    try:
        spec: dict[str, Any] = tomllib.loads(reader.spec_text)
    except (SundogError, tomllib.TOMLDecodeError):
        return []
    patterns = spec.get("patterns", {})
    return [each["name"] for kind in ("data", "link") for each in patterns.get(kind, [])]


def patterns_section(lines: list[PatternLine]) -> str:
    if not lines:
        return ""
    rows = [
        [
            escape(line.name),
            f"{line.found:,}" if line.pages else "<strong>never matched</strong>",
            f"{line.pages:,}",
            f"{line.faults:,}",
            escape(line.example[:LONGEST]),
        ]
        for line in lines
    ]
    caption = "What was found, and on how many pages."
    return f"<section>\n<h2>Patterns</h2>\n<p>{caption}</p>\n{html_table(COLUMNS, rows)}\n</section>"
