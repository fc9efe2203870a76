"""Wishes that contradict each other, at the same time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sundog.web.settings import Settings
from tests.store.crawls import small_crawl
from tests.web.apps import csrf, served

WISHES = ("resume", "pause", "resume", "stop", "delete", "resume", "stop", "delete", "delete")


def test_a_crawl_is_deleted_while_others_resume_it(tmp_path: Path) -> None:
    """No crawl is ever started here, for want of a place."""
    for number in range(8):
        small_crawl(tmp_path / f"c{number}")
    with served(Settings(root=tmp_path, at_once=0)) as client:
        headers = csrf(client)

        def wish(number: int, what: str) -> int:
            path = f"/api/crawls/c{number}"
            if what == "delete":
                return client.delete(path, headers=headers).status_code
            return client.post(f"{path}/{what}", headers=headers).status_code

        with ThreadPoolExecutor(8) as threads:
            asked = [threads.submit(wish, number, what) for what in WISHES for number in range(8)]
        assert {each.result() for each in asked} <= {200, 204, 404, 409}
        for number in range(8):
            client.post(f"/api/crawls/c{number}/stop", headers=headers)
            assert client.delete(f"/api/crawls/c{number}", headers=headers).status_code in (204, 404)
        assert client.get("/api/crawls").json()["crawls"] == []
        assert [path.name for path in tmp_path.iterdir()] == [".web"]
