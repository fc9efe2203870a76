"""Rounds over all shards on a real Ray: killed, interrupted and gone on with."""

from __future__ import annotations

import os
import signal
from collections import Counter
from pathlib import Path

import pytest
from benchmarks.rounds import SEED, ChangingWeb, Kept

from sundog.engines.cluster.run import crawl_in_shards, refresh_shards, resume_shards
from sundog.engines.live.progress import Snapshot
from sundog.errors import SundogError, UsageError
from sundog.results.explain import explain
from sundog.store import CrawlStore
from sundog.store.shards import Layout, shard_directories, write_layout
from sundog.store.whole_round import read_round
from tests.engines.cluster.webs import rows
from tests.engines.live.webs import spec_for

SPENT = """SELECT count(*) FROM log l WHERE l.event IN ('fetched', 'failed', 'revisited')
  AND l.step > (SELECT max(step) FROM log WHERE event = 'round')"""


@pytest.mark.usefixtures("ray")
def test_a_killed_round_has_what_the_server_said(tmp_path: Path) -> None:
    """A shard is killed, then the driver; its budget is spent exactly, and changes are those of the web."""
    directory = tmp_path / "crawl"
    with ChangingWeb(5, hosts=4, products=8, delay=0.02) as web:
        kept = Kept(directory, web, 5, shards=2)
        spec = spec_for(None, SEED, policy="sundog", budget=500, connect_to=web.connect_to, concurrency=2)
        crawl_in_shards(spec, directory, shards=2)
        web.advance()
        killed: list[int] = []

        def kill(snapshot: Snapshot) -> None:
            if not killed and visits(directory) > 4:
                killed.append(snapshot.shards[0].pid)
                os.kill(killed[0], signal.SIGKILL)
            if visits(directory) > 14:
                raise KeyboardInterrupt  # as if the driver were killed: its shards are

        with pytest.raises(KeyboardInterrupt):
            refresh_shards(directory, budget=30, watch=kill)
        assert killed
        unfinished = read_round(directory)
        assert unfinished is not None
        assert (unfinished.number, unfinished.budget, unfinished.has_ended) == (1, 30, False)
        for wrong in ({"shards": 3}, {"budget": 9}):
            with pytest.raises(UsageError, match=r"round 1 of .* was interrupted: let it end first"):
                resume_shards(directory, **wrong)
        told: list[str] = []
        summary = refresh_shards(directory, budget=999, tell=told.append)
        assert told == ["round 1 was interrupted: it goes on with what is left of its budget"]
        assert [each["round"] for each in summary["rounds"]] == [0, 1]
        done = summary["rounds"][1]
        assert (summary["stopped"], done["new"] + done["revisited"], done["budget"]) == ("budget", 30, 30)
        assert sum(count for (count,) in rows(directory, SPENT)) == 30
        asked = Counter(url for number, url, *_ in web.log if number == 1)
        assert sum(asked.values()) - len(asked) <= 2 * 2 * 2, "what was in flight when they were killed"
        assert kept.check() == []
        url = rows(directory, "SELECT url FROM visits")[0][0]
        assert explain(directory, url).revisit["round"] == 1
        (shard, *_) = shard_directories(directory)
        with CrawlStore.open(shard) as store:
            store.connection.execute("INSERT INTO asked_elsewhere VALUES ('http://a.example/')")
        with pytest.raises(UsageError, match="has had another number of shards, so some pages are not with"):
            refresh_shards(directory, budget=30)


def visits(directory: Path) -> int:
    """Those that are committed, of all shards."""
    return sum(count for (count,) in rows(directory, "SELECT count(*) FROM revisits"))


def test_a_damaged_file_of_the_round(tmp_path: Path) -> None:
    write_layout(tmp_path, Layout(2))
    (tmp_path / "round.json").write_text("[]")
    with pytest.raises(SundogError, match=r"round\.json does not say which round was made"):
        read_round(tmp_path)
