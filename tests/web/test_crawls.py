"""Crawls of the site: begun, paused, resumed, stopped, copied, deleted; beside those of the command line."""

from __future__ import annotations

from pathlib import Path

import orjson

from sundog.web.settings import Settings
from tests.engines.live.processes import ended, start_crawl
from tests.engines.live.webs import SmallWeb
from tests.web.apps import csrf, served
from tests.web.sites import Site, shop, spec_of_shop, until


def test_a_crawl_runs_to_its_end(site: Site, crawl: str) -> None:
    shown = site.crawl(crawl)
    assert (shown["fetched"], shown["relevant"], shown["reason"]) == (31, 30, "frontier empty")
    assert (shown["title"], shown["owner"], shown["policy"]) == ("Kettles", "Ada", "sundog")
    assert shown["actions"] == ["resume", "delete"]
    assert len(shown["sparkline"]) == 31
    assert shown["sparkline"][-1] == 1.0
    assert shown["left"] == {"estimate": 0.0, "low": 0.0, "high": 0.0, "entities": None}  # all of it was fetched
    listed = site.get("/api/crawls")["crawls"]
    assert [each["relevant"] for each in listed if each["id"] == crawl] == [30]


def test_pause_resume_stop_copy_delete(tmp_path: Path) -> None:
    """One crawl may run at once, so the second waits until the first has ended."""
    with SmallWeb() as web:
        shop(web, 200, delay=0.2)
        with Site(tmp_path, f"--connect-to={web.connect_to}", "--at-once=1") as site:
            name = site.begin(spec_of_shop(150, concurrency=1))
            assert name == "a-example"
            site.until(name, lambda crawl: crawl["fetched"] > 3)
            draft = site.get(f"/api/crawls/{name}/draft")
            assert "connect_to" not in draft["spec"]
            copy = site.post("/api/crawls", draft, 201)["id"]
            assert (copy, site.crawl(copy)["state"]) == ("a-example-2", "queued")
            site.post(f"/api/crawls/{copy}/pause")
            assert site.crawl(copy)["state"] == "paused"
            site.post(f"/api/crawls/{name}/pause")
            paused = site.until_state(name, "paused")
            assert 0 < paused["fetched"] < 150
            site.post(f"/api/crawls/{name}/resume", {"budget": 160})
            resumed = site.until(name, lambda crawl: crawl["fetched"] > paused["fetched"])
            assert resumed["budget"] == 160
            assert site.client.delete(f"/api/crawls/{name}").status_code == 409
            site.post(f"/api/crawls/{name}/stop")
            assert site.until_state(name, "stopped")["actions"] == ["resume", "delete"]
            assert site.client.delete(f"/api/crawls/{copy}").status_code == 204
            assert not (tmp_path / copy).exists()
        assert not web.asked_twice().keys() - {"http://a.example/robots.txt"}


def test_a_crawl_of_the_command_line_is_watched_and_stopped(tmp_path: Path) -> None:
    with SmallWeb() as web:
        shop(web, 300, delay=0.2)
        with (
            Site(tmp_path, f"--connect-to={web.connect_to}") as site,
            start_crawl(web, tmp_path / "mine", "--concurrency=1") as process,
        ):
            while not (tmp_path / "mine" / "crawl.db").exists():
                assert process.poll() is None
            site.until(name := "mine", lambda crawl: crawl["state"] == "running" and crawl["fetched"] > 2)
            site.post(f"/api/crawls/{name}/pause")
            assert ended(process)["stopped"] == "interrupted"
            site.until_state(name, "paused")


def test_what_cannot_begin_has_failed_with_a_reason(tmp_path: Path) -> None:
    with Site(tmp_path, "--connect-to=127.0.0.1:9") as site:
        name = site.begin(spec_of_shop(3))
        failed = site.until_state(name, "failed")
        assert "no seed can be reached" in failed["reason"]
        path = f"/api/crawls/{name}"
        assert site.get(f"{path}/pages") == {"total": 0, "pages": []}
        assert site.get(f"{path}/types") == {"types": [], "behind": 0}
        assert site.get(f"{path}/graph")["nodes"] == []
        for rest in ("export/jsonl", "report", "explain?url=http://a.example/"):
            answer = site.client.get(f"{path}/{rest}")
            assert (answer.status_code, "has not fetched any page" in answer.text) == (409, True)
        assert site.client.delete(f"/api/crawls/{name}").status_code == 204
        assert orjson.loads(site.client.get("/api/crawls").content)["crawls"] == []


def test_files_of_others_stay(site: Site) -> None:
    """The crawl's objective is a file, which its copies bring along."""
    spec = spec_of_shop(2).replace("type:schema:Product", "names.rq")
    name = site.begin(spec, id="shared", files={"names.rq": "SELECT ?n { ?x schema:name ?n }"})
    assert site.until_state(name, "finished", "failed")["relevant"] == 1
    draft = site.get(f"/api/crawls/{name}/draft")
    assert draft["files"].keys() == {"names.rq"}
    assert site.post("/api/check", draft)["ok"]
    (site.root / name / "notes.txt").write_text("mine")
    answer = site.client.delete(f"/api/crawls/{name}")
    assert (answer.status_code, "notes.txt" in answer.text) == (409, True)
    assert [path.name for path in (site.root / name).iterdir()] == ["notes.txt"]
    assert site.client.get(f"/api/crawls/{name}").status_code == 404


def test_no_report_is_written_before_somebody_asks(site: Site, crawl: str) -> None:
    """So whoever pauses a crawl does not wait for it."""
    assert not (site.root / crawl / "report.html").exists()


def test_of_more_crawls_than_can_be_listed_every_one_can_be_resumed(tmp_path: Path) -> None:
    """It is started, whatever its name, and listed while it waits and runs; others are listed by what is new."""
    with SmallWeb() as web:
        shop(web)
        for name in [*(f"crawl-{number:04}" for number in range(1_001)), "zebra"]:
            draft = tmp_path / name / ".web" / "draft"
            draft.mkdir(parents=True)
            (draft / "spec.toml").write_text(f'connect_to = "{web.connect_to}"\n{spec_of_shop(5)}')
        with served(Settings(root=tmp_path, connect_to=web.connect_to)) as client:
            listed = client.get("/api/crawls").json()
            assert (len(listed["crawls"]), listed["total"]) == (1_000, 1_002)
            assert "zebra" not in {crawl["id"] for crawl in listed["crawls"]}
            answer = client.post("/api/crawls/zebra/resume", headers=csrf(client)).json()
            assert answer["state"] == "starting"
            assert "zebra" in {crawl["id"] for crawl in client.get("/api/crawls").json()["crawls"]}
            until(lambda: client.get("/api/crawls/zebra").json()["state"] == "finished")
            assert client.get("/api/crawls/zebra").json()["fetched"] == 5
