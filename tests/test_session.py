"""The session as an engine meets it: leases, budget, sleep, late feedback, a growing catalog."""

from __future__ import annotations

import math
from collections import deque

import numpy as np
import pytest

from sundog import CrawlSession, Decision, Failed, Fetched, Finished, HeadResult, Link, Refused, SundogError, Wait
from sundog.errors import UsageError
from sundog.frontier.catalog import Catalog
from sundog.policies.hosts.chooser import HostChooser
from sundog.policies.hosts.python_estimators import TreeEstimator
from sundog.policies.presets import POLICIES

LIVE = [name for name, policy in POLICIES.items() if not policy.foresees]  # an oracle needs a world
A, B = "http://a.example/", "http://b.example/"


def session_of(*urls: str, policy: str = "bfs", budget: int = 100, **parameters: object) -> CrawlSession:
    session = CrawlSession(policy=policy, budget=budget, **parameters)
    session.add(urls)
    return session


def choose(session: CrawlSession, now: float = 0.0) -> Decision:
    decision = session.next_decision(now)
    assert isinstance(decision, Decision)
    return decision


def pages(host: str, count: int) -> list[str]:
    return [f"http://{host}.example/page/{i}" for i in range(count)]


# --- leases


@pytest.mark.parametrize("policy", LIVE)
def test_nothing_is_leased_twice(policy: str) -> None:
    session = session_of(*pages("a", 7), *pages("b", 7), policy=policy)
    chosen = [choose(session).url for _ in range(14)]
    assert sorted(chosen) == sorted(pages("a", 7) + pages("b", 7))
    assert session.next_decision() == Wait(None)
    assert (session.in_flight, session.queued) == (14, 0)


def test_a_decision_is_observed_once() -> None:
    session = session_of(A)
    decision = choose(session)
    session.observe(decision, Fetched(1.0))
    with pytest.raises(SundogError, match=A):
        session.observe(decision, Fetched(1.0))
    with pytest.raises(SundogError, match=A):
        session.give_back(decision)
    assert (session.fetched, session.relevant, session.in_flight) == (1, 1, 0)


def test_a_decision_is_given_back_once() -> None:
    session = session_of(A)
    decision = choose(session)
    session.give_back(decision)
    with pytest.raises(SundogError, match=A):
        session.give_back(decision)
    with pytest.raises(SundogError, match=A):
        session.observe(decision, Failed("timeout"))
    assert (session.fetched, session.in_flight, session.queued) == (0, 0, 1)


@pytest.mark.parametrize("policy", LIVE)
def test_what_is_given_back_is_chosen_again_and_costs_nothing(policy: str) -> None:
    session = session_of(A, policy=policy, budget=1)
    for _ in range(5):
        decision = choose(session)
        assert decision.url == A
        session.give_back(decision)
    session.observe(choose(session), Fetched(0.0))
    assert session.next_decision() == Finished("budget")


@pytest.mark.parametrize("policy", ["bfs", "success-rate", "naive-bayes", "sundog"])
def test_giving_back_leaves_no_trace_in_the_choice(policy: str) -> None:
    session = session_of(*pages("a", 3), *pages("b", 3), policy=policy)
    session.observe(choose(session), Fetched(1.0))
    first = choose(session)
    session.give_back(first)
    second = choose(session)
    assert (second.candidate, second.score) == (first.candidate, first.score)


# --- outcomes


def test_a_refusal_costs_no_budget_and_teaches_nothing() -> None:
    session = session_of(*pages("a", 2), policy="success-rate", budget=1)
    step = session.observe(choose(session), Refused("robots.txt"))
    assert (step.relevant, step.discovered) == (False, 0)
    assert session.fetched == 0
    decision = choose(session)
    assert decision.score == 1.0  # (good + 1)/(bad + 1) of a host of which nothing is known
    session.observe(decision, Fetched(1.0))
    assert session.next_decision() == Finished("budget")


def test_a_failure_costs_budget_and_counts_as_irrelevant() -> None:
    session = session_of(*pages("a", 3), policy="success-rate")
    step = session.observe(choose(session), Failed("timeout"))
    assert step.relevant is False
    assert (session.fetched, session.relevant, session.reward) == (1, 0, 0.0)
    assert choose(session).score == 0.5


