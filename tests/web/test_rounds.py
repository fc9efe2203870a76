"""Rounds in the site: one now, a schedule, a killed one that goes on, and what is told of them."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import orjson
import pytest

from sundog.engines.live.run import refresh, resume
from sundog.web.runs.crawls import Crawls
from sundog.web.runs.directories import Root
from sundog.web.watch.crawl_events import CrawlEvents
from tests.engines.live.webs import HOME, SmallWeb, crawled
from tests.web.sites import Site, shop, spec_of_shop


def test_rounds_are_made_on_demand_and_by_schedule(tmp_path: Path) -> None:
    with SmallWeb() as web:
        shop(web, 12)
        with Site(tmp_path, f"--connect-to={web.connect_to}") as site:
            name = site.begin(spec_of_shop(20))
            site.until_state(name, "finished")
            path = f"/api/crawls/{name}"
            assert site.get(f"{path}/health") == {"round": 0, "hosts": 0, "alarms": [], "ended": []}
            site.post(f"{path}/refresh", {"budget": 50})
            first = site.until(name, lambda crawl: crawl["state"] == "finished" and crawl["rounds"] == 1)
            assert (first["every"], first["alarms"]) == (0, 0)

            shop(web, 12, delay=0.3)  # slow, so that it can be killed
            site.post(f"{path}/schedule", {"every": "7d", "budget": 50})
            site.post(f"{path}/refresh", {"budget": 50})
            site.post(f"{path}/refresh", {"budget": 50}, status=409)  # never two at once
            site.until(name, lambda crawl: crawl["state"] == "running")
            os.kill(
                int(orjson.loads((tmp_path / name / ".web" / "state.json").read_bytes())["pid"]), signal.SIGKILL
            )
            shop(web, 12)
            kept = site.until(name, lambda crawl: crawl["state"] == "finished" and crawl["rounds"] == 2)
            assert (kept["every"], kept["round_budget"]) == (7 * 86_400, 50)
            rounds = site.get(f"{path}/rounds")["rounds"]
            assert [each["round"] for each in rounds] == [0, 1, 2]
            assert site.get(f"{path}/health")["round"] == 2
            assert site.get(f"{path}/changes", since="1")["more"] is False

            state = tmp_path / name / ".web" / "state.json"
            site.post(f"{path}/schedule", {"every": "1s", "budget": 50}, status=400)
            state.write_bytes(orjson.dumps({**orjson.loads(state.read_bytes()), "every": 2.0}))  # due at once
            site.until(name, lambda crawl: crawl["rounds"] >= 4)
            assert site.client.delete(f"{path}/schedule").status_code == 200
            assert site.crawl(name)["every"] == 0


def test_figures_are_of_the_latest_versions(tmp_path: Path) -> None:
    """A page that has changed is no other page, and its statements stand in the place of those before."""
    with SmallWeb() as web:
        shop(web, 6)
        crawled(web, tmp_path / "kettles", budget=20)
        root = Root(tmp_path)
        crawls, crawl = Crawls(root), root.crawl("kettles")
        events = CrawlEvents(crawl, crawls)
        events.update()
        web.page(f"{HOME}p/0", "/")
        web.product(f"{HOME}p/1", "/", name="another")
        web.reply(f"{HOME}p/2", status="410 Gone")
        summary = refresh(tmp_path / "kettles", budget=20)
        for seen in (events, CrawlEvents(crawl, Crawls(root))):  # one who looked on, and one who came later
            seen.update()
            shown = seen.whole()
            lists = [*shown["found"]["types"], *shown["found"]["properties"]]
            found = {each["short"]: each["count"] for each in lists}
            assert (found["schema:Product"], found["schema:name"]) == (4, 4)
            assert [(host["good"], host["bad"]) for host in shown["hosts"]["hosts"]] == [(6, 1)]
            assert not any(page["reason"] for page in shown["pages"]["pages"])
        told = Crawls(root).as_json(crawl)
        assert (told["statements"], told["spent"]) == (summary["statements"], summary["spent"])
        assert told["spent"] == 7 + 7


def test_a_crawl_that_has_ended_is_shown_with_all_that_it_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However short the time since the last look at its log."""
    monkeypatch.setattr("sundog.web.runs.crawls.SECONDS_BETWEEN_READS", 1_000.0)
    with SmallWeb() as web:
        shop(web, 6)
        crawled(web, tmp_path / "kettles", budget=3)
        root = Root(tmp_path)
        crawls, crawl = Crawls(root), root.crawl("kettles")
        assert crawls.as_json(crawl)["fetched"] == 3
        resume(tmp_path / "kettles", budget=5)
        (tmp_path / "kettles" / "live.json").unlink()  # it names this process, which goes on
        shown = crawls.as_json(crawl)
    assert (shown["state"], shown["fetched"], shown["spent"]) == ("finished", 5, 5)
