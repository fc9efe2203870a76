"""Our own policy: its index, its parts, and that it is worth having."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from benchmarks.families.parts import part_of

from sundog import CrawlSession, Decision, Fetched, load_world, simulate
from sundog._jit import njit
from sundog.policies.hosts.gittins import first_success, gittins
from sundog.worlds.static import StaticWorld
from sundog.worlds.synthetic import generate, write

PARTS = ["classifier", "host", "group", "local", "ahead", "explore", "fresh"]
SEEDS = [1, 2, 3]
CHANCES = [0.01, 0.2, 0.5, 0.9]
STRENGTHS = [0.5, 1.0, 10.0]


@njit
def by_first_success(p: float, strength: float, pages: float) -> float:
    return first_success(p, strength, pages)


@njit
def by_gittins(p: float, strength: float, pages: float) -> float:
    return gittins(p, strength, pages)


@pytest.fixture(scope="module", params=SEEDS)
def world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> StaticWorld:
    directory: Path = tmp_path_factory.mktemp("sundog") / f"web{request.param}"
    write(generate("web2014", pages=3000, hosts=150, seed=request.param), directory)
    return load_world(directory)


# --- the indices


@pytest.mark.parametrize("p", CHANCES)
@pytest.mark.parametrize("strength", STRENGTHS)
def test_one_page_is_worth_its_chance(p: float, strength: float) -> None:
    assert by_first_success(p, strength, 1.0) == by_first_success(p, strength, 0.0) == p


@pytest.mark.parametrize("p", CHANCES)
@pytest.mark.parametrize("strength", STRENGTHS)
def test_the_index_grows_with_the_pages_to_the_chance_after_a_success(p: float, strength: float) -> None:
    after = (strength * p + 1) / (strength + 1)
    values = [by_first_success(p, strength, pages) for pages in (1.0, 2.0, 5.0, 50.0, 1e4, 1e9)]
    assert all(one < two for one, two in pairwise(values))
    assert all(p <= value < after for value in values)
    assert values[-1] == pytest.approx(after, rel=1e-6)


def test_what_is_well_known_is_hardly_worth_exploring() -> None:
    bonuses = [by_first_success(0.3, strength, 100.0) - 0.3 for strength in (1.0, 10.0, 100.0, 1e6)]
    assert bonuses == sorted(bonuses, reverse=True)
    assert bonuses[-1] < 1e-6


@pytest.mark.parametrize("p", CHANCES)
@pytest.mark.parametrize("strength", STRENGTHS)
def test_patience_grows_with_the_pages_and_never_passes_certainty(p: float, strength: float) -> None:
    values = [by_gittins(p, strength, pages) for pages in (1.0, 2.0, 5.0, 50.0, 1e4, 1e9)]
    assert values[0] == p
    assert all(one <= two + 0.02 for one, two in pairwise(values))  # the closed form has small steps
    assert all(p <= value <= 1.0 for value in values)


def test_one_success_in_three_is_worth_more_than_a_new_start() -> None:
    assert by_gittins(0.35, 4.0, 300.0) > by_first_success(0.05, 1.0, 300.0)


def test_a_long_record_is_taken_for_what_it_is() -> None:
    assert by_gittins(0.4, 200.0, 300.0) - 0.4 < 0.03


# --- its parts


@pytest.mark.parametrize("part", PARTS)
def test_every_part_that_is_switched_off_changes_choices(part: str, small_world: StaticWorld) -> None:
    whole = simulate(small_world, "sundog", budget=500)
    less = simulate(small_world, "sundog", budget=500, **{part: False})
    assert less.trace.pages.tolist() != whole.trace.pages.tolist()


def test_without_exploration_and_look_ahead_the_score_is_the_estimate(small_world: StaticWorld) -> None:
    session = CrawlSession(policy="sundog", budget=50, source=small_world, explore=False, ahead=False)
    session.add_known([0])
    for _ in range(50):
        decision = session.next_decision()
        assert isinstance(decision, Decision)
        assert decision.parts["exploration"] == 0.0
        session.observe(
            decision, Fetched(float(decision.candidate % 3 == 0), small_world.links_of(decision.candidate))
        )


def test_estimates_are_probabilities(small_world: StaticWorld) -> None:
    estimates = simulate(small_world, "sundog", budget=600).trace.estimates
    assert ((estimates > 0) & (estimates < 1)).all()


def test_a_record_of_failures_sends_it_to_another_template() -> None:
    session = CrawlSession(policy="sundog", budget=60)
    session.add([f"http://a.example/{kind}/{i}" for kind in ("login", "recipe") for i in range(60)])
    chosen = []
    for _ in range(60):
        decision = session.next_decision()
        assert isinstance(decision, Decision)
        chosen.append("recipe" in decision.url)
        session.observe(decision, Fetched(float(chosen[-1])))
    assert sum(chosen) > 50


# --- near misses


def test_of_hosts_without_a_hit_those_that_came_near_are_asked_again() -> None:
    session = CrawlSession(policy="sundog", budget=400)
    session.add([f"http://{host}.example/{i}" for i in range(40) for host in "abcdefgh"])
    chosen = []
    for _ in range(60):
        decision = session.next_decision()
        assert isinstance(decision, Decision)
        chosen.append(decision.host)
        session.observe(decision, Fetched(0.0, near=0.6 if decision.host == "e.example" else 0.0))
    assert set(chosen[:8]) == {f"{host}.example" for host in "abcdefgh"}
    asked = Counter(chosen)
    assert asked["e.example"] >= 3 + max(times for host, times in asked.items() if host != "e.example")


def test_of_hosts_never_visited_those_come_first_of_which_most_pages_are_known() -> None:
    def next_host(*batches: list[str]) -> str:
        session = CrawlSession(budget=9)
        for batch in batches:
            session.add(batch)
        decision = session.next_decision()
        assert isinstance(decision, Decision)
        return decision.host

    few, many = ["http://few.example/1"], [f"http://many.example/{i}" for i in range(4)]
    assert next_host(few, many) == next_host(many, few) == "many.example"
    assert next_host(few, many[:1]) == "few.example"
    assert next_host(few, [many[0]], [many[1]]) == "many.example"  # one page found later makes it twice as many


def test_a_near_miss_of_a_page_that_earns_something_changes_nothing() -> None:
    sessions = [CrawlSession(policy="sundog", budget=100) for _ in range(2)]
    for near, session in enumerate(sessions):
        session.add([f"http://{host}.example/{i}" for i in range(20) for host in "abc"])
        for number in range(30):
            decision = session.next_decision()
            assert isinstance(decision, Decision)
            session.observe(decision, Fetched(float(number % 2), near=near * 0.5 * (number % 2)))
    one, other = (session.next_decision() for session in sessions)
    assert isinstance(one, Decision)
    assert isinstance(other, Decision)
    assert one[:9] == other[:9]


class HostRecord:
    """What is known of one host whose pages are all alike: the formulas of ``appraise``, written again."""

    def __init__(self) -> None:
        self.outcomes: list[tuple[float, float]] = []

    def weighted(self, values: list[float]) -> float:
        """All of one template: n pages count as 3n / (n + 2)."""
        return sum(values) * 3 / (len(values) + 2)

    def rate(self, values: list[float]) -> float:
        """The base rate, when this host is the only one."""
        mean = sum(values) / len(values) if values else 0.0
        return min(max((mean + 0.5) / (2 if values else 1), 0.01), 0.99)

    def estimate(self) -> float:
        hits, near = [hit for hit, _ in self.outcomes], [max(pair) for pair in self.outcomes]
        prior_near, prior_hit = self.rate(near), self.rate(hits) / self.rate(near)
        comes_near = (self.weighted(near) + prior_near) / (self.weighted([1.0] * len(near)) + 1)
        return comes_near * (self.weighted(hits) + prior_hit) / (self.weighted(near) + 1)


def test_a_hosts_chance_is_that_of_coming_near_times_that_of_a_hit_among_what_does() -> None:
    session = CrawlSession(policy="sundog", budget=100, classifier=False, group=False, local=False, explore=False)
    session.add([f"http://a.example/{i}" for i in range(40)])
    record = HostRecord()
    for number in range(40):
        decision = session.next_decision()
        assert isinstance(decision, Decision)
        if number:
            assert decision.estimate == pytest.approx(record.estimate(), rel=1e-12)
        outcome = float(number % 5 == 4), number % 3 / 2
        session.observe(decision, Fetched(outcome[0], near=outcome[1]))
        record.outcomes.append((outcome[0], 0.0 if outcome[0] else outcome[1]))


# --- worth having


def test_it_beats_breadth_first_and_does_not_fall_behind_anthelion(world: StaticWorld) -> None:
    found = {name: simulate(world, name, budget=600).relevant for name in ("bfs", "anthelion", "sundog")}
    assert found["sundog"] > found["bfs"]
    assert found["sundog"] >= 0.95 * found["anthelion"]


def test_how_pages_and_hosts_are_numbered_changes_no_choice(small_world: StaticWorld) -> None:
    """Shards and replays number them as they find them, and must choose as a session of the whole world does."""
    pages = np.random.default_rng(1).permutation(np.arange(1, small_world.size))
    renumbered = part_of(small_world, np.concatenate([[0], pages]), "renumbered")
    chosen = []
    for world in (small_world, renumbered):
        run = simulate(world, "sundog", budget=1000, objective="any")
        chosen.append([(world.url(page), e) for page, e in zip(run.trace.pages, run.trace.estimates, strict=True)])
    assert chosen[0] == chosen[1]


# --- its groups


@pytest.mark.parametrize("steps", [0, 1, 40, 700])
def test_groups_count_what_waits_in_their_arms_and_only_of_hosts_about_to_be_visited(
    world: StaticWorld, steps: int
) -> None:
    session = CrawlSession(budget=1000, source=world)
    session.add_known([0])
    for number in range(steps):
        decision = session.next_decision()
        assert isinstance(decision, Decision)
        if number % 7 == 3:
            session.give_back(decision)
        else:
            session.observe(decision, Fetched(float(number % 3 == 0), world.links_of(decision.candidate)))
    frontier, hierarchy = session.chooser._frontier, session.chooser._hierarchy
    assert hierarchy is not None
    templates = hierarchy.templates
    waiting = [0] * len(templates.nodes)
    for arm in range(int(templates.counts[0])):
        groups = [int(node) for node in templates.arm_nodes[arm] if node >= 0]
        host = frontier.hosts[frontier.arms[arm]["host"]]
        assert bool(groups) == bool(host["opened"])
        assert host["opened"] or host["tried"] + host["pending"] == 0
        for node in groups:
            waiting[node] += int(frontier.arms[arm]["size"])
    assert waiting == templates.nodes["queued"].tolist()
