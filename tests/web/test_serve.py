"""``sundog serve``: what it says when it cannot serve, and the demo."""

from __future__ import annotations

import os
import signal
import socket
import sys
from pathlib import Path

import httpx
import orjson
import pytest

from tests.cli.commands import Command, one_line
from tests.web.sites import Site


@pytest.fixture
def sundog(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)


def test_what_is_missing_is_said(sundog: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastapi", None)
    assert "pip install 'sundog[web]'" in one_line(sundog("serve"))


def test_what_cannot_be_served_is_said(sundog: Command, tmp_path: Path) -> None:
    assert "leave out --no-token" in one_line(sundog("serve", "--root", tmp_path, "--host=0.0.0.0", "--no-token"))
    both = ("--no-token", "--token-file", tmp_path / "none")
    assert "exclude each other" in one_line(sundog("serve", "--root", tmp_path, *both))
    assert "--query-seconds" in one_line(sundog("serve", "--root", tmp_path, "--query-seconds=0"))
    assert "cannot be read" in one_line(sundog("serve", "--root", tmp_path, "--token-file", tmp_path / "none"))
    assert "HOST:PORT" in one_line(sundog("serve", "--root", tmp_path, "--connect-to", "x"))
    (tmp_path / "file").write_text("")
    assert "cannot be used as root" in one_line(sundog("serve", "--root", tmp_path / "file", "--port", 0))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        line = one_line(sundog("serve", "--root", tmp_path, "--port", taken.getsockname()[1]))
        assert "try --port 0" in line


def test_a_root_has_one_server(sundog: Command, site: Site) -> None:
    """Two would start the same crawls."""
    assert "is served already" in one_line(sundog("serve", "--root", site.root, "--port", 0))


def test_the_link_that_is_printed_lets_in_and_stays_the_same(tmp_path: Path) -> None:
    """Nothing else does; and a browser that is in stays in when the server is started again."""
    with Site(tmp_path) as site:
        link, cookies = site.link, dict(site.client.cookies)
        assert len(link.partition("?token=")[2]) >= 32
        assert site.client.get("/api/crawls").status_code == 200
        assert httpx.get(f"{site.address}api/crawls").status_code == 401
        assert httpx.get(site.address).headers["location"] == "/login"
    with Site(tmp_path) as again:
        assert again.link.partition("?")[2] == link.partition("?")[2]
        assert httpx.get(f"{again.address}api/crawls", cookies=cookies).status_code == 200
    with Site(tmp_path, "--no-token") as free:
        assert free.link == free.address
        assert httpx.get(f"{free.address}api/crawls").status_code == 200


def test_the_demo_is_one_click(tmp_path: Path) -> None:
    with Site(tmp_path) as site:
        name = site.post("/api/demo", status=201)["id"]
        try:
            assert site.until(name, lambda crawl: crawl["fetched"] > 20)["objective"] == "type:schema:Recipe"
            site.client.post(f"/api/crawls/{name}/stop")  # it may just have ended by itself
            site.until_state(name, "stopped", "finished")
        finally:
            os.kill(orjson.loads((tmp_path / ".web" / "demo.json").read_bytes())["pid"], signal.SIGTERM)
