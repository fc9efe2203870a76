"""Random pages in place of the policy's choices: how often, and with which probability."""

from __future__ import annotations

import math
import random
from collections import Counter
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sundog import CrawlSession, Decision, Failed, Fetched, Link, UsageError
from sundog.frontier.arrays import QUEUED
from sundog.policies.presets import POLICIES
from sundog.session.exploring import Explorer, NumberSet

LIVE = [name for name, policy in POLICIES.items() if not policy.foresees]
SHARE = 0.4


def url(number: int) -> str:
    return f"http://h{number % 5}.example/{'ab'[number % 2]}/{number}"


def explorer_of(session: CrawlSession) -> Explorer:
    assert session._explorer is not None
    return session._explorer


def waiting(session: CrawlSession) -> dict[int, int]:
    """The pages that wait and whose hosts are awake, with their hosts: looked up one by one."""
    hosts = session.source.facts.host
    return {
        page: int(hosts[page])
        for page in range(session.source.size)
        if session.chooser.state_of(page) == QUEUED and session.asleep_until(int(hosts[page])) is None
    }


def obvious_chance(pages: dict[int, int], page: int) -> float:
    by_host = Counter(pages.values())
    return 0.5 / len(pages) + 0.5 / len(by_host) / by_host[pages[page]]


def check(session: CrawlSession) -> dict[int, int]:
    pages, known = waiting(session), explorer_of(session).waiting
    assert known.awake == len(pages)
    assert set(known.hosts.members) == set(pages.values())
    assert all(page in known.pages for page in pages)
    for page in pages:
        assert math.isclose(known.chance(page), obvious_chance(pages, page))
    return pages


@pytest.mark.parametrize("policy", LIVE)
def test_whatever_happens_what_can_be_drawn_is_what_waits(policy: str) -> None:
    """Every call that a driver can make, in random order."""
    session = CrawlSession(policy=policy, budget=10_000, seed=5, explore_log=SHARE)
    rng, numbers, now = random.Random(policy), count(), 0.0
    session.add([url(next(numbers)) for _ in range(12)])
    for _ in range(150):
        pages, now = check(session), now + 1.0
        decision = session.next_decision(now)
        if not isinstance(decision, Decision):
            session.add([url(next(numbers)) for _ in range(5)])
            continue
        pages = waiting(session) | {decision.candidate: decision.host_id}  # some may have woken up
        drawn = SHARE * obvious_chance(pages, decision.candidate)
        own = drawn + 1 - SHARE
        assert min(abs(decision.propensity - drawn), abs(decision.propensity - own)) < 1e-12
        assert (decision.propensity < 0.5) == math.isnan(decision.score), "a random page is chosen by no score"
        match rng.randrange(6):
            case 0:
                session.give_back(decision)
            case 1:
                session.observe(decision, Failed("gone"))
            case 2:
                session.rest(decision.host_id, now + rng.randrange(1, 9))
                session.observe(decision, Fetched(0.0))
            case _:
                links = [Link(url(next(numbers)), anchor="more", score=1.0) for _ in range(rng.randrange(4))]
                session.observe(decision, Fetched(float(rng.random() < 0.3), links))
    check(session)


def test_pages_are_chosen_as_often_as_their_propensities_say() -> None:
    chosen = Counter[str]()
    chances: dict[str, float] = {}
    for seed in range(3_000):
        session = CrawlSession(policy="bfs", budget=9, seed=seed, explore_log=SHARE)
        session.add([f"http://a.example/{i}" for i in range(6)] + ["http://b.example/", "http://c.example/"])
        session.rest(2, math.inf)  # c sleeps
        decision = session.next_decision()
        assert isinstance(decision, Decision)
        chosen[decision.url] += 1
        chances[decision.url] = decision.propensity
    assert set(chosen) == {f"http://a.example/{i}" for i in range(6)} | {"http://b.example/"}
    assert math.isclose(sum(chances.values()), 1.0)
    for page, chance in chances.items():
        deviation = math.sqrt(3_000 * chance * (1 - chance))
        assert abs(chosen[page] - 3_000 * chance) < 4 * deviation, page


def choices(session: CrawlSession, number: int) -> list[tuple[int, float]]:
    found = []
    for _ in range(number):
        decision = session.next_decision()
        assert isinstance(decision, Decision)
        found.append((decision.candidate, decision.propensity))
        links = [Link(url(100 * len(found) + i)) for i in range(3)]
        session.observe(decision, Fetched(float(decision.candidate % 3 == 0), links))
    return found


@pytest.mark.parametrize("policy", ["sundog", "thompson", "ensemble", "q-learning"])
def test_a_saved_session_goes_on_with_the_same_random_pages(policy: str, tmp_path: Path) -> None:
    session = CrawlSession(policy=policy, budget=200, seed=1, explore_log=SHARE)
    session.add([url(i) for i in range(10)])
    choices(session, 30)
    session.save(tmp_path / "saved")
    assert choices(CrawlSession.load(tmp_path / "saved"), 30) == choices(session, 30)


def test_without_it_nothing_changes() -> None:
    """The policy's own random numbers are not touched by it either: its own choice is made every time."""
    plain, explored = (
        CrawlSession(policy="thompson", budget=50, seed=4, explore_log=share) for share in (0.0, 1e-9)
    )
    for session in (plain, explored):
        session.add([url(i) for i in range(10)])
    assert [page for page, _ in choices(plain, 40)] == [page for page, _ in choices(explored, 40)]


@pytest.mark.parametrize("share", [-0.1, 0.51, math.nan])
def test_a_share_that_is_no_probability(share: float) -> None:
    with pytest.raises(UsageError, match=r"explore\.log = .*: a probability from 0 to 0\.5"):
        CrawlSession(budget=1, explore_log=share)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 20))))
def test_a_set_of_numbers(calls: list[tuple[bool, int]]) -> None:
    ours, theirs = NumberSet(), set[int]()
    for adds, number in calls:
        assert (ours.add if adds else ours.discard)(number) == ((number not in theirs) == adds)
        (theirs.add if adds else theirs.discard)(number)
        assert sorted(ours.members) == sorted(theirs)
        assert all((one in ours) == (one in theirs) for one in range(22))
