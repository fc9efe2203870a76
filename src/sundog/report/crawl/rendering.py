"""Pages, time and data by action: what was fetched plainly, and what a browser rendered."""

from __future__ import annotations

from sundog.report.document import Column, html_table, section_heading
from sundog.store import ActionLine

COLUMNS = (
    Column("action"),
    Column("pages"),
    Column("relevant plainly", "pages that earned something before they were rendered"),
    Column("gave more", "pages that earned more, or had many more links, when they were rendered"),
    Column("failed", "renderings that failed; the plain page counts"),
    Column("seconds", "from opening the page to its document"),
    Column("CPU s", "of the browser"),
    Column("requests", "of scripts"),
    Column("MB", "that these brought"),
    Column("refused", "requests that were not sent"),
)
NAMES = {"plain": "plain", "render": "rendered", "check": "rendered as a check"}


def rendering_section(lines: list[ActionLine]) -> str:
    if not lines:
        return ""
    caption = "Every page was fetched plainly; some were rendered in a browser besides, where that was worth it."
    return f"{section_heading('Rendered pages', caption)}\n{html_table(COLUMNS, [_cells(line) for line in lines])}"


def _cells(line: ActionLine) -> list[str]:
    return [
        NAMES.get(line.action, "other"),
        f"{line.pages:,}",
        f"{line.had:,.0f}",
        f"{line.gained:,}",
        f"{line.failed:,.0f}",
        f"{line.seconds:,.1f}",
        f"{line.cpu:,.1f}",
        f"{line.requests:,.0f}",
        f"{line.size / 1e6:,.1f}",
        f"{line.refused:,.0f}",
    ]
