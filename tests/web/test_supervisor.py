"""The server and its crawls are killed, and everything goes on."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from time import sleep
from typing import Any

import orjson
import pytest

from sundog.processes.detached import DetachedProcess
from sundog.web.runs.state import State, process_of
from sundog.web.settings import Settings
from tests.engines.live.webs import HOME, SmallWeb
from tests.web.apps import csrf, served
from tests.web.sites import Site, shop, spec_of_shop, until


def pid_of(root: Path, name: str) -> int:
    return int(orjson.loads((root / name / ".web" / "state.json").read_bytes())["pid"])


def test_crawls_outlive_the_server_and_are_resumed_if_they_do_not(tmp_path: Path) -> None:
    with SmallWeb() as web:
        shop(web, 160, delay=0.4)  # so that it does not end before its time
        options = (tmp_path, f"--connect-to={web.connect_to}")
        with Site(*options) as first:
            name = first.begin(spec_of_shop(150, concurrency=1))
            first.until(name, lambda crawl: crawl["fetched"] > 2)
            first.end(signal.SIGKILL)
        process = pid_of(tmp_path, name)

        with Site(*options) as second:
            shown = second.crawl(name)
            assert (shown["state"], pid_of(tmp_path, name)) == ("running", process)
            second.until(name, lambda crawl: crawl["fetched"] > shown["fetched"])
            second.end(signal.SIGKILL)
        os.kill(process, signal.SIGKILL)

        shop(web, 160)
        with Site(*options) as third:
            ended = third.until_state(name, "finished", "failed")
            assert (ended["state"], ended["fetched"]) == ("finished", 150)


def test_a_process_that_has_got_the_same_id_is_left_alone(site: Site, crawl: str) -> None:
    """The state names this very test's process, with the start of another one."""
    folder = site.root / crawl
    for path in (folder / ".web" / "state.json", folder / "live.json"):
        state = orjson.loads(path.read_bytes())
        path.write_bytes(orjson.dumps({**state, "pid": os.getpid(), "started": "1"}))
    assert site.crawl(crawl)["state"] == "finished"
    site.post(f"/api/crawls/{crawl}/stop", status=409)


def test_a_process_that_does_not_end_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stopped process answers no signal but one. What it has logged is kept, and gone on with."""
    monkeypatch.setattr("sundog.web.runs.supervisor.SECONDS_TO_END", 0.5)
    with SmallWeb() as web:
        shop(web, 60, delay=0.3)
        with served(Settings(root=tmp_path, connect_to=web.connect_to)) as client:
            headers = csrf(client)
            body = {"spec": spec_of_shop(50, concurrency=1)}
            name = client.post("/api/crawls", json=body, headers=headers).json()["id"]
            path = f"/api/crawls/{name}"
            until(lambda: client.get(path).json()["fetched"] > 2)
            os.kill(pid_of(tmp_path, name), signal.SIGSTOP)
            assert client.post(f"{path}/pause", headers=headers).json()["state"] == "pausing"
            until(lambda: client.get(path).json()["state"] == "paused")
            shop(web, 60)
            client.post(f"{path}/resume", headers=headers)
            until(lambda: client.get(path).json()["state"] == "finished")
            assert client.get(path).json()["fetched"] == 50


def test_a_process_that_ends_while_it_is_looked_at_has_ended_by_its_signal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its exit code can be asked for once, so not before it is known to have ended."""

    def killed_first(state: State, live: dict[str, Any]) -> DetachedProcess | None:
        process = process_of(state, live)
        if process is not None:
            process.send_signal(signal.SIGKILL)
            until(lambda: not process.is_running)
        return process_of(state, live)

    monkeypatch.setattr("sundog.web.runs.supervisor.process_of", killed_first)
    with SmallWeb() as web:
        web.page(HOME, delay=600.0)
        with served(Settings(root=tmp_path, connect_to=web.connect_to)) as client:
            client.post("/api/crawls", json={"spec": spec_of_shop(50), "id": "doomed"}, headers=csrf(client))
            until(lambda: client.get("/api/crawls/doomed").json()["state"] == "failed")
            assert "by SIGKILL 3 times in a row" in client.get("/api/crawls/doomed").json()["reason"]


def test_a_crawl_that_dies_again_and_again_is_given_up(tmp_path: Path) -> None:
    """Each run logs that it has begun, and none gets a page: three are enough."""
    with SmallWeb() as web:
        web.page(HOME, delay=600.0)
        with served(Settings(root=tmp_path, connect_to=web.connect_to)) as client:
            body = {"spec": spec_of_shop(50), "id": "doomed"}
            client.post("/api/crawls", json=body, headers=csrf(client))
            killed = set()
            while (crawl := client.get("/api/crawls/doomed").json())["state"] != "failed":
                if crawl["state"] == "running" and (pid := pid_of(tmp_path, "doomed")) not in killed | {0}:
                    killed.add(pid)
                    os.kill(pid, signal.SIGKILL)
                assert len(killed) <= 3
                sleep(0.05)
    assert len(killed) == 3
    assert "by SIGKILL 3 times in a row" in crawl["reason"]
    assert "sundog resume doomed" in crawl["reason"]
    assert "doomed/errors.log" in crawl["reason"]
    assert crawl["actions"] == ["resume", "delete"]
