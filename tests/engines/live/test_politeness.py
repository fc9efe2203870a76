"""The server's own log: no host is asked too soon, nothing forbidden is asked, also across a kill."""

from __future__ import annotations

from pathlib import Path

from benchmarks.politeness import PoliteWeb, crawl, judge


def test_the_log_of_the_server(tmp_path: Path) -> None:
    with PoliteWeb(24) as web:
        crawl(web, tmp_path / "crawl", 150, kill_at=0.5)
        found = judge(web)
    assert found.hosts == 24
    assert found.requests > 150
    assert found.too_soon == []
    assert found.forbidden == []
