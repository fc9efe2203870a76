"""The server's own log: no host or address is asked too soon, nothing forbidden is asked, also across a kill."""

from __future__ import annotations

from pathlib import Path

from benchmarks import shared_addresses
from benchmarks.politeness import PoliteWeb, crawl, judge


def test_the_log_of_the_server(tmp_path: Path) -> None:
    with PoliteWeb(24) as web:
        crawl(web, tmp_path / "crawl", 150, kill_at=0.5)
        found = judge(web)
    assert found.hosts == 24
    assert found.requests > 150
    assert found.too_soon == []
    assert found.forbidden == []


def test_the_log_of_shared_addresses(tmp_path: Path) -> None:
    """Slow answers, missing pages, redirects, new hosts and their robots.txt; killed twice."""
    with shared_addresses.AddressWeb(60, 1) as web:
        shared_addresses.crawl(web, tmp_path / "crawl", 150, delay=0.3, kills=[0.4, 0.8])
        found = shared_addresses.judge(web)
    paths = {request.path.split("/")[1] for request in web.log}
    assert {"robots.txt", "missing", "moves"} <= paths
    assert "secret" not in paths
    assert found.hosts > 40
    assert 4 <= found.peak <= 8
    assert found.most_of_least_gap >= 0.03
