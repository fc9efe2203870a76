"""Rate windows of an API, announced or not, true or not: its log shows if they were kept, also after kills."""

from __future__ import annotations

import signal
import time
from pathlib import Path
from typing import Any

import pytest

from sundog.engines.live.run import resume
from sundog.errors import UsageError
from sundog.spec import spec_text
from sundog.spec.crawl import Following
from sundog.web.runs.crawls import Crawls
from sundog.web.runs.directories import Root
from tests.engines.live.processes import ended, start
from tests.engines.live.webs import Crawled, stop_after
from tests.engines.live.worlds.api_service import WORD, ApiService, Network
from tests.engines.live.worlds.specs import api_crawl, api_spec
from tests.fetch.server import Asked

IN_A_HURRY = Following(patience=0.5, retries=1)


def test_windows_of_the_spec_are_kept_though_the_service_does_not_announce_them(tmp_path: Path) -> None:
    with ApiService(requests=8, window=0.5) as service:
        api_crawl(service, tmp_path / "crawl", api={"requests": 8, "window": 0.5})
        assert service.most_in_any_window() <= 8
        assert max(service.in_windows()) == 8
    assert service.refused == 0
    assert len(service.log) == 40


@pytest.mark.parametrize("says", ["X-RateLimit", "X-Rate-Limit", "RateLimit"])
def test_windows_that_only_the_service_knows_are_kept(tmp_path: Path, says: str) -> None:
    with ApiService(requests=6, window=1.5, says=says) as service:
        api_crawl(service, tmp_path / "crawl", budget=18)
        assert max(service.in_windows()) <= 6
    assert (service.refused, len(service.log)) == (0, 18)


def test_a_service_that_allows_less_than_the_spec_is_obeyed(tmp_path: Path) -> None:
    with ApiService(requests=4, window=1.0, says="RateLimit") as service:
        api_crawl(service, tmp_path / "crawl", budget=12, api={"requests": 100, "window": 1.0})
        assert max(service.in_windows()) <= 4
    assert service.refused == 0


def test_a_429_is_no_failure_of_a_node(tmp_path: Path) -> None:
    with ApiService(requests=5, window=1.0) as service:
        done = api_crawl(service, tmp_path / "crawl", budget=13)
    assert service.refused > 0
    assert done.summary["failed"] == 0
    refused = [n for n, asked in enumerate(service.log) if n and asked.at - service.log[n - 1].at > 0.9]
    assert len(refused) >= service.refused - 1  # after each one it waited as long as Retry-After asked


def test_always_429_ends(tmp_path: Path) -> None:
    def always(_: Asked) -> tuple[int, Any, list[str]]:
        return 429, b"", ["X-RateLimit-Remaining: 1000"]

    with ApiService(misbehave=always) as service:
        done = api_crawl(service, tmp_path / "crawl", following=IN_A_HURRY)
        assert len(service.log) == 1
    assert done.summary["stopped"] == "hosts resting"
    assert done.summary["fetched"] == done.summary["failed"] == 0


def test_a_reset_in_a_thousand_years_stops_a_crawl_that_can_be_resumed(tmp_path: Path) -> None:
    lies = [["X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 32503680000"]]

    def once(asked: Asked) -> tuple[int, Any, list[str]] | None:
        return (200, {"posts": [{"text": WORD}]}, lies.pop()) if lies else None

    with ApiService(misbehave=once) as service:
        done = api_crawl(service, tmp_path / "crawl", "user 0", "user 1", following=IN_A_HURRY)
        assert len(service.log) == 1
    assert done.summary["stopped"] == "hosts resting"
    assert list(done.rewards.values()) == [1.0]