@pytest.mark.parametrize("policy", ["bfs", "sundog", "thompson"])
@pytest.mark.parametrize("reward", [math.nan, -0.5, math.inf])
def test_a_reward_that_is_no_number_from_0_on_is_refused_and_changes_nothing(policy: str, reward: float) -> None:
    session = session_of(A, B, policy=policy)
    decision = choose(session)
    with pytest.raises(SundogError, match=f"{reward} for {decision.url}"):
        session.observe(decision, Fetched(reward, [Link("http://c.example/")]))
    assert (session.fetched, session.reward, session.in_flight, session.queued) == (0, 0.0, 1, 1)
    session.observe(decision, Fetched(1.0))
    assert (session.fetched, session.reward, session.in_flight) == (1, 1.0, 0)


def test_sundog_prefers_the_host_with_the_higher_graded_rewards() -> None:
    session = session_of(*pages("poor", 60), *pages("rich", 60), policy="sundog", budget=60)
    rewards = {"poor.example": 0.3, "rich.example": 5.0}
    hosts = []
    for _ in range(60):
        decision = choose(session)
        hosts.append(decision.host)
        session.observe(decision, Fetched(rewards[decision.host]))
    assert hosts[20:].count("rich.example") > 35
    assert session.reward == pytest.approx(sum(rewards[host] for host in hosts))
    assert session.relevant == 60


# --- the end


def test_a_spent_budget_is_not_an_empty_frontier() -> None:
    session = session_of(A, B, budget=1)
    session.observe(choose(session), Fetched(1.0))
    assert session.next_decision() == Finished("budget")
    session = session_of(A, budget=2)
    session.observe(choose(session), Fetched(1.0))
    assert session.next_decision() == Finished("frontier empty")
    assert CrawlSession(policy="bfs", budget=1).next_decision() == Finished("frontier empty")


def test_while_fetches_are_in_flight_nothing_is_finished() -> None:
    session = session_of(A)
    decision = choose(session)
    assert session.next_decision() == Wait(None)
    session.observe(decision, Fetched(1.0, [Link(B)]))
    assert choose(session).url == B


def test_fetches_in_flight_count_against_the_budget() -> None:
    session = session_of(A, B, budget=1)
    decision = choose(session)
    assert session.next_decision() == Wait(None)
    session.observe(decision, Refused("scope"))
    assert choose(session).url == B


# --- seeds


def test_a_url_given_twice_is_one_candidate() -> None:
    session = CrawlSession(policy="bfs", budget=9)
    assert session.add([A, B, A]) == 2
    assert session.add([B]) == 0
    assert session.add([]) == 0
    step = session.observe(choose(session), Fetched(1.0, [Link(A), Link(B), Link(A + "new"), Link(A + "new")]))
    assert step.discovered == 1
    assert (session.queued, session.hosts_found) == (2, 2)


def test_a_page_that_was_fetched_is_not_offered_again() -> None:
    session = session_of(A)
    session.observe(choose(session), Fetched(1.0, [Link(A)]))
    assert session.add([A]) == 0
    assert session.next_decision() == Finished("frontier empty")


# --- sleep


@pytest.mark.parametrize("policy", LIVE)
def test_a_host_asleep_is_passed_over_until_it_wakes(policy: str) -> None:
    session = session_of(*pages("a", 3), *pages("b", 3), policy=policy)
    first = choose(session)
    session.observe(first, Fetched(1.0))
    session.rest(first.host_id, until=10.0)
    for _ in range(3):
        other = choose(session, now=1.0)
        assert other.host != first.host
        session.observe(other, Fetched(0.0))
    assert session.next_decision(now=9.9) == Wait(10.0)
    assert choose(session, now=10.0).host == first.host


def test_the_wait_is_for_the_first_host_to_wake() -> None:
    session = session_of(A, B)
    first, second = choose(session), choose(session)
    for decision, until in ((first, 7.0), (second, 5.0)):
        session.give_back(decision)
        session.rest(decision.host_id, until)
    assert session.next_decision(now=1.0) == Wait(5.0)
    assert choose(session, now=6.0).host == second.host
    assert session.next_decision(now=6.0) == Wait(7.0)


@pytest.mark.parametrize("until", [3.0, 5.0])
def test_of_several_words_on_a_hosts_sleep_the_last_one_counts(until: float) -> None:
    session = session_of(*pages("a", 2))
    host = choose(session).host_id
    session.rest(host, 8.0 - until)
    session.rest(host, until)
    assert isinstance(session.next_decision(now=until - 0.5), Wait)
    assert choose(session, now=until).host_id == host


