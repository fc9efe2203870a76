"""A crawler that waits for ``rest_until`` never asks too soon, nor too much at once."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, get_args

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sundog.fetch.address_pace import CONNECTED_WITHIN
from sundog.fetch.pace import HostState, Manners, Pace, Verdict, verdict_of
from sundog.fetch.values import HOST_ERRORS, TROUBLE_KINDS, Page, Trouble

HOSTS = ("a.example", "b.example", "c.example")
ADDRESS = ("1.2.3.4",)
PAGE = Page("", "", 200, (), "", b"", (), False, False, "", 0.0, 0.0, 0.0)

moves = st.lists(
    st.tuples(
        st.sampled_from(HOSTS),
        st.floats(0.0, 3.0),  # time passes
        st.booleans(),  # ask, or finish what is longest in flight
        st.sampled_from(get_args(Verdict)),
        st.sampled_from([None, 0.0, 5.0]),
        st.floats(0.0, 1.0),  # how much of a request's time had passed when it arrived
    ),
    max_size=60,
)


class World:
    """Plays a polite crawler and notes what servers see."""

    def __init__(self, pace: Pace, addresses: dict[str, tuple[str, ...]]) -> None:
        self.pace, self.addresses, self.now = pace, addresses, 1_000.0
        self.requests: list[tuple[str, float]] = []
        self.arrivals: dict[str, list[float]] = {host: [] for host in HOSTS}

    def ask(self, host: str) -> None:
        self.pace.locate(host, self.addresses.get(host, ()))
        if self.pace.rest_until(host, self.now) <= self.now:
            self.pace.started(host, self.now)
            self.requests.append((host, self.now))

    def finish(self, verdict: Verdict, retry_after: float | None, share: float) -> None:
        if self.requests:
            host, asked_at = self.requests.pop(0)
            arrived = asked_at + share * (self.now - asked_at)
            self.arrivals[host].append(arrived)
            self.pace.finished(
                host,
                self.now,
                verdict,
                answered_at=arrived,
                retry_after=retry_after,
            )

    def in_flight(self, host: str) -> int:
        return sum(name == host for name, _ in self.requests)


def play(
    pace: Pace, steps: list[Any], addresses: dict[str, tuple[str, ...]], restart_at: int | None = None
) -> World:
    world = World(pace, addresses)
    for number, (host, passes, asks, verdict, retry_after, share) in enumerate(steps):
        world.now += passes
        if number == restart_at:
            saved = [tuple(state) for state in world.pace.export()]
            world.pace = Pace(pace.manners)
            world.pace.restore([HostState(*row) for row in saved], world.now)
            for name, _ in world.requests:
                world.arrivals[name].append(world.now)
            world.requests.clear()
        if asks:
            world.ask(host)
        else:
            world.finish(verdict, retry_after, share)
        for name in HOSTS:
            assert world.in_flight(name) <= pace.manners.concurrency
        assert len(world.requests) <= pace.manners.address_concurrency * len(HOSTS)
    return world


@given(moves, st.sampled_from([0.5, 1.0, 4.0]), st.one_of(st.none(), st.integers(0, 60)))
def test_no_server_is_asked_sooner_than_its_delay(steps: list[Any], delay: float, restart_at: int | None) -> None:
    pace = Pace(Manners(delay=delay))
    pace.set_crawl_delay("b.example", 2.5)
    world = play(pace, steps, {"a.example": ADDRESS, "c.example": ADDRESS}, restart_at)
    for host, arrivals in world.arrivals.items():
        least = max(delay, 2.5) if host == "b.example" else delay
        gaps = [later - earlier for earlier, later in pairwise(arrivals)]
        assert all(gap >= least - 1e-9 for gap in gaps)


@given(moves, st.integers(1, 4))
def test_no_more_in_flight_than_allowed(steps: list[Any], concurrency: int) -> None:
    play(Pace(Manners(delay=0.0, concurrency=concurrency)), steps, {})


class Crowd:
    """Many hosts on few addresses: plays a polite crawler, and notes what each address sees."""

    def __init__(self, manners: Manners) -> None:
        self.pace, self.now = Pace(manners), 1_000.0
        self.under_way: list[tuple[str, tuple[str, ...], bool]] = []
        self.left: list[tuple[float, tuple[str, ...]]] = []

    def ask(self, host: str, addresses: tuple[str, ...]) -> None:
        self.pace.locate(host, addresses)
        if self.pace.rest_until(host, self.now) <= self.now:
            self.pace.started(host, self.now)
            self.under_way.append((host, addresses, False))

    def send(self, number: int) -> None:
        if self.under_way:
            host, addresses, was_sent = self.under_way[number % len(self.under_way)]
            if not was_sent:
                self.pace.addresses.sent(addresses, self.now)
                self.left.append((self.now, addresses))
                self.under_way[number % len(self.under_way)] = (host, addresses, True)

    def end(self, number: int, *, cancels: bool) -> None:
        if self.under_way:
            host, addresses, was_sent = self.under_way.pop(number % len(self.under_way))
            if cancels and not was_sent:
                self.pace.cancelled(host, addresses)
            else:
                self.pace.finished(host, self.now, "good", addresses=addresses, was_sent=was_sent)

    def restart(self) -> None:
        states = orjson.loads(orjson.dumps(self.pace.export(), default=list))
        self.pace = Pace(self.pace.manners)
        self.pace.restore([HostState(*state) for state in states], self.now)
        self.pace.restarted(self.now)
        self.under_way.clear()


crowded = st.lists(
    st.tuples(
        st.sampled_from(["ask", "ask", "send", "end", "cancel", "restart"]),
        st.floats(0.0, CONNECTED_WITHIN / 40),  # time passes: all of a step in less than a connection may take
        st.integers(0, 9),
        st.sampled_from([("1.1.1.1",), ("2.2.2.2",), ("1.1.1.1", "2.2.2.2"), ()]),
    ),
    max_size=40,
)


@given(crowded, st.sampled_from([0.0, 0.2, 1.0]), st.integers(1, 3))
def test_no_address_is_asked_too_much_or_too_soon(steps: list[Any], delay: float, most: int) -> None:
    """From the first request of a host on, wherever it moves, and whatever becomes of the request."""
    crowd = Crowd(Manners(delay=delay, concurrency=3, address_concurrency=most))
    for step, passes, number, addresses in steps:
        crowd.now += passes
        if step == "ask":
            crowd.ask(f"h{number}.example", addresses)
        elif step == "send":
            crowd.send(number)
        elif step == "restart":
            crowd.restart()
        else:
            crowd.end(number, cancels=step == "cancel")
        for each in ("1.1.1.1", "2.2.2.2"):
            in_flight = sum(each in there for _, there, _ in crowd.under_way)
            assert in_flight == crowd.pace.addresses.in_flight(each) <= most
    for each in ("1.1.1.1", "2.2.2.2"):
        times = [at for at, there in crowd.left if each in there]
        assert all(later - earlier >= delay / 10 - 1e-9 for earlier, later in pairwise(times))


def test_an_address_that_takes_long_to_connect_to_does_not_hold_up_its_hosts_in_turn() -> None:
    pace = Pace(Manners(delay=1.0))
    for host in HOSTS:
        pace.locate(host, ADDRESS)
    pace.started("a.example", 0.0)
    assert 1.0 < pace.rest_until("b.example", 1.0) < 1.1, "it may leave at any moment"
    assert pace.rest_until("b.example", CONNECTED_WITHIN) <= CONNECTED_WITHIN
    pace.addresses.sent(ADDRESS, 5.0)
    assert 5.1 < pace.rest_until("b.example", 5.0) < 5.2


def test_a_name_without_an_address_takes_no_place() -> None:
    pace = Pace(Manners(errors_to_break=2, first_break=60.0))
    pace.not_found("a.example", 5.0)
    assert (pace.in_flight("a.example"), pace.rest_until("a.example", 5.0)) == (0, 6.0)
    pace.not_found("a.example", 6.0)
    assert pace.rest_until("a.example", 6.0) == 66.0


def answer(pace: Pace, now: float, verdict: Verdict, **more: Any) -> float:
    pace.started("a.example", now)
    return pace.finished("a.example", now, verdict, **more)


def test_a_slow_down_doubles_and_recovers() -> None:
    pace = Pace(Manners(delay=1.0))
    assert [answer(pace, now, "slow down") - now for now in (0.0, 10.0, 20.0)] == [2.0, 4.0, 8.0]
    for now in range(100, 200, 10):
        answer(pace, now, "good")
    assert pace.delay("a.example") == 1.0


def test_a_slow_down_without_a_delay_waits_too() -> None:
    assert answer(Pace(Manners(delay=0.0)), 0.0, "slow down") == 2.0


def test_retry_after_is_kept_within_reason() -> None:
    assert answer(Pace(), 0.0, "slow down", retry_after=30.0) == 30.0
    assert answer(Pace(), 0.0, "slow down", retry_after=1e9) == 3_600.0


def test_a_host_that_fails_gets_longer_and_longer_breaks() -> None:
    pace = Pace(Manners(errors_to_break=3, first_break=60.0, breaks_to_give_up=3))
    rests = [answer(pace, 0.0, "error") for _ in range(3)]
    assert rests == [1.0, 1.0, 60.0]
    assert answer(pace, 60.0, "error") == 180.0, "one failure is enough after a break"
    assert not pace.given_up("a.example")
    answer(pace, 180.0, "error")
    assert pace.given_up("a.example")
    answer(pace, 999.0, "good")
    assert not pace.given_up("a.example")


def test_after_a_break_it_is_tried_once_at_a_time() -> None:
    pace = Pace(Manners(delay=0.0, concurrency=5, errors_to_break=1))
    answer(pace, 0.0, "error")
    assert pace.rest_until("a.example", 60.0) <= 60.0
    pace.started("a.example", 60.0)
    assert pace.rest_until("a.example", 60.0) > 60.0


def test_state_survives() -> None:
    pace = Pace()
    pace.set_crawl_delay("b.example", 7.0)
    pace.locate("a.example", ADDRESS)
    answer(pace, 5.0, "slow down")
    pace.started("b.example", 6.0)
    later = Pace()
    later.restore(pace.export(), 8.0)
    assert later.rest_until("a.example", 8.0) == pace.rest_until("a.example", 8.0)
    assert later.rest_until("b.example", 8.0) == 15.0, "what was in flight may have arrived until now"
    assert tuple(later.addresses_of("a.example")) == ADDRESS


def test_states_of_former_versions_have_one_address() -> None:
    pace = Pace()
    pace.restore([HostState("a.example", "1.2.3.4", 0.0, 7.0, 0.0, 1.0, 0, 0, 0)], 8.0)
    pace.restore([HostState("b.example", "", 0.0, 7.0, 0.0, 1.0, 0, 0, 0)], 8.0)
    assert [list(pace.addresses_of(host)) for host in HOSTS] == [["1.2.3.4"], [], []]


def test_states_can_be_kept_as_json() -> None:
    pace = Pace()
    pace.set_crawl_delay("a.example", 3.0)
    pace.started("b.example", 6.0)
    kept = orjson.loads(orjson.dumps(pace.export(), default=list))
    later = Pace()
    later.restore([HostState(*state) for state in kept], 8.0)
    assert later.rest_until("a.example", 8.0) <= 8.0
    assert later.rest_until("b.example", 8.0) == 9.0


def test_a_clock_that_was_ahead_lets_nobody_rest_for_longer() -> None:
    """What is kept lies in the future when the clock has been set back: rests are as long as they were to be."""
    month = 30 * 86_400.0
    pace = Pace(Manners(delay=2.0, requests=2, window=10.0))
    answer(pace, month, "slow down", retry_after=7.0)
    pace.started("b.example", month + 1.0)
    later = Pace(pace.manners)
    assert later.restore(pace.export(), 8.0) == month - 7.0
    assert later.rest_until("a.example", 8.0) == 15.0
    assert later.rest_until("b.example", 8.0) == 10.0
    assert pace.restore(pace.export(), 2 * month) == 0.0


def test_no_rest_that_was_kept_is_longer_than_the_longest() -> None:
    pace = Pace(Manners(longest_retry_after=60.0, longest_break=90.0))
    pace.restore([HostState("a.example", "", 0.0, 1.0, 1e9, 1.0, 0, 0, 0)], 8.0)
    assert pace.rest_until("a.example", 8.0) == 98.0


def test_after_a_restart_every_host_may_just_have_been_asked() -> None:
    """A killed crawl has asked hosts after its last commit, even some that are in no commit."""
    pace = Pace()
    pace.set_crawl_delay("a.example", 3.0)
    later = Pace()
    later.restore(pace.export(), 8.0)
    later.restarted(8.0)
    assert (later.rest_until("a.example", 8.5), later.rest_until("unknown.example", 8.5)) == (11.0, 9.0)
    assert later.rest_until("unknown.example", 10.0) == 10.0


def test_a_request_that_was_not_made_leaves_its_place() -> None:
    pace = Pace(Manners(delay=0.0))
    pace.started("a.example", 1.0)
    pace.cancelled("a.example")
    assert pace.rest_until("a.example", 1.0) <= 1.0


@pytest.mark.parametrize("kind", TROUBLE_KINDS)
def test_every_kind_of_trouble_has_a_verdict(kind: Any) -> None:
    expected = "slow down" if kind == "rate-limited" else "error" if kind in HOST_ERRORS else "good"
    assert verdict_of(Trouble(kind)) == expected
    assert set(TROUBLE_KINDS) >= HOST_ERRORS


def test_other_verdicts() -> None:
    assert verdict_of(PAGE) == "good"
    assert verdict_of(Trouble("http-5xx", status=503)) == "slow down"
