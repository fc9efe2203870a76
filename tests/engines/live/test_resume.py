"""A crawl that was stopped goes on as if nothing had happened."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from sundog.engines.live import run
from sundog.engines.live.run import crawl, resume
from sundog.errors import UsageError
from sundog.replay import filled_catalog, new_session, replay
from sundog.spec import spec_text
from sundog.store import CrawlStore, open_readonly
from tests.engines.live.processes import killed, until_committed
from tests.engines.live.webs import HOME, Crawled, SmallWeb, crawled, spec_for, stop_after, urls

HOSTS = ["a.example", "b.example", "c.example", "d.example"]
PAGES, LINKS = 40, 6


def fill(web: SmallWeb) -> None:
    """Four hosts of forty pages; a third of them are products, some are broken, some move."""
    chance = random.Random(5)
    every = [f"http://{host}/{number or ''}" for host in HOSTS for number in range(PAGES)]
    for url in every:
        links = chance.sample(every, LINKS)
        if url.endswith("7"):
            web.moves(url, chance.choice(every))
        elif not url.endswith("9"):
            (web.product if chance.random() < 0.3 else web.page)(url, *links)


@pytest.mark.parametrize("policy", ["bfs", "sundog", "thompson", "lnh-max", "ensemble"])
def test_the_same_choices_as_without_the_stop(
    web: SmallWeb, tmp_path: Path, policy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(web)
    whole = crawled(web, tmp_path / "whole", policy=policy, seed=3, budget=80)
    assert whole.summary["stopped"] == "budget"
    first = list(web.log)
    web.log.clear()
    stop_after(monkeypatch, 29)
    stopped = crawled(web, tmp_path / "stopped", policy=policy, seed=3, budget=80)
    assert stopped.summary["stopped"] == "interrupted"
    for further in (17, 1):
        stop_after(monkeypatch, further)
        assert resume(tmp_path / "stopped")["stopped"] == "interrupted"
    stop_after(monkeypatch, 0)
    summary = resume(tmp_path / "stopped")
    assert stopped.choices == whole.choices
    assert [asked[1:3] for asked in web.log if asked.target != "/robots.txt"] == [
        asked[1:3] for asked in first if asked.target != "/robots.txt"
    ]
    assert {**summary, "seconds": 0, "bytes": 0} == {**whole.summary, "seconds": 0, "bytes": 0}
    assert stopped.rewards == whole.rewards


@pytest.mark.parametrize("policy", ["sundog", "thompson", "hybrid", "ldcoc"])
def test_the_log_can_be_replayed_to_the_choice(web: SmallWeb, tmp_path: Path, policy: str) -> None:
    """Many at once, with delays: whatever happened, a session that gets the same calls chooses the same."""
    fill(web)
    spec = spec_for(web, policy=policy, concurrency=16, delay=0.02, budget=60)
    assert crawl(spec, tmp_path / "crawl")["fetched"] == 60
    with open_readonly(tmp_path / "crawl") as store:
        catalog = filled_catalog(store)
        session = new_session(spec, catalog)
        leased: list[int] = []
        session.lease = leased.append  # type: ignore[assignment,method-assign]
        replay(store, session)
        assert leased == []
        assert session.fetched == 60


def test_a_host_is_not_lost_by_a_kill_while_its_robots_were_asked(web: SmallWeb, tmp_path: Path) -> None:
    web.page(HOME, *urls("1", host="b.example"))
    web.robots("", host="b.example", delay=0.6)
    web.page(*urls("1", host="b.example"))
    with killed(web, tmp_path / "crawl") as process:
        while "http://b.example/robots.txt" not in web.asked(robots=True):
            assert process.poll() is None
            time.sleep(0.01)
        until_committed(tmp_path / "crawl", "fetched", 1, process)
    assert resume(tmp_path / "crawl")["fetched"] == 2


def test_a_crawl_that_was_killed_before_its_first_page_begins_again(web: SmallWeb, tmp_path: Path) -> None:
    web.page(HOME)
    spec = spec_for(web)
    CrawlStore.create(tmp_path / "crawl", spec_text(spec)).close()
    assert resume(tmp_path / "crawl")["fetched"] == 1


def test_what_was_in_flight_is_not_asked_twice(web: SmallWeb, tmp_path: Path) -> None:
    """Not by itself and by a redirect that leads there."""
    web.page(HOME, *urls("moves", "slow"))
    web.page(urls("slow")[0], delay=10.0)
    web.moves(*urls("moves", "slow"), delay=10.0)
    with killed(web, tmp_path / "crawl", "--concurrency=2", "--policy=bfs") as process:
        while len(web.asked()) < 3:
            assert process.poll() is None
            time.sleep(0.01)
        until_committed(tmp_path / "crawl", "decided", 3, process)
    web.page(*urls("slow"))
    web.moves(*urls("moves", "slow"))
    spec = tmp_path / "crawl" / "spec.toml"
    spec.write_text(spec.read_text().replace("concurrency = 2", "concurrency = 1"))
    web.log.clear()
    resume(tmp_path / "crawl")
    assert sorted(web.asked()) == sorted(urls("slow", "moves"))
    assert Crawled(tmp_path / "crawl").faults == {urls("moves")[0]: f"redirect-known: {urls('slow')[0]}"}


@pytest.mark.parametrize("ahead", [30 * 86_400.0, 900.0])
def test_a_clock_that_was_ahead_does_not_freeze_the_crawl(
    web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ahead: float
) -> None:
    """All that was kept of hosts lies in the future then: their pace, and until when they sleep."""
    web.page(HOME, *urls("1", "2", "3"), *urls("1", "2", host="b.example"))
    for url in (*urls("1", "2", "3"), *urls("1", "2", host="b.example")):
        web.page(url)
    stop_after(monkeypatch, 3)
    with monkeypatch.context() as patch:
        patch.setattr(run, "steady_clock", lambda: lambda: time.time() + ahead)
        done = crawled(web, tmp_path / "crawl", delay=0.2, concurrency=2)
    assert done.summary["stopped"] == "interrupted"
    stop_after(monkeypatch, 0)
    summary = resume(tmp_path / "crawl")
    assert (summary["stopped"], summary["fetched"]) == ("frontier empty", 6)
    assert resume(tmp_path / "crawl")["fetched"] == 6, "the log can be replayed, though its times go back"


def test_a_new_budget(web: SmallWeb, tmp_path: Path) -> None:
    fill(web)
    directory = tmp_path / "crawl"
    whole = crawled(web, tmp_path / "whole", budget=50, policy="bfs")
    first = crawled(web, directory, budget=20)
    assert (first.summary["fetched"], first.summary["stopped"]) == (20, "budget")
    assert resume(directory)["fetched"] == 20
    with pytest.raises(UsageError, match="a budget of 19 is less than what was spent already"):
        resume(directory, budget=19)
    assert resume(directory, budget=50)["fetched"] == 50
    assert resume(directory)["fetched"] == 50, "the new budget is remembered"
    assert first.choices == whole.choices
    assert len(first.fetched) == len(set(first.fetched)) == 50


def test_what_is_novel_is_remembered(web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    web.product(HOME, *urls("1", "2", "3"), name="kettle")
    web.product(*urls("1"), name="kettle")
    web.product(*urls("2"), name="pot")
    web.product(*urls("3"), name="pot")
    stop_after(monkeypatch, 1)
    done = crawled(web, tmp_path / "crawl", objective="novel type:schema:Product")
    assert done.rewards == {HOME: 1.0}
    stop_after(monkeypatch, 0)
    resume(tmp_path / "crawl")
    assert done.rewards == {HOME: 1.0, **dict(zip(urls("1", "2", "3"), (0.0, 1.0, 0.0), strict=True))}
