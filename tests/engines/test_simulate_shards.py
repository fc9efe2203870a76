"""Crawls in simulated shards: exact budgets, every page once, the same crawl again."""

from __future__ import annotations

import json

import numpy as np
import pytest

from sundog import simulate
from sundog.engines.shard_source import ShardSource
from sundog.engines.simulate_shards import ShardedRun, simulate_shards
from sundog.errors import UsageError
from sundog.policies.hosts.presets import POLICIES
from sundog.sharding.ownership import Owners
from sundog.worlds.static import StaticWorld

NAMES = [policy.name for policy in POLICIES if policy.name != "hoeffding-tree"]


@pytest.mark.parametrize("policy", NAMES)
def test_the_budget_is_spent_to_the_last_fetch_and_no_page_is_fetched_twice(
    policy: str, small_world: StaticWorld
) -> None:
    run = simulate_shards(small_world, policy, shards=5, budget=403, exchange=7)
    assert run.stopped == "budget"
    assert run.fetched == sum(run.shard_fetches) == 403
    assert len(set(run.trace.pages.tolist())) == 403
    assert run.relevant == int((run.trace.rewards > 0).sum())
    assert run.learns_alone == ""


@pytest.mark.parametrize("shards", [1, 2, 9])
def test_all_that_one_session_reaches_is_reached(shards: int, small_world: StaticWorld) -> None:
    run = simulate_shards(small_world, "sundog", shards=shards, budget=small_world.size)
    one = simulate(small_world, "sundog", budget=small_world.size)
    assert sorted(run.trace.pages.tolist()) == sorted(one.trace.pages.tolist())


def test_every_shard_fetches_its_own_hosts_only(small_world: StaticWorld) -> None:
    run = simulate_shards(small_world, "sundog", shards=4, budget=500)
    owners = [Owners(4).of(small_world.url(page)) for page in run.trace.pages.tolist()]
    assert tuple(np.bincount(owners, minlength=4)) == run.shard_fetches
    assert run.crossed > 0


@pytest.mark.parametrize("policy", ["sundog", "anthelion", "thompson"])
def test_same_seed_same_crawl(policy: str, small_world: StaticWorld) -> None:
    first, second = (simulate_shards(small_world, policy, shards=4, budget=300, seed=3) for _ in range(2))
    assert first.trace.pages.tolist() == second.trace.pages.tolist()
    assert np.array_equal(first.trace.estimates, second.trace.estimates)


def test_one_shard_alone_chooses_as_a_session_does(small_world: StaticWorld) -> None:
    one = simulate(small_world, "sundog", budget=400)
    run = simulate_shards(small_world, "sundog", shards=1, budget=400)
    assert run.trace.pages.tolist() == one.trace.pages.tolist()


def test_without_leases_everybody_gets_the_same(small_world: StaticWorld) -> None:
    run = simulate_shards(small_world, "sundog", shards=4, budget=202, lease_budget=False)
    assert max(run.shard_fetches) <= 51
    leased = simulate_shards(small_world, "sundog", shards=4, budget=202)
    assert max(leased.shard_fetches) > 51


def test_without_shared_learning_the_crawl_is_another(small_world: StaticWorld) -> None:
    together = simulate_shards(small_world, "sundog", shards=4, budget=300, exchange=10)
    alone = simulate_shards(small_world, "sundog", shards=4, budget=300, exchange=10, share_learning=False)
    assert together.trace.pages.tolist() != alone.trace.pages.tolist()
    assert alone.learns_alone


def test_who_cannot_share_learns_alone_and_says_so(small_world: StaticWorld) -> None:
    run = simulate_shards(small_world, "anthelion", shards=3, budget=100, learner="svm")
    assert "cannot share" in run.learns_alone


def test_the_json_has_all_of_a_run_and_its_shards(small_world: StaticWorld) -> None:
    run = simulate_shards(small_world, "bfs", shards=3, budget=100)
    document = json.loads(json.dumps(run.as_json()))
    one = simulate(small_world, "bfs", budget=100)
    assert set(one.as_json()) < set(document)
    assert document["shards"] == 3
    assert sum(document["shard_fetches"]) == document["fetched"] == 100
    assert len(document["curve"]) >= 50
    assert isinstance(run, ShardedRun)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"policy": "ldcoc"}, "'ldcoc' is not simulated in shards"),
        ({"shards": 0}, "from 1 to"),
        ({"exchange": 0}, "at least 1"),
        ({"start": "random:3"}, "pages that are named"),
        ({"budget": 10**9}, "larger than the world"),
    ],
)
def test_what_cannot_be_simulated_is_refused(
    options: dict[str, object], complaint: str, small_world: StaticWorld
) -> None:
    given: dict[str, object] = {"policy": "bfs", "shards": 2, "budget": 10, **options}
    with pytest.raises(UsageError, match=complaint):
        simulate_shards(small_world, **given)  # type: ignore[arg-type]


def test_a_shard_knows_of_pages_what_the_world_does(small_world: StaticWorld) -> None:
    source, world = ShardSource(small_world), small_world.facts
    rows = np.array([5, 900, 5, 17], np.int32)
    ids = source.intern(rows)
    assert ids.tolist() == [0, 1, 0, 2]
    assert source.intern(np.array([17, 3], np.int32)).tolist() == [2, 3]
    for candidate, row in enumerate((5, 900, 17, 3)):
        assert source.url(candidate) == small_world.url(row)
        host = int(source.facts.host[candidate])
        assert source.host_name(host) == small_world.host_name(int(world.host[row]))
        assert source.facts.shape[candidate].tolist() == world.shape[row].tolist()
        own = source.facts.path_tokens[source.facts.path_start[candidate] : source.facts.path_start[candidate + 1]]
        assert own.tolist() == world.path_tokens[world.path_start[row] : world.path_start[row + 1]].tolist()
