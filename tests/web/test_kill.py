"""The server and its crawls are killed, and everything goes on."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import orjson

from tests.engines.live.webs import SmallWeb
from tests.web.sites import Site, shop, spec_of_shop


def pid_of(root: Path, name: str) -> int:
    return int(orjson.loads((root / name / ".web" / "state.json").read_bytes())["pid"])


def test_crawls_outlive_the_server_and_are_found_again(tmp_path: Path) -> None:
    with SmallWeb() as web:
        shop(web, 120, delay=0.05)
        options = (tmp_path, f"--connect-to={web.connect_to}")
        site = Site(*options).__enter__()
        name = site.begin(spec_of_shop(100, concurrency=1))
        site.until(name, lambda crawl: crawl["fetched"] > 2)
        site.end(signal.SIGKILL)
        process = pid_of(tmp_path, name)
        with Site(*options) as again:
            told = again.crawl(name)
            assert told["state"] == "running"
            assert pid_of(tmp_path, name) == process
            again.until(name, lambda crawl: crawl["fetched"] > told["fetched"])
            again.post(f"/api/crawls/{name}/stop")
            again.until_state(name, "stopped")


def test_crawls_that_died_with_the_server_are_resumed(tmp_path: Path) -> None:
    with SmallWeb() as web:
        shop(web, 60, delay=0.02)
        options = (tmp_path, f"--connect-to={web.connect_to}")
        site = Site(*options).__enter__()
        name = site.begin(spec_of_shop(50, concurrency=1))
        site.until(name, lambda crawl: crawl["fetched"] > 2)
        site.end(signal.SIGKILL)
        os.kill(pid_of(tmp_path, name), signal.SIGKILL)
        with Site(*options) as again:
            ended = again.until_state(name, "finished", "failed")
            assert (ended["state"], ended["fetched"]) == ("finished", 50)


def test_a_process_that_has_got_the_same_id_is_left_alone(tmp_path: Path) -> None:
    """The state names this very test's process, with the start of another one."""
    with SmallWeb() as web:
        shop(web, 5)
        with Site(tmp_path, f"--connect-to={web.connect_to}") as site:
            name = site.begin(spec_of_shop(3))
            site.until_state(name, "finished")
            path = tmp_path / name / ".web" / "state.json"
            state = orjson.loads(path.read_bytes())
            path.write_bytes(orjson.dumps({**state, "pid": os.getpid(), "started": "1"}))
            live = tmp_path / name / "live.json"
            live.write_bytes(orjson.dumps({**orjson.loads(live.read_bytes()), "pid": os.getpid(), "started": "1"}))
            assert site.crawl(name)["state"] == "finished"
            site.post(f"/api/crawls/{name}/stop", status=409)
