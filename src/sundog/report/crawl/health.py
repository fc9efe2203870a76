"""What broke since the first crawl, in the report."""

from __future__ import annotations

from html import escape
from typing import Any

from sundog.report.document import Column, cut_text, html_table, section_heading
from sundog.results.health.health import whose
from sundog.texts import counted

COLUMNS = (
    Column("host"),
    Column("cause", is_text=True),
    Column("since round"),
    Column("wrong", "of the visits in the last round in which it was seen"),
    Column("usually", "the share of visits that are wrong by what was known before"),
    Column("look at", is_text=True),
    Column("what was seen", is_text=True),
)


def health_section(found: dict[str, Any]) -> str:
    """Empty if there was no round that could be compared."""
    if not found.get("round"):
        return ""
    alarms = found["alarms"]
    past = f"compared with {whose(found)} own past up to round {found['round']}."
    words = f"{counted(found['hosts'], 'host')} {past}{'' if alarms else ' Nothing broke.'}"
    heading = section_heading("Health", words)
    if not alarms:
        return f"<section>\n{heading}\n</section>"
    rows = [
        [
            escape(alarm["host"][:200]),
            f"<strong>{escape(alarm['cause'])}</strong>: {escape(alarm['what'][:300])}",
            f"{alarm['since']:,}",
            f"{alarm['wrong']:,} of {alarm['visits']:,}",
            f"{alarm['usual']:.1%}",
            cut_text(alarm["example"], alarm["example"]),
            escape(alarm["evidence"][:300]),
        ]
        for alarm in alarms
    ]
    return f"<section>\n{heading}\n{html_table(COLUMNS, rows)}\n</section>"
