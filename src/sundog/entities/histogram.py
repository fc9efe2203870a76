"""How numbers, durations and dates are spread: counts between edges that people would choose.

A few values far away from the others would leave one bar for all the rest; they are counted in the first and the
last bar, which are then open.
"""

from __future__ import annotations

from datetime import date
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sundog.entities.values import Kind

BARS: Final = 24  # about so many
MOST_MONTHS, MOST_DAYS, MOST_YEARS = 36, 45, 60  # that have bars of their own
FAR: Final = 4  # times as wide as what most values need
MOST: Final = (0.05, 0.95)  # quantiles between which most values are
DURATIONS: Final = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 43_200, 86_400)


class Bin(NamedTuple):
    """Of numbers: from ``low`` on, below ``high``; None is without end. Of dates: from ``low`` to ``high``."""

    low: float | str | None
    high: float | str | None
    number: int


def number_bins(values: NDArray[np.float64], counts: NDArray[np.int64], kind: Kind) -> list[Bin]:
    """``values`` ascend.

    >>> [tuple(each) for each in number_bins(np.array([1.0, 2, 4]), np.array([5, 1, 2]), "integer")]
    [(1, 2, 5), (2, 3, 1), (3, 4, 0), (4, 5, 2)]
    """
    if not len(values):
        return []
    low, high = _most(values, counts)
    width = _width((high - low) / BARS, kind)
    first, last = int(np.floor(low / width)), int(np.floor(high / width)) + 1
    edges = [_plain(at * width) for at in range(first, last + 1)]
    inner = np.searchsorted(np.array(edges[1:-1]), values, side="right")
    numbers = np.bincount(inner, counts, len(edges) - 1).astype(int).tolist()
    bins = [Bin(*each) for each in zip(edges, edges[1:], numbers, strict=False)]
    if values[0] < edges[0]:
        bins[0] = bins[0]._replace(low=None)
    if values[-1] >= edges[-1]:
        bins[-1] = bins[-1]._replace(high=None)
    return bins


def _most(values: NDArray[np.float64], counts: NDArray[np.int64]) -> tuple[float, float]:
    """From where to where bars are needed."""
    sums = np.cumsum(counts)
    low, high = (float(values[np.searchsorted(sums, share * sums[-1])]) for share in MOST)
    if high > low and values[-1] - values[0] > FAR * (high - low):
        return low, high
    return float(values[0]), float(values[-1])


def _width(least: float, kind: Kind) -> float:
    """The next round number."""
    if kind == "duration":
        return next((float(each) for each in DURATIONS if each >= least), float(np.ceil(least / 86_400) * 86_400))
    if least <= 0:
        return 1.0
    size = 10.0 ** np.floor(np.log10(least))
    width = next(float(size * step) for step in (1, 2, 5, 10) if size * step >= least * 0.999999)
    return max(width, 1.0) if kind == "integer" else width


def _plain(value: float) -> float:
    """Without what arithmetic has left behind.

    >>> _plain(3 * 0.1), _plain(20.0)
    (0.3, 20)
    """
    value = float(f"{value:.12g}")
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def day_of(cell: Any) -> float:
    """The number of a day, and none of what is no date.

    >>> day_of("0001-01-02"), day_of("soon"), day_of("2025-01-31T19:00:00") - day_of("2025-01-30")
    (2.0, nan, 1.0)
    """
    try:
        return float(date.fromisoformat(cell[:10]).toordinal()) if isinstance(cell, str) else np.nan
    except ValueError:
        return np.nan


def date_bins(values: NDArray[np.float64], counts: NDArray[np.int64], kind: Kind) -> list[Bin]:
    """By day, month, year or decade. ``values`` are numbers of days, and ascend.

    >>> days = np.array([day_of("2024-05-01"), day_of("2024-07-02")])
    >>> [tuple(each) for each in date_bins(days, np.array([1, 2]), "date")]
    [('2024-05', '2024-05', 1), ('2024-06', '2024-06', 0), ('2024-07', '2024-07', 2)]
    """
    if not len(values):
        return []
    low, high = (date.fromordinal(int(each)) for each in _most(values, counts))
    starts, names = _calendar(low, high)
    at = np.clip(np.searchsorted(np.array(starts), values, side="right") - 1, 0, len(starts) - 1)
    numbers = np.bincount(at, counts, len(starts)).astype(int).tolist()
    bins = [Bin(*name, number) for name, number in zip(names, numbers, strict=True)]
    if values[0] < starts[0]:
        bins[0] = bins[0]._replace(low=None)
    if int(values[-1]) > _end(high, bins):
        bins[-1] = bins[-1]._replace(high=None)
    return bins


def _end(high: date, bins: list[Bin]) -> int:
    """The last day of the last bar."""
    last = str(bins[-1].high)
    if len(last) == 10:
        return high.toordinal()
    year, month = (int(last), 12) if len(last) == 4 else map(int, last.split("-"))
    return 10**9 if (year, month) >= (9999, 12) else date(year + month // 12, month % 12 + 1, 1).toordinal() - 1


def _calendar(low: date, high: date) -> tuple[list[int], list[tuple[str, str]]]:
    """The first days of the bars, and what the bars are called from and to."""
    months = [(year, month) for year in range(low.year, high.year + 1) for month in range(1, 13)][: 12 * 200]
    months = [each for each in months if (low.year, low.month) <= each <= (high.year, high.month)]
    if (high - low).days < MOST_DAYS:
        days = [date.fromordinal(day) for day in range(low.toordinal(), high.toordinal() + 1)]
        return [day.toordinal() for day in days], [(day.isoformat(), day.isoformat()) for day in days]
    if high.year - low.year < 200 and len(months) <= MOST_MONTHS:
        texts = [f"{year:04}-{month:02}" for year, month in months]
        starts = [date(year, month, 1).toordinal() for year, month in months]
        return starts, [(text, text) for text in texts]
    step = next(each for each in (1, 10, 100, 1_000) if (high.year - low.year) / each < MOST_YEARS)
    years = [max(year, 1) for year in range(low.year // step * step, high.year + 1, step)]
    return [date(year, 1, 1).toordinal() for year in years], [
        (f"{year:04}", f"{min(year - year % step + step - 1, 9999):04}") for year in years
    ]
