"""Crawls of the site: begun, paused, resumed, stopped, copied, deleted; beside those of the command line."""

from __future__ import annotations

import signal
from pathlib import Path

from tests.engines.live.processes import ended, start, start_crawl
from tests.engines.live.webs import SmallWeb
from tests.web.sites import Site, shop, spec_of_shop


def test_a_crawl_runs_to_its_end(site: Site, crawl: str) -> None:
    told = site.crawl(crawl)
    assert (told["fetched"], told["relevant"], told["reason"]) == (31, 30, "frontier empty")
    assert (told["title"], told["owner"], told["policy"]) == ("Kettles", "Ada", "sundog")
    assert told["actions"] == ["resume", "delete"]
    assert len(told["sparkline"]) == 31
    assert told["sparkline"][-1] == 1.0
    listed = site.get("/api/crawls")["crawls"]
    assert [each["relevant"] for each in listed if each["id"] == crawl] == [30]


def test_pause_resume_stop_copy_delete(tmp_path: Path) -> None:
    with SmallWeb() as web:
        shop(web, 200, delay=0.05)
        with Site(tmp_path, f"--connect-to={web.connect_to}") as site:
            name = site.begin(spec_of_shop(150, concurrency=1))
            assert name == "a-example"
            site.until(name, lambda crawl: crawl["fetched"] > 3)
            site.post(f"/api/crawls/{name}/pause")
            paused = site.until_state(name, "paused")
            assert 0 < paused["fetched"] < 150
            site.post(f"/api/crawls/{name}/resume")
            site.until(name, lambda crawl: crawl["fetched"] > paused["fetched"])
            assert site.client.delete(f"/api/crawls/{name}").status_code == 409
            site.post(f"/api/crawls/{name}/stop")
            assert site.until_state(name, "stopped")["actions"] == ["resume", "delete"]
            draft = site.get(f"/api/crawls/{name}/draft")
            assert "connect_to" not in draft["spec"]
            copy = site.post("/api/crawls", draft, 201)["id"]
            assert copy == "a-example-2"
            site.post(f"/api/crawls/{copy}/stop")
            site.until_state(copy, "stopped")
            assert site.client.delete(f"/api/crawls/{copy}").status_code == 204
            assert not (tmp_path / copy).exists()
        assert not web.asked_twice().keys() - {"http://a.example/", "http://a.example/robots.txt"}


def test_a_larger_budget_goes_on(site: Site, web: SmallWeb) -> None:
    name = site.begin(spec_of_shop(5), id="small")
    assert site.until_state(name, "finished")["fetched"] == 5
    site.post(f"/api/crawls/{name}/resume", {"budget": 9})
    assert site.until(name, lambda crawl: crawl["fetched"] == 9)["budget"] == 9
    site.until_state(name, "finished")


def test_a_crawl_of_the_command_line_is_watched_and_stopped(tmp_path: Path) -> None:
    with SmallWeb() as web:
        shop(web, 300, delay=0.05)
        with (
            Site(tmp_path, f"--connect-to={web.connect_to}") as site,
            start_crawl(web, tmp_path / "mine", "--concurrency=1") as process,
        ):
            site.client.timeout = 60
            while not (tmp_path / "mine" / "crawl.db").exists():
                assert process.poll() is None
            site.until(name := "mine", lambda crawl: crawl["state"] == "running" and crawl["fetched"] > 2)
            site.post(f"/api/crawls/{name}/pause")
            assert ended(process)["stopped"] == "interrupted"
            site.until_state(name, "paused")
        with start("resume", tmp_path / "mine", "--json") as process:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=60)


def test_so_many_at_once_and_others_wait(tmp_path: Path) -> None:
    with SmallWeb() as web:
        shop(web, 100, delay=0.05)
        with Site(tmp_path, f"--connect-to={web.connect_to}", "--at-once=1") as site:
            first = site.begin(spec_of_shop(100, concurrency=1), id="first")
            second = site.begin(spec_of_shop(3), id="second")
            assert site.crawl(second)["state"] == "queued"
            site.until_state(first, "running")
            site.post(f"/api/crawls/{first}/stop")
            site.until_state(second, "finished")


def test_what_cannot_begin_has_failed_with_a_reason(tmp_path: Path) -> None:
    with Site(tmp_path, "--connect-to=127.0.0.1:9") as site:
        name = site.begin(spec_of_shop(3))
        failed = site.until_state(name, "failed")
        assert "no seed can be reached" in failed["reason"]
        assert site.client.delete(f"/api/crawls/{name}").status_code == 204
