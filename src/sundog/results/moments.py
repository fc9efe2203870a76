"""Moments of a crawl as people name them: a round, a date, or how long ago. Each is a step of the log."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import time

from sundog.errors import UsageError
from sundog.store import CrawlReader, open_readonly
from sundog.store.rounds import last_round

UNITS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
SPAN = re.compile(r"(\d+(?:\.\d+)?)\s*([smhdw])")
# A clock that was set back for some rounds makes them no older than those before.
TIMED = "event IN ('decided', 'fetched', 'failed', 'refused', 'revisiting', 'revisited', 'round')"
BEFORE = f"""SELECT coalesce(max(step), 0) FROM log WHERE {TIMED} AND
  step < coalesce((SELECT min(step) FROM log WHERE {TIMED} AND at > ?), 9e18)"""
LATEST_DATE = datetime.max.replace(tzinfo=UTC) - timedelta(days=2)


def span_of(text: str) -> float | None:
    """Seconds; None if it is no length of time.

    >>> span_of("7d"), span_of("1.5h"), span_of("2026-01-01")
    (604800.0, 5400.0, None)
    """
    found = SPAN.fullmatch(text.strip().lower())
    return float(found[1]) * UNITS[found[2]] if found else None


def checked_span(text: str) -> float:
    seconds = span_of(text)
    if not seconds:
        raise UsageError(f"'{text}' is no length of time: write it as 30m, 12h, 1d or 2w")
    return seconds


def step_before(reader: CrawlReader, since: str) -> int:
    """The last step before a round, a date or so long ago: what came after it is new."""
    if since.strip().isdigit():
        return _first_step(reader, int(since)) - 1
    seconds = span_of(since)
    return _step_at(reader, time() - seconds if seconds is not None else _date(since).timestamp(), inclusive=False)


def step_as_of(reader: CrawlReader, moment: str) -> int:
    """The last step that belongs to a state: of a round when it had ended, or of a date; of a day, at its end."""
    if moment.strip().isdigit():
        number = int(moment)
        _check_round(reader, number)
        return reader.steps if number == last_round(reader) else _first_step(reader, number + 1) - 1
    if (seconds := span_of(moment)) is not None:
        return _step_at(reader, time() - seconds)
    at = _date(moment)
    return _step_at(
        reader, (at + timedelta(days=1) if _is_day(moment) else at).timestamp(), inclusive=not _is_day(moment)
    )


def find_step(directory: Path | str, moment: str) -> int:
    """The same of a crawl that is not open."""
    with open_readonly(directory) as reader:
        return step_as_of(reader, moment)


def _step_at(reader: CrawlReader, at: float, *, inclusive: bool = True) -> int:
    """The last one before all that came later."""
    query = BEFORE if inclusive else BEFORE.replace("at >", "at >=")
    return int(reader.connection.execute(query, (at,)).fetchone()[0])


def _first_step(reader: CrawlReader, number: int) -> int:
    _check_round(reader, number)
    if number == 0:
        return 1
    row = reader.connection.execute("SELECT step FROM rounds WHERE round = ?", (number,)).fetchone()
    return int(row[0])


def _check_round(reader: CrawlReader, number: int) -> None:
    last = last_round(reader)
    if number > last:
        known = f"the last one is {last}" if last else "there is only the first crawl, round 0"
        raise UsageError(f"{reader.directory} has no round {number}: {known}")


def _is_day(text: str) -> bool:
    return len(text.strip()) == len("2026-01-01")


def _date(text: str) -> datetime:
    try:
        found = datetime.fromisoformat(text.strip())
        found = found if found.tzinfo else found.replace(tzinfo=UTC)
        found.timestamp()
    except (ValueError, OverflowError):
        found = LATEST_DATE
    if found >= LATEST_DATE:
        raise UsageError(
            f"'{text}' is no round, date or length of time: write it as 3, 2026-01-31, 2026-01-31T12:00 or 7d"
        )
    return found
