"""How quickly it went: pages a second, and seconds a page."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from sundog.report.crawl.fetches import Fetches
from sundog.report.groups import Row, edges, short

BINS = 60
WINDOWS = 40
PERCENTILES = {"median": 50, "90 %": 90, "99 %": 99}
MINUTE, HOUR = 60.0, 3600.0


def unit_of(seconds: float) -> tuple[str, float]:
    """What to measure a crawl in.

    >>> unit_of(90)[0], unit_of(1_800)[0], unit_of(40_000)[0]
    ('seconds', 'minutes', 'hours')
    """
    if seconds < 3 * MINUTE:
        return "seconds", 1.0
    return ("minutes", MINUTE) if seconds < 3 * HOUR else ("hours", HOUR)


def speed_rows(fetches: Fetches) -> list[Row]:
    """Pages a second in equal stretches of time."""
    end, bins = fetches.seconds, min(BINS, len(fetches) // 5)
    if end <= 0 or bins < 2:
        return []
    counts, bounds = np.histogram(fetches.clock, bins, (0.0, end))
    width, unit = float(bounds[1]), unit_of(end)[1]
    return [
        {"at": short((left + width / 2) / unit), "speed": short(count / width)}
        for left, count in zip(bounds, counts, strict=False)
    ]


def seconds_rows(fetches: Fetches) -> list[Row]:
    """Percentiles of the seconds a page in equal stretches of fetches."""
    rows: list[Row] = []
    for first, last in pairwise(edges(len(fetches), WINDOWS).tolist()):
        taken = _known(fetches.rows["seconds"][first:last])
        if len(taken):
            found = np.percentile(taken, list(PERCENTILES.values()))
            span = {"at": (first + last) / 2, "span": f"{first + 1:,}–{last:,}"}
            rows += [
                {**span, "series": name, "seconds": short(max(value, 1e-4))}
                for name, value in zip(PERCENTILES, found, strict=True)
            ]
    return rows


def percentiles(fetches: Fetches) -> dict[str, float]:
    """Of the whole crawl; empty if no time is known."""
    taken = _known(fetches.rows["seconds"])
    if not len(taken):
        return {}
    found = np.percentile(taken, [50, 90, 99, 100])
    return dict(zip(("median", "90 %", "99 %", "longest"), map(float, found), strict=True))


def _known(seconds: Any) -> Any:
    return seconds[seconds >= 0]
