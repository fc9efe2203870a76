"""Which charts the report of a crawl has, and their data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sundog.report.chart_data import (
    POINTS,
    WINDOWS,
    Row,
    curve_rows,
    edges_until,
    equal_edges,
    reliability_rows,
    short,
    window_rows,
)
from sundog.report.charts import COUNTS, Chart, Charts, area, bars, field, lines, over_fetches, tip
from sundog.report.crawl.fetches import PERCENTILES, Fetches, seconds_rows, speed_rows, unit_of
from sundog.report.document import ChartSet

if TYPE_CHECKING:
    from sundog.replay.curve import Curve

MOST_BARS = 20
KINDS = ("relevant", "not relevant", "failed")


class ShardTotals(NamedTuple):
    """Of one shard of a crawl."""

    shard: int
    fetched: int
    relevant: int
    failed: int


def charts_of_crawl(
    fetches: Fetches, replayed: Mapping[str, Curve], policy: str, shards: Sequence[ShardTotals] = ()
) -> ChartSet:
    if not len(fetches):
        return ChartSet()
    groups = {policy: [fetches.trace()]}
    beside = {f"{name} (replayed)": curve for name, curve in replayed.items()}
    datasets = {
        "curve": [{**row, **_no_band(row)} for row in curve_rows(groups)] + replayed_curves(beside, len(fetches)),
        "windows": window_rows(groups) + replayed_windows(beside, len(fetches)),
        "reliability": reliability_rows(groups),
        "speed": speed_rows(fetches),
        "seconds": seconds_rows(fetches),
        "depths": depth_rows(fetches),
        "shards": shard_rows(shards),
    }
    shown = [policy, *beside]
    charts = Charts(shown, 0.0, len(fetches))
    possible = [_harvest(charts, replayed), _per_window(charts), _hosts(charts), _speed(fetches)]
    possible += [_seconds(len(fetches)), _reliability(charts), _depths(), _shards()]
    drawn = [chart for chart in possible if datasets[chart.spec["data"]["name"]]]
    return ChartSet(shown, drawn, datasets)


# -- data ------------------------------------------------------------------------------------------------


def _no_band(row: Row) -> Row:
    return {"relevant_lo": row["relevant"], "relevant_hi": row["relevant"]}


def replayed_curves(curves: Mapping[str, Curve], fetched: int) -> list[Row]:
    rows: list[Row] = []
    for name, curve in curves.items():
        totals = {"relevant": curve.likely, "relevant_lo": curve.low, "relevant_hi": curve.high}
        rows += [
            {"policy": name, "at": at, **{key: short(float(total[at])) for key, total in totals.items()}}
            for at in edges_until(equal_edges(fetched, POINTS), len(curve)).tolist()
        ]
    return rows


def replayed_windows(curves: Mapping[str, Curve], fetched: int) -> list[Row]:
    return [
        {
            "policy": name,
            "at": (first + last) / 2,
            "span": f"{first + 1:,}–{last:,}",
            "share": short(float(curve.likely[last] - curve.likely[first]) / (last - first)),
        }
        for name, curve in curves.items()
        for first, last in pairwise(edges_until(equal_edges(fetched, WINDOWS), len(curve)).tolist())
    ]


def depth_rows(fetches: Fetches) -> list[Row]:
    """Pages by depth, or by stretches of depths if there are many, and by outcome."""
    width = -(-(int(fetches.rows["depth"].max()) + 1) // MOST_BARS)
    bars = fetches.rows["depth"] // width
    labels = [f"{i * width}–{(i + 1) * width - 1}" if width > 1 else str(i) for i in range(int(bars.max()) + 1)]
    good, failed = fetches.relevant, fetches.rows["failed"]
    outcomes = zip(KINDS, (good, ~good & ~failed, failed), strict=True)
    return [
        {"depth": labels[bar], "bar": bar, "series": name, "order": order, "count": count}
        for order, (name, chosen) in enumerate(outcomes)
        for bar, count in enumerate(np.bincount(bars[chosen], minlength=len(labels)).tolist())
    ]


def shard_rows(shards: Sequence[ShardTotals]) -> list[Row]:
    """
    >>> [row["count"] for row in shard_rows([ShardTotals(0, 10, 3, 2)])]
    [3, 5, 2]
    """
    return [
        {"shard": str(each.shard), "bar": each.shard, "series": name, "order": order, "count": count}
        for each in shards
        for order, (name, count) in enumerate(
            zip(KINDS, (each.relevant, each.fetched - each.relevant - each.failed, each.failed), strict=True)
        )
    ]


# -- charts ----------------------------------------------------------------------------------------------


def _harvest(charts: Charts, replayed: Mapping[str, Curve]) -> Chart:
    caption = "Relevant pages found after so many fetches"
    for name, curve in replayed.items():
        caption += (
            f"; beside it what {name} would have found by a replay of the log, with a 95% interval. Of its "
            f"{len(curve):,} fetches, this crawl has made {curve.known:,}"
        )
    spec = charts.totals("relevant", "relevant pages", band=True)
    return Chart("harvest", "Harvest curve", f"{caption}.", spec, wide=True)


def _per_window(charts: Charts) -> Chart:
    caption = "Share of relevant pages in each stretch of the crawl."
    return Chart("share", "Harvest per window", caption, charts.shares("share", "relevant"))


def _hosts(charts: Charts) -> Chart:
    spec = charts.totals("hosts", "hosts", band=False)
    return Chart("hosts", "Hosts asked", "Hosts of which at least one page had been fetched by then.", spec)


def _reliability(charts: Charts) -> Chart:
    caption = (
        "What the policy expected of pages, and what came of it; ten bins by estimate, area by fetches. On the "
        "dashed line estimates are probabilities; above it they are too low, below it too high."
    )
    return Chart("reliability", "Reliability", caption, charts.reliability())


def _speed(fetches: Fetches) -> Chart:
    unit = unit_of(fetches.seconds)[0]
    x = field("at", unit, scale={"nice": False})
    spec = area(
        "speed", x, field("speed", "pages a second"), [tip("at", unit, ",.3~g"), tip("speed", "pages/s", ",.3~g")]
    )
    caption = "Pages a second over time. Pauses of more than ten minutes are left out."
    return Chart("speed", "Speed", caption, spec)


def _seconds(end: int) -> Chart:
    y = field("seconds", "seconds", scale={"type": "log", "nice": True}, axis={"format": "~g", "tickCount": 5})
    tips = [tip("series", "percentile"), tip("span", "fetches"), tip("seconds", "seconds", ".3~g")]
    spec = lines("seconds", over_fetches(end), y, list(PERCENTILES), tips)
    caption = "From a request to the last byte of the answer, in each stretch of the crawl; logarithmic."
    return Chart("seconds", "Seconds a page", caption, spec)


def _depths() -> Chart:
    x = field("depth", "depth", of="ordinal", sort={"field": "bar"}, axis={"labelAngle": 0})
    tips = [tip("depth", "depth"), tip("series", "outcome"), tip("count", "pages", ",.0f")]
    spec = bars("depths", x, field("count", "pages", axis=COUNTS), KINDS, tips)
    return Chart("depth", "Depth", "Pages fetched by the number of links from a seed.", spec)


def _shards() -> Chart:
    x = field("shard", "shard", of="ordinal", sort={"field": "bar"}, axis={"labelAngle": 0, "labelOverlap": True})
    tips = [tip("shard", "shard"), tip("series", "outcome"), tip("count", "pages", ",.0f")]
    spec = bars("shards", x, field("count", "pages", axis=COUNTS), KINDS, tips)
    return Chart("shards", "Shards", "Pages fetched by each shard of the crawl.", spec)