@pytest.mark.parametrize("reset", ["-5", "nan", "soon", "", "1e999", "0"])
def test_nonsense_in_headers_is_survived(tmp_path: Path, reset: str) -> None:
    def strange(asked: Asked) -> tuple[int, Any, list[str]]:
        return 200, {"posts": []}, ["X-RateLimit-Remaining: 7", f"X-RateLimit-Reset: {reset}"]

    with ApiService(misbehave=strange) as service:
        assert api_crawl(service, tmp_path / "crawl").summary["stopped"] == "frontier empty"


def test_the_budget_follows_from_the_windows(tmp_path: Path) -> None:
    with ApiService(Network(400), requests=10, window=0.5) as service:
        done = api_crawl(
            service, tmp_path / "crawl", budget=None, seconds=2.0, api={"requests": 10, "window": 0.5}
        )
        assert len(service.log) <= 40
    assert "budget = 40" in (tmp_path / "crawl" / "spec.toml").read_text()
    assert done.summary["stopped"] in ("budget", "time")


def test_several_nodes_at_once_keep_windows_and_budget(tmp_path: Path) -> None:
    several = Following(patience=5.0, host_concurrency=4)
    with ApiService(requests=7, window=0.5) as service:
        api_crawl(service, tmp_path / "crawl", following=several, api={"requests": 7, "window": 0.5})
        assert service.most_in_any_window() <= 7
    assert len(service.log) == 40


def test_nobody_waits_for_a_window_when_the_time_is_over(tmp_path: Path) -> None:
    with ApiService(requests=4, window=100.0, says="RateLimit") as service:
        began = time.monotonic()
        patient = Following(patience=200.0)
        done = api_crawl(service, tmp_path / "crawl", budget=100, seconds=1.0, following=patient)
        assert time.monotonic() - began < 60  # kernels may have to be compiled
        assert len(service.log) == 4
    assert done.summary["stopped"] == "time"
    assert (
        len(done.column("SELECT subject FROM log WHERE event = 'decided'")) == 1
    )  # in flight until it is resumed


def test_resumed_it_makes_the_same_choices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ApiService() as service:
        whole = api_crawl(service, tmp_path / "whole")
        asked = [each.target for each in service.log]
        service.log.clear()
        with monkeypatch.context() as patch:
            stop_after(patch, 4)
            part = api_crawl(service, tmp_path / "part")
        assert part.summary["stopped"] == "interrupted"
        resume(tmp_path / "part")
        assert [each.target for each in service.log] == asked
    assert Crawled(part.directory).choices == whole.choices


def test_the_budget_is_of_requests_also_a_new_one(tmp_path: Path) -> None:
    with ApiService() as service:
        done = api_crawl(service, tmp_path / "users", budget=8)
        assert done.summary["fetched"] < 7
        assert (done.summary["unit"], done.summary["spent"]) == ("requests", 8)
        shown = Crawls(Root(tmp_path)).as_json(Root(tmp_path).crawl("users"))
        assert (shown["spent"], shown["unit"]) == (8, "requests")
        with pytest.raises(UsageError, match=r"a budget of 7 is less than what was spent already \(8\)"):
            resume(tmp_path / "users", budget=7)


def test_killed_and_resumed_it_keeps_windows_and_budget(tmp_path: Path) -> None:
    with ApiService(requests=10, window=2.0) as service:
        spec = api_spec(service, budget=30, api={"requests": 10, "window": 2.0})
        (tmp_path / "spec.toml").write_text(spec_text(spec))
        process = start("crawl", tmp_path / "spec.toml", f"--out={tmp_path / 'crawl'}", "--json")
        for killed_at in (7, 15):
            while len(service.log) < killed_at:
                assert process.poll() is None
                time.sleep(0.002)
            process.send_signal(signal.SIGKILL)
            process.communicate(timeout=60)
            process = start("resume", tmp_path / "crawl", "--json")
        summary = ended(process)
        assert service.most_in_any_window() <= 10
        assert summary["requests"] == 30
        assert 28 <= len(service.log) <= 30  # what is counted first and killed then never leaves
    assert service.refused == 0