def test_a_host_that_sleeps_without_end_wakes_on_another_word() -> None:
    session = session_of(*pages("a", 2))
    session.give_back(first := choose(session))
    session.rest(first.host_id, math.inf)
    assert session.next_decision(now=1e12) == Wait(None)
    session.rest(first.host_id, 1.0)
    assert choose(session, now=2.0).host_id == first.host_id


def test_a_page_chosen_elsewhere_can_be_leased() -> None:
    session = session_of(*pages("a", 3))
    decision = session.lease(1)
    assert (decision.url, session.in_flight) == (pages("a", 3)[1], 1)
    with pytest.raises(SundogError, match="does not wait"):
        session.lease(1)
    assert session.observe(decision, Fetched(1.0)).relevant
    assert {choose(session).candidate for _ in range(2)} == {0, 2}


@pytest.mark.parametrize("policy", LIVE)
def test_a_budget_can_be_extended(policy: str) -> None:
    session = session_of(*pages("a", 4), policy=policy, budget=1)
    session.observe(choose(session), Fetched(1.0))
    assert session.next_decision() == Finished("budget")
    session.extend(3)
    for _ in range(2):
        session.observe(choose(session), Fetched(0.0))
    assert session.next_decision() == Finished("budget")


def test_links_found_to_a_host_asleep_wait_too() -> None:
    session = session_of(A, B)
    first, second = choose(session), choose(session)
    session.observe(first, Fetched(1.0))
    session.rest(first.host_id, 5.0)
    assert session.observe(second, Fetched(1.0, [Link(A + "x")])).discovered == 1
    assert session.next_decision(now=0.0) == Wait(5.0)
    assert choose(session, now=5.0).url == A + "x"


def test_sleeping_hosts_without_candidates_keep_no_crawl_alive() -> None:
    session = session_of(A)
    decision = choose(session)
    session.observe(decision, Fetched(1.0))
    session.rest(decision.host_id, 100.0)
    assert session.next_decision(now=1.0) == Finished("frontier empty")


# --- late feedback


@pytest.mark.parametrize("policy", LIVE)
def test_feedback_may_come_late_and_in_any_order(policy: str) -> None:
    rng = np.random.default_rng(5)
    session = session_of("http://h0.example/", policy=policy, budget=150)
    flight: deque[Decision] = deque()
    seen: set[str] = set()
    while True:
        answer = session.next_decision()
        if isinstance(answer, Decision):
            assert answer.url not in seen
            seen.add(answer.url)
            flight.append(answer)
            if len(flight) < 20:
                continue
        elif isinstance(answer, Finished):
            break
        flight.rotate(int(rng.integers(len(flight))))
        decision = flight.popleft()
        links = [Link(f"http://h{rng.integers(30)}.example/p/{rng.integers(40)}") for _ in range(8)]
        session.observe(decision, Fetched(float(rng.random() < 0.4), links))
    assert answer == Finished("budget")
    assert (session.fetched, session.in_flight, len(flight), len(seen)) == (150, 0, 0, 150)


def test_a_policy_without_head_requests_refuses_their_results() -> None:
    session = session_of(*pages("a", 2), policy="bfs")
    decision = choose(session)
    assert not session.wants_head(decision)
    with pytest.raises(SundogError, match="makes no HEAD requests"):
        session.observe_head(decision, HeadResult("text/turtle"))
    assert session.in_flight == 1
    session.observe(decision, Fetched(1.0))
    with pytest.raises(SundogError, match="is not leased"):
        session.observe_head(decision, HeadResult("text/turtle"))


def test_the_best_hosts_queues_are_shown() -> None:
    session = session_of(*pages("a", 2), *pages("b", 4), *pages("c", 3), policy="bfs")
    session.observe(choose(session), Fetched(1.0))
    session.rest(1, 60.0)
    session.rest(2, math.inf)
    assert session.host_queues(2) == [("a.example", 1, None), ("b.example", 4, 60.0)]
    assert session.host_queues(9)[2] == ("c.example", 3, math.inf)
    assert session_of(*pages("a", 2), policy="nh-n").host_queues(9) == []


# --- decisions


