"""Where links have scores, `sundog` mixes its index of hosts with experts for such graphs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sundog import CrawlSession, Decision, Failed, Fetched, Finished, Link, Refused, simulate
from sundog.errors import SundogError
from sundog.policies.graph.ensemble import CURIOSITY, Credit
from sundog.policies.mixed.chooser import REMEMBERED, MixedChooser
from sundog.policies.mixed.experts import Experts
from sundog.policies.mixed.regression import SWEPT
from tests.policies.graph.test_ensemble import static_world
from tests.policies.graph.test_exactness import World, world_of
from tests.policies.mixed.reference import NaiveRegression

SEEDS = (0, 1, 2)


def mixed(session: CrawlSession) -> MixedChooser:
    assert isinstance(session.chooser, MixedChooser)
    return session.chooser


def experts_of(session: CrawlSession) -> Experts:
    experts = mixed(session)._experts
    assert experts
    return experts


def begun(world: World, budget: int = 10_000) -> CrawlSession:
    session = CrawlSession(budget=budget)
    session.add([world.url(node) for node in SEEDS])
    return session


def node_of(decision: Decision) -> int:
    return int(decision.url.rpartition("/")[2])


def crawl(session: CrawlSession, world: World, steps: int, late: int = 1) -> list[int]:
    """The pages in the order of choice; ``late``: so many are in flight."""
    chosen, leased, rng = list[int](), list[Decision](), np.random.default_rng(7)
    for _ in range(steps):
        while len(leased) < late and isinstance(decision := session.next_decision(), Decision):
            chosen.append(node_of(decision))
            leased.append(decision)
        if not leased:
            break
        decision = leased.pop(int(rng.integers(len(leased))))
        session.observe(decision, world.page(node_of(decision)))
    return chosen


# --- beside the obvious program


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("size", [60, 400])
def test_the_regression_is_that_of_the_obvious_program_choice_by_choice(seed: int, size: int) -> None:
    """As long as no more pages wait than are rated at every choice, the best one is found as by a scan of all."""
    world = world_of(seed, size, 3, grid=False)
    session = begun(world)
    naive: NaiveRegression | None = None
    history, candidates = list[tuple[int, float, list[tuple[int, float]]]](), dict[int, int]()
    exact = 0
    for _ in range(size // 2):
        decision = session.next_decision()
        if not isinstance(decision, Decision):
            break
        session.give_back(decision)
        if mixed(session)._experts:
            rated = experts_of(session).rated
            if naive is None:  # it begins with what it would know had it been there from the beginning
                naive = NaiveRegression(rated._features_of)
                for one in history:
                    naive.take_in(*one)
            waiting = [one for one in range(session.source.size) if session.is_waiting(one)]
            ratings = [naive.rating(page) for page in waiting]
            assert rated.estimate(np.array(waiting, np.int32)) == pytest.approx(ratings, abs=1e-9)
            if len(waiting) <= SWEPT:
                exact += 1
                best = rated.best()
                assert naive.rating(best) == pytest.approx(max(ratings), abs=1e-9)
        decision = session.next_decision()
        assert isinstance(decision, Decision)
        page = world.page(node := node_of(decision))
        session.observe(decision, page)
        for link in page.links:
            assert isinstance(link, Link)
            [candidates[int(link.url.rpartition("/")[2])]] = session.source.add([link.url])  # type: ignore[attr-defined]
        links = [(candidates[to], score) for to, score in world.links[node]]
        history.append((decision.candidate, page.reward, links))
        if naive is not None:
            naive.take_in(*history[-1])
    assert exact > 10


@pytest.mark.parametrize("late", [1, 5])
def test_every_choice_is_the_best_of_the_expert_that_is_followed(late: int) -> None:
    world = world_of(5, 300, 4, grid=False)
    session, leased = begun(world), list[Decision]()
    for _ in range(320):
        while len(leased) < late:
            experts = mixed(session)._experts
            followed = experts.followed if experts else 0
            decision = session.next_decision()
            if not isinstance(decision, Decision):
                break
            if experts:
                assert experts._agreed[decision.candidate][followed]
                assert decision.propensity == 1.0
            leased.append(decision)
        if not leased:
            break
        decision = leased.pop(0)
        session.observe(decision, world.page(node_of(decision)))
    assert not experts_of(session)._agreed
    assert isinstance(session.next_decision(), Finished)


# --- when it begins


def test_without_scored_links_nothing_changes() -> None:
    world = world_of(3, 300, 5, grid=True)
    plain = world._replace(links=[[(to, 0.0) for to, _ in links] for links in world.links])
    sessions = CrawlSession(budget=250), CrawlSession(budget=250, neighbours=False)
    for session in sessions:
        session.add([plain.url(node) for node in SEEDS])
    one, other = (crawl(session, plain, 250) for session in sessions)
    assert one == other
    assert mixed(sessions[0])._experts is None
    assert len(mixed(sessions[0])._before) <= REMEMBERED


def test_the_parameter_keeps_the_experts_out() -> None:
    world = world_of(3, 300, 5, grid=True)
    session = CrawlSession(budget=100, neighbours=False)
    session.add([world.url(node) for node in SEEDS])
    crawl(session, world, 100)
    assert mixed(session)._experts is None


@pytest.mark.parametrize("plain", [1, 20])
def test_what_was_seen_before_the_first_scored_link_is_not_lost(plain: int) -> None:
    world = world_of(8, 300, 4, grid=True)
    session, rewards, leads = begun(world), dict[str, float](), dict[str, set[str]]()
    for step in range(plain + 1):
        decision = session.next_decision()
        assert isinstance(decision, Decision)
        page = world.page(node_of(decision))
        scored = 1.0 if step == plain else 0.0
        links = [Link(link.url, score=scored) for link in page.links if isinstance(link, Link)]
        links.append(Link(f"http://h0.example/more/{step}", score=scored))
        session.observe(decision, page._replace(links=links))
        rewards[decision.url] = page.reward
        for link in links:
            leads.setdefault(link.url, set()).add(decision.url)
    nodes = experts_of(session).graph.graph.nodes
    for url, pages in leads.items():
        [candidate] = session.source.add([url])  # type: ignore[attr-defined]
        pages = pages - {url}
        assert nodes[candidate]["pages"] == len(pages)
        assert nodes[candidate]["sum_n"] == pytest.approx(sum(rewards[page] for page in pages))


def test_hosts_that_sleep_sleep_for_the_experts_too() -> None:
    world = world_of(8, 300, 3, grid=True)
    session = begun(world)
    session.rest(0, 100.0)
    hosts = set()
    for _ in range(60):
        decision = session.next_decision(1.0)
        assert isinstance(decision, Decision)
        hosts.add(decision.host_id)
        session.observe(decision, world.page(node_of(decision)))
    assert experts_of(session)
    assert 0 not in hosts
    awake = {d.host_id for _ in range(60) if isinstance(d := session.next_decision(101.0), Decision)}
    assert 0 in awake


# --- what every policy owes


def test_the_same_calls_give_the_same_crawl() -> None:
    world = world_of(9, 400, 4, grid=False)
    assert crawl(begun(world), world, 200, late=3) == crawl(begun(world), world, 200, late=3)


def test_leases_that_end_without_an_outcome_or_go_back() -> None:
    world = world_of(9, 200, 2, grid=True)
    session = begun(world)
    crawl(session, world, 30)
    first = session.next_decision()
    assert isinstance(first, Decision)
    session.give_back(first)
    again = session.next_decision()
    assert again == first
    queued = session.queued
    session.observe(first, Refused("robots.txt"))
    second = session.next_decision()
    assert isinstance(second, Decision)
    session.observe(second, Failed("gone"))
    experts = experts_of(session)
    assert session.queued == queued - 1 == experts.graph.queued == experts.rated.queued
    assert not experts._agreed


def test_near_misses_reach_the_experts_too() -> None:
    world = world_of(9, 200, 2, grid=True)
    session = begun(world)
    for _ in range(80):
        decision = session.next_decision()
        assert isinstance(decision, Decision)
        session.observe(decision, world.page(node_of(decision))._replace(reward=0.0, near=0.5))
    experts = experts_of(session)
    assert not experts._agreed
    assert session.queued == experts.graph.queued == experts.rated.queued > 0


def test_explain_says_what_the_decision_says() -> None:
    world = world_of(4, 300, 3, grid=False)
    session = begun(world)
    crawl(session, world, 60)
    decision = session.next_decision()
    assert isinstance(decision, Decision)
    session.give_back(decision)
    told = session.explain(decision.candidate)
    assert told.score == pytest.approx(decision.score)
    assert told.parts == pytest.approx(decision.parts)
    assert 0 <= told.estimate <= 1
    assert math.isnan(session.worth(decision.host_id))
    assert not session.chooser.scores_are_worths


def test_a_score_that_is_none_is_refused_and_nothing_is_counted() -> None:
    session = CrawlSession(budget=10)
    session.add(["http://a.example/"])
    decision = session.next_decision()
    assert isinstance(decision, Decision)
    with pytest.raises(SundogError, match="a score of -1"):
        session.observe(decision, Fetched(1.0, [Link("http://a.example/b", score=-1.0)]))
    assert session.fetched == 0
    session.observe(decision, Failed("internal"))
    assert session.fetched == 1


# --- the bound


@given(
    st.lists(st.tuples(st.lists(st.booleans(), min_size=4, max_size=4), st.floats(0, 10)), min_size=1, max_size=60)
)
def test_who_is_followed_is_worth_little_less_than_the_best(credits: list[tuple[list[bool], float]]) -> None:
    """By at most ``CURIOSITY`` standard deviations of a reward."""
    credit = Credit(4, hope=1.0)
    for agreed, reward in credits:
        credit.give(agreed, reward)
    worths = [credit.worth(expert) for expert in range(4)]
    assert worths[credit.best(range(4))] >= max(worths) - CURIOSITY * credit._deviation() - 1e-9


def test_an_expert_that_is_worse_is_left_after_few_choices() -> None:
    """What the second one chooses brings 1, what the others choose brings nothing."""
    credit, lost = Credit(3, hope=1.0), 0
    for _ in range(300):
        followed = credit.best(range(3))
        lost += followed != 1
        credit.give([followed == expert for expert in range(3)], float(followed == 1))
    assert lost < 30


@pytest.mark.parametrize("rich_links", [True, False])
def test_it_is_about_as_good_as_the_best_of_its_experts(rich_links: bool) -> None:
    world = static_world(5, rich_links=rich_links)
    mean = {
        policy: np.mean([_found(world, policy, seed) for seed in range(4)])
        for policy in ("nh-n", "nh-e", "lnh-sum", "ensemble", "sundog")
    }
    assert mean["sundog"] > 0.92 * max(mean.values())


def _found(world: object, policy: str, seed: int) -> float:
    return simulate(world, policy, budget=600, objective="score", start="random:20", seed=seed).reward  # type: ignore[arg-type]
