"""Simulated crawls: budgets, seeds, starts, curves, and requests that are refused."""

from __future__ import annotations

import numpy as np
import pytest

from sundog import CrawlSession, Run, SundogError, simulate
from sundog.errors import UsageError
from sundog.policies.presets import POLICIES
from sundog.worlds.static import Links, Pages, StaticWorld, Strings


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("delay", [0, 100])
def test_every_policy_spends_its_budget_and_fetches_no_page_twice(
    policy: str, delay: int, small_world: StaticWorld
) -> None:
    run = simulate(small_world, policy, budget=400, delay=delay)
    assert run.stopped == "budget"
    assert run.fetched == 400
    assert len(set(run.trace.pages.tolist())) == 400
    assert run.relevant == int((run.trace.rewards > 0).sum())


@pytest.mark.parametrize("policy", POLICIES)
def test_same_seed_same_crawl(policy: str, small_world: StaticWorld) -> None:
    first, second = (simulate(small_world, policy, budget=300, seed=3) for _ in range(2))
    assert first.trace.pages.tolist() == second.trace.pages.tolist()
    assert np.array_equal(first.trace.estimates, second.trace.estimates)


def test_another_seed_is_another_crawl(small_world: StaticWorld) -> None:
    first, second = (simulate(small_world, "random", budget=300, seed=seed) for seed in (1, 2))
    assert first.trace.pages.tolist() != second.trace.pages.tolist()


def test_a_crawl_of_everything_that_links_reach_ends_with_an_empty_frontier(small_world: StaticWorld) -> None:
    leaf = next(page for page in range(small_world.size) if not len(small_world.links_of(page).targets))
    run = simulate(small_world, "bfs", budget=50, start=str(small_world.pages.ids[leaf]))
    assert run.stopped == "frontier empty"
    assert run.fetched == 1


def test_a_budget_of_the_whole_world_reaches_every_page(small_world: StaticWorld) -> None:
    run = simulate(small_world, "success-rate", budget=small_world.size)
    assert sorted(run.trace.pages.tolist()) == list(range(small_world.size))


def test_random_start_takes_relevant_pages_as_crawled_already(small_world: StaticWorld) -> None:
    run = simulate(small_world, "bfs", budget=100, start="random:5", seed=1)
    again = simulate(small_world, "bfs", budget=100, start="random:5", seed=1)
    assert run.fetched == 100
    assert run.trace.pages.tolist() == again.trace.pages.tolist()
    other = simulate(small_world, "bfs", budget=100, start="random:5", seed=2)
    assert run.trace.pages.tolist() != other.trace.pages.tolist()


def test_start_by_url(small_world: StaticWorld) -> None:
    run = simulate(small_world, "bfs", budget=1, start=small_world.url(17))
    assert run.trace.pages.tolist() == [17]


def test_the_curve_ends_with_the_whole_crawl(small_world: StaticWorld) -> None:
    run = simulate(small_world, "anthelion", budget=400)
    assert len(run.curve) >= 50
    assert run.curve[-1] == (run.fetched, run.relevant)
    assert all(a[0] < b[0] and a[1] <= b[1] for a, b in zip(run.curve, run.curve[1:], strict=False))


def test_oracle_finds_most(small_world: StaticWorld) -> None:
    found = {name: simulate(small_world, name, budget=300).relevant for name in ("oracle", "anthelion", "random")}
    assert found["oracle"] >= found["anthelion"] > found["random"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"policy": "sucess-rate"}, "unknown policy 'sucess-rate'; did you mean 'success-rate'"),
        ({"budget": 10**9}, "larger than the world"),
        ({"budget": 0}, "at least 1"),
        ({"start": "99999999"}, "neither the id nor the URL"),
        ({"start": "random:x"}, "whole number"),
        ({"start": "random:100000"}, "pages are relevant"),
        ({"objective": "jsonld>=100000"}, "no page of world"),
        ({"objective": "score"}, "no score"),
        ({"objective": "type:schema:Recipe"}, "no types"),
        ({"policy": "anthelion", "lamda": 0.2}, "parameter 'lamda'.*did you mean 'lambda'"),
        ({"policy": "anthelion", "decay": "soon"}, "decay=soon: is not a number"),
        ({"policy": "anthelion", "lambda": 1.5}, "lambda=1.5: must be between 0 and 1"),
        ({"policy": "anthelion", "features": "url+smell"}, "'smell' is no feature set"),
        ({"policy": "anthelion", "pretrain": "/no/such/file"}, "no such file"),
        ({"policy": "bfs", "decay": 5}, "not one of the chosen policies'"),
    ],
)
def test_bad_requests_are_refused_in_one_sentence(
    options: dict[str, object], message: str, small_world: StaticWorld
) -> None:
    with pytest.raises(SundogError, match=message) as caught:
        simulate(small_world, **{"policy": "bfs", "budget": 10, **options})
    assert "\n" not in str(caught.value)


def test_an_unknown_policy_is_a_usage_error(small_world: StaticWorld) -> None:
    with pytest.raises(UsageError):
        simulate(small_world, "nope", budget=10)


@pytest.mark.parametrize(
    "policy", ["sundog", "bfs", "random", "naive-bayes", "thompson", "thompson-best", "anthelion"]
)
def test_many_steps_at_a_time_are_the_same_as_one_by_one(
    policy: str, small_world: StaticWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    reports: list[tuple[int, int]] = []
    at_once = simulate(small_world, policy, budget=700, progress=lambda *counts: reports.append(counts))
    assert reports[-1] == (700, 700)
    assert len(reports) == 100
    monkeypatch.setattr(CrawlSession, "crawls_static", lambda session: False)
    assert_same(at_once, simulate(small_world, policy, budget=700))


def test_many_steps_at_a_time_with_graded_rewards_near_misses_and_long_lists(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Page 0 has more links than are offered at once."""
    count = 3_000
    addresses = b"".join(b"http://h%d.example/%d/p%d" % (page % 50, page % 3, page) for page in range(count))
    lengths = [len(b"http://h%d.example/%d/p%d" % (page % 50, page % 3, page)) for page in range(count)]
    urls = Strings(np.frombuffer(addresses, np.uint8), np.concatenate([[0], np.cumsum(lengths)]))
    numbers = np.arange(count, dtype=np.int32)
    starts = np.concatenate([[0], count + np.arange(count)])
    targets = np.concatenate([numbers, (numbers[1:] * 7) % count]).astype(np.int32)
    pages = Pages(np.arange(count), urls, {"jsonld": (numbers % 30).astype(np.int32)})
    world = StaticWorld("long lists", pages, Links(starts, targets))
    for objective in ("jsonld>=20", "jsonld"):
        for policy in ("sundog", "thompson-best"):
            at_once = simulate(world, policy, budget=900, objective=objective)
            with monkeypatch.context() as patched:
                patched.setattr(CrawlSession, "crawls_static", lambda session: False)
                assert_same(at_once, simulate(world, policy, budget=900, objective=objective))


def assert_same(one: Run, other: Run) -> None:
    for field in ("fetched", "relevant", "reward", "stopped"):
        assert getattr(one, field) == getattr(other, field)
    for field in ("pages", "rewards", "estimates", "hosts"):
        assert np.array_equal(getattr(one.trace, field), getattr(other.trace, field))
    assert np.all(one.trace.select_ns >= 0)