@pytest.mark.parametrize("policy", LIVE)
def test_every_decision_explains_itself(policy: str) -> None:
    session = session_of(*pages("a", 20), *pages("b", 20), policy=policy)
    for i in range(30):
        decision = choose(session)
        assert list(decision.parts) == ["classifier", "host", "group", "exploration"]
        assert all(math.isfinite(part) for part in (decision.score, decision.estimate, *decision.parts.values()))
        assert 0 < decision.propensity <= 1
        assert decision.url.startswith(f"http://{decision.host}/")
        session.observe(decision, Fetched(float(i % 3 == 0)))


def test_anthelions_propensity_is_exact() -> None:
    session = session_of(*(f"http://h{i}.example/{j}" for i in range(10) for j in range(9)), policy="anthelion")
    chooser, kinds = session.chooser, set()
    assert isinstance(chooser, HostChooser)
    for fetches in range(60):
        arms, hosts = chooser._frontier.arms[:10], chooser._frontier.hosts[:10]
        ready = np.flatnonzero(arms["size"] > 0)
        rates = (hosts["good"] + 1) / (hosts["tried"] - hosts["good"] + 1)
        argmax = ready[np.argmax(rates[ready])]
        share = 0.5 * 10_000 / (fetches + 10_000)
        decision = choose(session)
        is_argmax = decision.host_id == argmax
        assert decision.propensity == pytest.approx(share / len(ready) + (1 - share) * is_argmax, rel=1e-12)
        kinds.add(is_argmax)
        session.observe(decision, Fetched(float(decision.host_id < 3)))
    assert kinds == {True, False}


def test_thompsons_propensity_counts_both_ways_to_an_arm() -> None:
    session = session_of(A, B, policy="thompson", **{"lambda": 0.5})
    for _ in range(20):  # two hosts of equal record: half of all choices, however they are made
        decision = choose(session)
        assert decision.propensity == pytest.approx(0.5, rel=1e-6)
        session.give_back(decision)


def test_estimates_are_probabilities_and_change_nothing() -> None:
    session = session_of(*pages("a", 5), policy="naive-bayes")
    session.observe(choose(session), Fetched(1.0))
    before = session.estimate(range(5))
    assert np.all((before > 0) & (before < 1))
    assert np.array_equal(before, session.estimate(range(5)))


# --- a growing catalog


@pytest.mark.parametrize("policy", LIVE)
def test_thousands_of_urls_on_many_hosts_come_in_through_links(policy: str) -> None:
    rng = np.random.default_rng(11)
    session = session_of(A, policy=policy, budget=60)
    offered = {A}
    for _ in range(60):
        decision = choose(session)
        links = [
            Link(f"http://h{host}.example/{kind}/{page}?id={page}", f"text {page}", f"body div.k{kind} a")
            for host, kind, page in rng.integers([900, 5, 300], size=(100, 3)).tolist()
        ]
        new = {link.url for link in links} - offered
        step = session.observe(decision, Fetched(float(rng.random() < 0.3), links))
        assert step.discovered == len(new)
        offered |= new
    assert len(offered) > 5000
    assert session.queued == len(offered) - 60
    assert session.hosts_found == len({url.split("/")[2] for url in offered})
    assert session.next_decision() == Finished("budget")


@pytest.mark.parametrize("policy", ["bfs", "sundog", "thompson"])
def test_one_page_may_have_thousands_of_links(policy: str) -> None:
    session = session_of(A, policy=policy)
    links = [Link(f"http://h{i % 700}.example/{i}") for i in range(5000)]
    assert session.observe(choose(session), Fetched(1.0, links)).discovered == 5000
    assert session.queued == 5000


@pytest.mark.parametrize(
    "url", ["", "no url at all", "http://", "http:///x", "ftp://ü.example/ß?q=é#f", "x" * 9000]
)
def test_texts_that_are_hardly_urls_do_no_harm(url: str) -> None:
    session = session_of(url, A, policy="sundog", normalise=False)
    assert {choose(session).url, choose(session).url} == {url, A}


# --- requests that are wrong


@pytest.mark.parametrize("policy", ["oracle", "steered-oracle"])
def test_an_oracle_works_in_simulation_only(policy: str) -> None:
    with pytest.raises(UsageError, match="simulation only"):
        CrawlSession(policy=policy, budget=1)


def test_an_unknown_parameter_is_named_with_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"'decai'.*did you mean 'decay'"):
        CrawlSession(policy="anthelion", budget=1, decai=5)


