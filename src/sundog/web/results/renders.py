"""Pages that a browser has rendered: what was decided for one, and pages, time and data by action for all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sundog.store import CrawlReader
from sundog.store.directory import SCREENSHOTS
from sundog.web.errors import NotFoundError

SHOWN = ("action", "why", "gain", "seconds", "cpu", "requests", "size", "refused", "failure")
ONE = f"SELECT {', '.join(SHOWN)} FROM renders WHERE page = ? ORDER BY step DESC LIMIT 1"


def render_of(reader: CrawlReader, candidate: int) -> dict[str, Any] | None:
    """None: nothing was decided, as in a crawl that renders nothing."""
    row = reader.connection.execute(ONE, (candidate,)).fetchone()
    if row is None:
        return None
    return {**dict(zip(SHOWN, row, strict=True)), "screenshot": _picture(reader.directory, candidate).exists()}


def actions(reader: CrawlReader) -> list[dict[str, Any]]:
    return [line._asdict() for line in reader.render_actions()]


def screenshot(directory: Path, candidate: int) -> Path:
    path = _picture(directory, candidate)
    if not path.exists():
        raise NotFoundError(f"there is no picture of page {candidate}: the crawl must have rendering.screenshots")
    return path


def _picture(directory: Path, candidate: int) -> Path:
    return directory / SCREENSHOTS / f"{candidate}.jpg"
