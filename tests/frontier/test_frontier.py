"""The frontier's invariants, over random webs and random interleavings of all that can happen to a session."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sundog import CrawlSession, Decision, Failed, Fetched, Link, Refused
from sundog.frontier.arrays import DISCOVERED, DONE, LEASED, QUEUED, READY, UNKNOWN

POLICIES = ["bfs", "success-rate", "naive-bayes", "sundog", "random"]
SCANNED = ["bfs", "naive-bayes", "success-rate"]
HOSTS, PAGES = 5, 6
URLS = [f"http://h{host}.example/{'ab'[page % 2]}/{page}" for host in range(HOSTS) for page in range(PAGES)]

few = settings(
    max_examples=25, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
webs = st.lists(st.lists(st.integers(0, len(URLS) - 1), max_size=8), min_size=len(URLS), max_size=len(URLS))
moves = st.lists(
    st.tuples(
        st.sampled_from(["choose", "choose", "choose", "fetch", "fetch", "fail", "refuse", "give back", "rest"]),
        st.integers(0, 1000),
    ),
    min_size=10,
    max_size=60,
)


class Crawl:
    """A session driven by arbitrary moves, with a record of what it must know."""

    def __init__(self, policy: str, web: list[list[int]]) -> None:
        self.session = CrawlSession(policy=policy, budget=40, seed=1)
        self.web, self.now = web, 0.0
        self.offered = {URLS[0], URLS[-1]}
        self.leased: list[Decision] = []
        self.done: set[str] = set()
        self.asleep_until: dict[int, float] = {}
        self.session.add([URLS[0], URLS[-1]])

    def move(self, kind: str, number: int) -> None:
        self.now += 1
        if kind == "choose":
            self.choose()
        elif self.leased:
            decision = self.leased.pop(number % len(self.leased))
            if kind == "give back":
                self.session.give_back(decision)
            elif kind == "rest":
                self.leased.append(decision)
                until = self.now + number % 10
                self.session.rest(decision.host_id, until)
                self.asleep_until[decision.host_id] = until  # the last call counts
            else:
                self.finish(decision, kind, number)

    def choose(self) -> None:
        decision = self.session.next_decision(self.now)
        if not isinstance(decision, Decision):
            return
        assert decision.url in self.offered - self.done
        assert decision.url not in {other.url for other in self.leased}
        assert self.now >= self.asleep_until.get(decision.host_id, 0.0)
        self.leased.append(decision)

    def finish(self, decision: Decision, kind: str, number: int) -> None:
        links = [URLS[target] for target in self.web[URLS.index(decision.url)]]
        new = len(set(links) - self.offered)
        reward = float(number % 3 == 0)
        outcome = {"fail": Failed("x"), "refuse": Refused("x")}.get(kind) or Fetched(
            reward, list(map(Link, links))
        )
        step = self.session.observe(decision, outcome)
        assert step.discovered == (new if kind == "fetch" else 0)
        self.offered |= set(links) if kind == "fetch" else set()
        self.done.add(decision.url)


def is_heap(keys: list[Any]) -> bool:
    """Four children a node, the smallest key first."""
    return all(keys[(i - 1) // 4] <= keys[i] for i in range(1, len(keys)))


def queue_of(frontier: Any, arm: int) -> Any:
    start, size = frontier.arms["start"][arm], frontier.arms["size"][arm]
    return frontier.slots[start : start + size]


def check_states(crawl: Crawl) -> None:
    session, frontier = crawl.session, crawl.session.chooser._frontier
    states = frontier.candidates["state"]
    of = {
        state: {session.source.url(i) for i in np.flatnonzero(states == state)} for state in (QUEUED, LEASED, DONE)
    }
    assert of[LEASED] == {decision.url for decision in crawl.leased}
    assert of[DONE] == crawl.done
    assert of[QUEUED] == crawl.offered - crawl.done - of[LEASED]
    assert session.queued == len(of[QUEUED])
    assert (
        session.queued + session.in_flight + len(crawl.done) == frontier.totals[DISCOVERED] == len(crawl.offered)
    )
    assert np.all(states[session.source.size :] == UNKNOWN)


def check_queues(frontier: Any) -> None:
    candidates, seen = frontier.candidates, []
    for arm in np.flatnonzero(frontier.arms["size"]):
        queue = queue_of(frontier, arm)
        ids = queue["candidate"]
        seen += ids.tolist()
        assert is_heap(list(zip((-queue["score"]).tolist(), queue["order"].tolist(), strict=True)))
        assert np.array_equal(candidates["score"][ids], queue["score"])
        assert np.array_equal(candidates["order"][ids], queue["order"])
        assert np.array_equal(candidates["place"][ids], np.arange(len(ids)))
        assert np.all(candidates["arm"][ids] == arm)
        assert np.all(candidates["host"][ids] == frontier.arms["host"][arm])
    assert sorted(seen) == np.flatnonzero(candidates["state"] == QUEUED).tolist()


def check_ready(frontier: Any) -> None:
    arms = frontier.arms
    listed = []
    for heap in (0, 1):
        entries = frontier.ready[heap, : frontier.totals[READY + heap]]
        assert is_heap(
            list(zip((-entries["key"]).tolist(), entries["tie"].tolist(), entries["arm"].tolist(), strict=True))
        )
        assert np.array_equal(arms["place"][entries["arm"]], np.arange(len(entries)))
        assert np.all(arms["heap"][entries["arm"]] == heap)
        listed += entries["arm"].tolist()
    awake = frontier.hosts["asleep"][arms["host"]] == 0
    assert sorted(listed) == np.flatnonzero((arms["size"] > 0) & awake).tolist()
    assert np.all(arms["place"][np.setdiff1d(np.arange(len(arms)), listed)] == -1)


def check_hosts(frontier: Any) -> None:
    candidates = frontier.candidates
    for state, count in ((QUEUED, "queued"), (LEASED, "pending")):
        of_hosts = np.bincount(candidates["host"][candidates["state"] == state], minlength=len(frontier.hosts))
        assert np.array_equal(of_hosts, frontier.hosts[count])


@pytest.mark.parametrize("policy", POLICIES)
@given(web=webs, script=moves)
@few
def test_nothing_is_lost_or_doubled_and_every_heap_is_a_heap(
    policy: str, web: list[list[int]], script: list[tuple[str, int]]
) -> None:
    crawl = Crawl(policy, web)
    for kind, number in script:
        crawl.move(kind, number)
        check_states(crawl)
        check_queues(crawl.session.chooser._frontier)
        check_ready(crawl.session.chooser._frontier)
        check_hosts(crawl.session.chooser._frontier)


def scanned_choice(policy: str, frontier: Any) -> int:
    """The candidate that a scan over all queued ones of awake hosts would take."""

    def rank(candidate: Any) -> tuple[float, ...]:
        host = frontier.hosts[candidate["host"]]
        within = (-candidate["score"], candidate["order"])
        if policy != "success-rate":
            return within
        bad = host["tried"] - host["good"] + host["pending"]
        return (-(host["good"] + 1) / (bad + 1), frontier.arms["number"][candidate["arm"]], *within)

    rows = frontier.candidates
    open_ = np.flatnonzero((rows["state"] == QUEUED) & (frontier.hosts["asleep"][rows["host"]] == 0))
    return min(open_.tolist(), key=lambda row: rank(rows[row]))


@pytest.mark.parametrize("policy", SCANNED)
@given(web=webs, script=moves)
@few
def test_the_argmax_is_the_argmax(policy: str, web: list[list[int]], script: list[tuple[str, int]]) -> None:
    crawl = Crawl(policy, web)
    for kind, number in script:
        if kind == "choose":
            crawl.now += 1
            for host in crawl.session._sleepers.woken(crawl.now):
                crawl.session.chooser.set_asleep(host, False)
            before = crawl.session.chooser._frontier
            rows = [array.copy() for array in before]
            leased = len(crawl.leased)
            crawl.choose()
            if len(crawl.leased) > leased:
                assert crawl.leased[-1].candidate == scanned_choice(
                    policy, before._replace(**dict(zip(before._fields, rows, strict=True)))
                )
        else:
            crawl.move(kind, number)


@pytest.mark.parametrize("policy", POLICIES)
def test_a_large_queue_is_emptied_in_its_order(policy: str) -> None:
    session = CrawlSession(policy=policy, budget=3000)
    session.add([f"http://h{i % 7}.example/{i % 11}/{i}" for i in range(2000)])
    check_queues(session.chooser._frontier)
    check_ready(session.chooser._frontier)
    decisions = [session.next_decision() for _ in range(2000)]
    assert len({decision.candidate for decision in decisions}) == 2000
    for decision in decisions[::2]:
        session.give_back(decision)
    check_queues(session.chooser._frontier)
    check_ready(session.chooser._frontier)
    assert session.queued == 1000