@pytest.mark.parametrize("fresh", [False, True])
def test_a_tree_rates_a_queued_page_anew_only_if_fresh(fresh: bool) -> None:
    session = CrawlSession(policy="hoeffding-tree", budget=9, fresh=fresh)
    session.add(["http://a.example/", "http://b.example/"])
    rated: list[list[int]] = []
    assert isinstance(session.chooser, HostChooser)
    tree = session.chooser._python_estimator
    assert isinstance(tree, TreeEstimator)
    scores = tree.scores
    tree.scores = lambda ids: rated.append(list(ids)) or scores(ids)  # type: ignore[method-assign]
    for _ in range(2):
        decision = session.next_decision()
        assert isinstance(decision, Decision)
        session.observe(decision, Fetched(1.0, [Link("http://c.example/"), Link("http://d.example/")]))
    assert len(rated[0]) == 2
    assert (len(rated[1]) > 0) == fresh


# --- why


@pytest.mark.parametrize("policy", LIVE)
def test_a_page_that_waits_is_explained_without_changing_anything(policy: str) -> None:
    session = session_of(*pages("a", 4), *pages("b", 4), policy=policy)
    for _ in range(3):
        session.observe(decision := choose(session), Fetched(float("a." in decision.url)))
    before = session.estimate(range(8)).tolist()
    waiting = [candidate for candidate in range(8) if session.is_waiting(candidate)]
    said = [session.explain(candidate) for candidate in waiting]
    assert [each.candidate for each in said] == waiting
    assert all(math.isfinite(each.estimate) for each in said)
    assert session.estimate(range(8)).tolist() == before
    with pytest.raises(SundogError, match="does not wait"):
        session.explain(decision.candidate)


def test_what_is_said_of_the_next_choice_is_what_the_choice_says() -> None:
    session = session_of(*pages("a", 3), *pages("b", 3), policy="sundog")
    for _ in range(2):
        session.observe(decision := choose(session), Fetched(float("a." in decision.url)))
    session.give_back(following := choose(session))
    said = session.explain(following.candidate)
    assert said.parts == pytest.approx(following.parts)
    assert said.estimate == pytest.approx(following.estimate)


def test_the_worth_of_a_host_is_that_of_its_best_page_asleep_or_not() -> None:
    session = session_of(*pages("a", 6), *pages("b", 6), policy="sundog")
    for _ in range(4):
        session.observe(decision := choose(session), Fetched(float("a." in decision.url)))
    rich, poor = (session.source.facts.host.item(at) for at in (0, 6))
    assert session.worth(rich) > session.worth(poor)
    following = choose(session)
    session.give_back(following)
    assert session.worth(following.host_id) == pytest.approx(following.score)
    before = session.worth(rich)
    session.rest(rich, 10.0)
    assert session.worth(rich) == before
    assert math.isnan(session_of(A, policy="bfs").worth(0))


# --- links of Linked Data


def test_sundog_learns_from_rdf_properties_what_carries_over_to_new_hosts() -> None:
    session = session_of("http://data.example/", policy="sundog", budget=400)
    ways = {"data": "http://www.w3.org/2002/07/owl#sameAs", "page": "http://xmlns.com/foaf/0.1/homepage"}
    links = [Link(f"http://{kind}{n}.example/{n}", property=ways[kind]) for n in range(150) for kind in ways]
    session.observe(choose(session), Fetched(1.0, links))
    good = []
    for _ in range(100):
        decision = choose(session)
        good.append(decision.url.startswith("http://data"))
        session.observe(decision, Fetched(1.0 * good[-1]))
    assert sum(good[50:]) >= 45


def test_a_vocabulary_and_a_name_are_what_properties_share() -> None:
    catalog = CrawlSession(budget=1).source
    assert isinstance(catalog, Catalog)
    foaf, dc = "http://xmlns.com/foaf/0.1/", "http://purl.org/dc/terms/"
    name, knows, title, again = catalog.text_ids([f"{foaf}name", f"{foaf}knows", f"{dc}title", f"{dc}name"])
    whole, vocabulary, own = catalog.facts.text_hash.T
    assert vocabulary[name] == vocabulary[knows] != vocabulary[title]
    assert own[name] == own[again] != own[knows]
    assert len({whole[name], whole[knows], whole[title], whole[again]}) == 4


# --- what callers may get wrong


