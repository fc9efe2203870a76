"""Rounds of a crawl, as its log tells of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sundog.store.reader import CrawlReader, open_readonly
from sundog.store.shards import is_sharded
from sundog.store.whole_round import read_round
from sundog.texts import iso_time

ROUND_ENDED = "round ended"  # the state with the number of the last round that has ended by itself
ROUNDS = """SELECT r.round, r.step, r.began, r.budget, coalesce(
    (SELECT min(n.step) FROM rounds n WHERE n.step > r.step), (SELECT max(step) + 1 FROM log)) FROM rounds r
  ORDER BY r.step"""
NEW = """SELECT count(*), coalesce(sum(value > 0), 0), coalesce(sum(event = 'failed'), 0) FROM log
  WHERE event IN ('fetched', 'failed') AND step >= ? AND step < ?"""
VISITS = """SELECT count(*), coalesce(sum(status = 304), 0), coalesce(sum(result = 'unchanged'), 0),
    coalesce(sum(result = 'changed'), 0), coalesce(sum(result = 'gone'), 0), coalesce(sum(result = 'failed'), 0),
    coalesce(sum(found), 0), coalesce(sum(size), 0) FROM revisits
  WHERE result <> 'refused' AND step >= ? AND step < ?"""
VISIT_COUNTS = ("revisited", "not_modified", "unchanged", "changed", "gone", "failed", "found", "bytes")


def last_round(reader: CrawlReader) -> int:
    return int(reader.connection.execute("SELECT coalesce(max(round), 0) FROM rounds").fetchone()[0])


def unfinished_round(store: CrawlReader) -> int | None:
    """The round that was begun and has not ended; None: there is none."""
    last = last_round(store)
    return last if last > store.state(ROUND_ENDED, 0) else None


def seconds_until_turn(directory: Path, every: float, now: float) -> float:
    """Until the next round is due, if there is to be one in ``every`` so many seconds; 0 if one was interrupted.

    After a clock that was set back it is not more than that.
    """
    began = _last_began(directory)
    return 0.0 if began is None else min(every, max(0.0, began + every - now))


def _last_began(directory: Path) -> float | None:
    """None if there was no round, or if the last one was interrupted."""
    if is_sharded(directory):
        last = read_round(directory)
        return last.began if last is not None and last.has_ended else None
    with open_readonly(directory) as reader:
        if unfinished_round(reader) is not None:
            return None
        began: float | None = reader.connection.execute("SELECT max(began) FROM rounds").fetchone()[0]
        return began


def rounds_of(reader: CrawlReader) -> list[dict[str, Any]]:
    """What each round did, round 0 being the first crawl; fit for JSON."""
    rows = reader.connection.execute(ROUNDS).fetchall()
    first = (0, 0, None, None, rows[0][1] if rows else 1 << 62)
    return [_round(reader, *each) for each in (first, *rows)]


def _round(
    reader: CrawlReader, number: int, first: int, began: float | None, budget: int | None, end: int
) -> dict[str, Any]:
    new, relevant, failed = reader.connection.execute(NEW, (first, end)).fetchone()
    counts = reader.connection.execute(VISITS, (first, end)).fetchone()
    return {
        "round": number,
        **({} if began is None else {"began": iso_time(began), "budget": budget}),
        "new": new,
        "new_relevant": relevant,
        "new_failed": failed,
        **dict(zip(VISIT_COUNTS, counts, strict=True)),
    }
