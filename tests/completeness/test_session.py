"""What a session says is left: within the truth on a small web, the same after a break, and whoever chooses."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

from sundog import CrawlSession, Decision, Fetched, Link, Refused, SundogError, simulate
from sundog.completeness.share import parse_share
from sundog.errors import UsageError
from sundog.worlds.load import load_world
from sundog.worlds.synthetic import generate, write

ITEMS, LISTS = 60, 12


def page(url: str) -> tuple[float, list[str]]:
    """A shop: its lists lead to all others, to five items each, which are wanted, and to a note, which is not."""
    name = url.removeprefix("http://shop.example/")
    if name.startswith("list/"):
        at = int(name.removeprefix("list/"))
        others = [f"list/{other}" for other in range(LISTS)]
        items = [f"item/{at * 5 + place}" for place in range(5)]
        return 0.0, [f"http://shop.example/{each}" for each in (*others, *items, f"note/{at}")]
    return float(name.startswith("item/")), []


def crawled(session: CrawlSession, fetches: int) -> None:
    for _ in range(fetches):
        decision = session.next_decision()
        if not isinstance(decision, Decision):
            return
        reward, links = page(decision.url)
        session.observe(decision, Fetched(reward, [Link(url) for url in links]))


def begun(policy: str = "sundog") -> CrawlSession:
    session = CrawlSession(policy=policy, budget=500, tracks_left=True)
    session.add(["http://shop.example/list/0"])
    return session


@pytest.mark.parametrize("policy", ["sundog", "bfs", "anthelion", "ensemble"])
def test_the_truth_lies_within_and_at_the_end_nothing_is_left(policy: str) -> None:
    session = begun(policy)
    crawled(session, 30)
    told = session.left()
    assert told.found == session.relevant
    assert told.all.low <= ITEMS - session.relevant <= told.all.high
    crawled(session, 500)
    assert session.left().all.high == 0
    assert session.left().is_at_most(0.01)


def test_asking_changes_no_choice() -> None:
    asked, silent = begun(), CrawlSession(policy="sundog", budget=500)
    silent.add(["http://shop.example/list/0"])
    for _ in range(60):
        one, other = asked.next_decision(), silent.next_decision()
        assert isinstance(one, Decision)
        assert isinstance(other, Decision)
        assert one[:-1] == other[:-1]
        for session, decision in ((asked, one), (silent, other)):
            reward, links = page(decision.url)
            session.observe(decision, Fetched(reward, [Link(url) for url in links]))
        asked.left()


def test_a_saved_session_says_what_it_would_have_said(tmp_path: Path) -> None:
    session = begun()
    crawled(session, 20)
    session.save(tmp_path / "session")
    again = CrawlSession.load(tmp_path / "session")
    assert again.left().all == session.left().all
    crawled(session, 20)
    crawled(again, 20)
    assert pickle.dumps(again.left().all) == pickle.dumps(session.left().all)


def test_refused_pages_are_not_left() -> None:
    session = begun()
    crawled(session, 1)
    while isinstance(decision := session.next_decision(), Decision):
        session.observe(decision, Refused("robots"))
    assert session.left().all.high == 0


def test_what_is_left_is_told_by_host() -> None:
    session = CrawlSession(policy="bfs", budget=500, tracks_left=True)
    session.add(["http://shop.example/list/0", "http://other.example/x"])
    crawled(session, 20)
    hosts = session.left().hosts(10)
    assert [session.source.host_name(host) for host, _ in hosts] == ["shop.example"]
    assert hosts[0][1].estimate == pytest.approx(session.left().all.estimate)


def test_only_a_session_that_was_told_can_say() -> None:
    with pytest.raises(SundogError, match="tracks_left"):
        CrawlSession(budget=5).left()


def test_a_simulated_crawl_ends_when_little_is_left(tmp_path: Path) -> None:
    write(generate("web2014", pages=3000, hosts=40, seed=2), tmp_path / "web")
    world = load_world(tmp_path / "web")
    whole: Any = simulate(world, "sundog", budget=3000, objective="microdata>=1", left=True)
    stopped: Any = simulate(world, "sundog", budget=3000, objective="microdata>=1", stop_left=0.1)
    assert whole.as_json()["left"] == {"estimate": 0.0, "low": 0.0, "high": 0.0}
    assert stopped.stopped == "little left"
    assert stopped.fetched < whole.fetched
    assert stopped.relevant > 0.9 * whole.relevant
    assert stopped.left.share(stopped.relevant) <= 0.1


@pytest.mark.parametrize("text", ["", "2", "-1%", "100%", "nan", "two"])
def test_a_share_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(
        UsageError, match=r'stop\.left = ".*": a share of the wanted pages is expected, such as "2%"'
    ):
        parse_share(text, "stop.left")