GOOD = Link("http://a.example/new")
WRONG_LINKS = [
    [GOOD, Link(None)],  # type: ignore[arg-type]
    [GOOD, Link("http://a.example/x", anchor=b"bytes")],  # type: ignore[arg-type]
    [GOOD, Link("http://a.example/x", property=7)],  # type: ignore[arg-type]
    ["http://a.example/x"],
    "http://a.example/x",
    [GOOD, None],
]


@pytest.mark.parametrize("policy", ["bfs", "sundog", "ldcoc"])
@pytest.mark.parametrize("links", WRONG_LINKS, ids=range(len(WRONG_LINKS)))
def test_a_link_that_is_none_changes_nothing(policy: str, links: object) -> None:
    session = session_of(A, policy=policy)
    decision = choose(session)
    known = session.source.size  # type: ignore[attr-defined]
    with pytest.raises(UsageError, match="link"):
        session.observe(decision, Fetched(1.0, links))  # type: ignore[arg-type]
    counts = (session.fetched, session.relevant, session.reward, session.in_flight, session.queued)
    assert counts == (0, 0, 0.0, 1, 0)
    assert session.source.size == known  # type: ignore[attr-defined]
    session.observe(decision, Failed("links that cannot be read"))
    assert (session.fetched, session.in_flight) == (1, 0)


def test_a_learner_that_fails_leaves_the_counts_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    session = session_of(A)
    decision = choose(session)

    def broken(*_: object) -> int:
        raise ValueError("broken")

    with monkeypatch.context() as patch:
        patch.setattr(session.chooser, "take_in", broken)
        with pytest.raises(ValueError, match="broken"):
            session.observe(decision, Fetched(1.0))
    assert (session.fetched, session.relevant, session.reward, session.in_flight) == (0, 0, 0.0, 1)
    assert session.observe(decision, Fetched(1.0)).relevant


def test_an_outcome_that_is_none_is_refused() -> None:
    session = session_of(A)
    with pytest.raises(UsageError, match="Fetched, Failed or Refused"):
        session.observe(choose(session), 1.0)  # type: ignore[arg-type]
    assert (session.fetched, session.in_flight) == (0, 1)


def test_one_url_is_no_list_of_urls() -> None:
    with pytest.raises(UsageError, match=r"\['http://a.example/'\]"):
        session_of().add(A)


@pytest.mark.parametrize("seed", ["", "a", "mailto:me@a.example", "/x", "ftp://a.example/", None, 7])
def test_a_seed_is_a_url_of_the_web(seed: str) -> None:
    session = session_of()
    with pytest.raises(UsageError, match="is no URL of the Web"):
        session.add([A, seed])
    assert session.queued == 0


@pytest.mark.parametrize("budget", [-1, 10**16, 10**21, 10**400, 1.5, math.nan, "5", None])
def test_a_budget_is_a_number_of_fetches(budget: int) -> None:
    with pytest.raises(UsageError, match="budget="):
        CrawlSession(budget=budget)
    session = session_of(A, budget=1)
    with pytest.raises(UsageError, match="budget="):
        session.extend(budget)
    assert session.budget == 1


# --- one name for one page


SPELLINGS = ["HTTP://A.example:80/x#f", "http://a.example/x", "http://a.example/./x?utm_source=y"]


def test_spellings_of_one_page_are_one_candidate() -> None:
    session = session_of(*SPELLINGS, A)
    assert session.queued == 2
    first = choose(session)
    assert first.url == "http://a.example/x"
    links = [*map(Link, SPELLINGS), Link("mailto:me@a.example"), Link("y"), Link("http://a.example/z#top")]
    assert session.observe(first, Fetched(1.0, links)).discovered == 1
    session.observe(choose(session), Fetched(0.0))
    assert choose(session).url == "http://a.example/z"


def test_names_of_nodes_are_taken_as_they_are_on_request() -> None:
    session = session_of("ada", "Ada", SPELLINGS[0], normalise=False)
    assert session.queued == 3
    session.observe(choose(session), Fetched(1.0, [Link("bob")]))
    assert [choose(session).url for _ in range(3)] == ["Ada", SPELLINGS[0], "bob"]


def test_engines_give_links_the_names_that_they_keep_in_their_logs() -> None:
    session = session_of()
    batch = session.intern([Link(url) for url in SPELLINGS])
    assert len(set(batch.targets.tolist())) == 3
    assert session.add_known(batch.targets) == 3
