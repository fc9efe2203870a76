"""Report and site judge politeness alike, in whatever order outcomes come in."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from sundog.report.crawl.hosts import shortest_gaps
from sundog.report.crawl.page import facts_of
from sundog.results.politeness import ShortestGap, crawl_delays, judge
from sundog.store import CrawlStore, Observed, Seeded, open_readonly
from sundog.web.results.reading import outcomes_since
from sundog.web.watch.counters import HostRecords
from tests.store.crawls import decided, ids


@given(some.lists(some.floats(0, 1e9), max_size=30))
def test_the_shortest_gap_is_that_of_the_sorted_moments(moments: list[float]) -> None:
    gap = ShortestGap()
    for moment in moments:
        gap.add(moment)
    (expected,) = shortest_gaps(np.zeros(len(moments), int), np.array(moments), 1).tolist()
    assert gap.seconds == expected


def test_hosts_that_were_asked_once_or_need_no_delay_are_not_judged() -> None:
    assert judge([(math.inf, 1.0), (0.1, 0.0), (1.0, 1.0), (0.996, 1.0), (0.9, 1.0)]) == (3, 1)


@pytest.mark.parametrize(
    ("state", "delay"),
    [
        (["a.example", "", 9.0, 0, 0, 1, 0, 0, 0], 9.0),
        ({"crawl_delay": 9}, 9.0),
        *[(state, 0.0) for state in ([], ["a"], "x", None, {}, ["a", "", "soon"], {"crawl_delay": "soon"})],
    ],
)
def test_the_delay_that_a_host_asks_for(tmp_path: Path, state: Any, delay: float) -> None:
    with CrawlStore.create(tmp_path / "crawl", "") as store:
        store.save_host("a.example", state)
        store.commit()
        assert crawl_delays(store) == {"a.example": delay}


@pytest.mark.parametrize(("second", "kept"), [(2.0, True), (0.5, False)])
def test_report_and_site_agree_though_outcomes_come_out_of_order(
    tmp_path: Path, second: float, kept: bool
) -> None:
    """The page that was chosen last comes in first."""
    crawl = tmp_path / "crawl"
    with CrawlStore.create(crawl, "delay = 1") as store:
        store.append(Seeded(ids(0, 1, 2)), urls=[f"http://a.example/{number}" for number in range(3)])
        for candidate, at in ((0, 0.0), (1, second), (2, second + 2.0)):
            store.append(decided(candidate, 1e9 + at))
        for candidate in (2, 0, 1):
            store.append(Observed(candidate, 1e9 + 9.0, "fetched", 0.0))
    with open_readonly(crawl) as reader:
        report = facts_of(reader).hosts
        records = HostRecords(1.0)
        records.read_delays(reader)
        for outcome in outcomes_since(reader, 0, 100):
            records.add(outcome)
    site = records.as_json([])
    assert report.politeness == (1, int(not kept))
    assert site["politeness"] == {"kept": kept, "asked_again": 1, "too_soon": int(not kept)}
    assert site["hosts"][0]["gap"] == report.best[0].gap == pytest.approx(second)
