"""HEAD requests that the driver of a session makes for it: when they are wanted, what they change and cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sundog import CrawlSession, Decision, Fetched, Finished, Link, Wait
from sundog.errors import SundogError, UsageError
from sundog.model import HeadResult, Refused

START = "http://start.example/start.ttl"


def test_former_names_work_for_one_release() -> None:
    with pytest.warns(DeprecationWarning, match="head_requests"):
        session = CrawlSession(policy="ldspider", budget=10, looks=True)
    session.add(["http://a.example/x"])
    decision = session.next_decision()
    assert isinstance(decision, Decision)
    with pytest.warns(DeprecationWarning, match="wants_head"):
        assert session.is_look(decision) == session.wants_head(decision)
    with pytest.warns(DeprecationWarning, match="observe_head"):
        session.looked(decision, HeadResult("text/turtle"))
    assert session.is_waiting(decision.candidate)


def targets(count: int, host: str = "h{}.example") -> list[Link]:
    return [Link(f"http://{host.format(n)}/{n}", property="http://v.example/p") for n in range(count)]


def session_of(links: list[Link], **more: Any) -> CrawlSession:
    """One that has fetched a start, whose extension is RDF's, with these links."""
    session = CrawlSession(**{"policy": "ldspider", "budget": 1_000, "head_requests": True, **more})
    session.add([START])
    first = session.next_decision()
    assert isinstance(first, Decision)
    assert not session.wants_head(first)
    session.observe(first, Fetched(1.0, links))
    return session


def drive(session: CrawlSession, answer: Callable[[str], HeadResult]) -> tuple[list[str], list[str], str]:
    """URLs that were asked about and fetched, in their order, and why it ended."""
    asked, fetched = [], []
    while isinstance(decision := session.next_decision(), Decision):
        if session.wants_head(decision):
            asked.append(decision.url)
            session.observe_head(decision, answer(decision.url))
        else:
            fetched.append(decision.url)
            session.observe(decision, Fetched(0.0))
    assert isinstance(decision, Finished)
    return asked, fetched, decision.reason


def test_types_decide_what_is_fetched_first() -> None:
    links = targets(9)
    kinds = ["text/html", "Text/Turtle; charset=utf-8", None]
    asked, fetched, reason = drive(session_of(links), lambda url: HeadResult(kinds[int(url[-1]) % 3]))
    urls = [link.url for link in links]
    assert asked == urls
    assert fetched == urls[1::3] + urls[0::3] + urls[2::3]  # RDF, pages, then what is gone
    assert reason == "frontier empty"


def test_uris_with_a_hint_and_those_of_ldcoc_without_head_are_not_asked_about() -> None:
    hinted = [Link(f"http://h.example/{n}.{end}") for n, end in enumerate(["rdf", "jpg", "ttl"])]
    assert drive(session_of(hinted), lambda url: HeadResult(None))[0] == []
    assert drive(session_of(targets(5), policy="ldcoc"), lambda url: HeadResult(None))[0] == []
    asked, fetched, _ = drive(
        session_of(targets(5), policy="ldcoc", head=0.2), lambda url: HeadResult("text/turtle")
    )
    assert asked == fetched == [link.url for link in targets(5)]


def test_each_costs_its_share() -> None:
    session = session_of(targets(100), budget=31, head=0.5)
    asked, fetched, reason = drive(session, lambda url: HeadResult("text/turtle"))
    assert (len(asked), len(fetched), reason) == (20, 20, "budget")
    session.extend(33)
    assert isinstance(session.next_decision(), Decision)


@pytest.mark.parametrize("budget", [1, 2, 3, 7])
def test_no_budget_is_overspent_or_left_for_want_of_a_head_request(budget: int) -> None:
    session = CrawlSession(policy="ldspider", budget=budget, head=0.3, head_requests=True)
    session.add([link.url for link in targets(20)])
    asked, fetched, reason = drive(session, lambda url: HeadResult("text/turtle"))
    assert budget - 1 < len(fetched) + 0.3 * len(asked) <= budget
    assert reason == "budget"


def test_a_host_that_refuses_is_not_asked_again() -> None:
    links = [*targets(5, "no.example"), *targets(5, "yes.example")]
    refuses = HeadResult("", refused=True)
    asked, fetched, _ = drive(session_of(links), lambda url: refuses if "no" in url else HeadResult("text/html"))
    assert [url for url in asked if "no" in url] == [links[0].url]
    assert fetched == [link.url for link in links]  # as if there were no HEAD requests; then the pages


def test_one_that_says_nothing_is_as_hard_as_before() -> None:
    links = targets(4)
    asked, fetched, _ = drive(session_of(links), lambda url: HeadResult(""))
    assert asked == fetched == [link.url for link in links]


def test_a_head_request_can_be_given_back_refused_or_replaced_by_a_fetch() -> None:
    session = session_of(targets(3))
    first = session.next_decision()
    assert isinstance(first, Decision)
    session.give_back(first)
    again = session.next_decision()
    assert isinstance(again, Decision)
    assert session.wants_head(again)
    assert again.url == first.url
    assert session.observe(again, Fetched(1.0)).relevant
    other = session.next_decision()
    assert isinstance(other, Decision)
    session.observe(other, Refused("robots"))
    assert not session.wants_head(session.lease(session.source.add(["http://h2.example/2"])[0]))  # type: ignore[attr-defined]
    assert session.in_flight == 1
    assert session.fetched == 2


def test_what_was_put_off_waits_for_head_requests() -> None:
    """However they end, nothing is put off for ever."""
    session = session_of(targets(6))
    heads = [session.next_decision() for _ in range(6)]
    session.observe_head(heads[0], HeadResult("text/html"))  # type: ignore[arg-type]
    assert session.next_decision() == Wait(None)
    for head in heads[1:3]:
        session.observe(head, Refused("robots"))  # type: ignore[arg-type]
    session.observe(heads[3], Fetched(1.0))  # type: ignore[arg-type]
    session.observe_head(heads[4], HeadResult(None))  # type: ignore[arg-type]
    assert session.next_decision() == Wait(None)
    session.give_back(heads[5])  # type: ignore[arg-type]
    assert drive(session, lambda url: HeadResult("text/turtle"))[1] == [
        targets(6)[place].url for place in (5, 0, 4)
    ]


def test_a_type_is_learned_from() -> None:
    """Nothing else tells them apart; pages with RDF inside are declared as one of two types."""
    links = targets(400, "h.example")
    kinds = ["text/html", "application/xhtml+xml"]
    session = session_of(links, policy="ldcoc", head=0.01, budget=200)
    relevant = 0
    while isinstance(decision := session.next_decision(), Decision):
        odd = int(decision.url.rpartition("/")[2]) % 2
        if session.wants_head(decision):
            session.observe_head(decision, HeadResult(kinds[odd]))
        else:
            session.observe(decision, Fetched(1.0 * odd))
            relevant += odd
    assert relevant / session.fetched > 0.75


def test_any_number_of_types_can_be_observed() -> None:
    links = targets(3_000)
    asked, fetched, _ = drive(session_of(links, budget=9_000), lambda url: HeadResult("x/" + url))
    assert len(asked) == len(fetched) == 3_000


def test_a_policy_without_head_requests_takes_no_results() -> None:
    session = CrawlSession(policy="bfs", budget=3, head_requests=True)
    session.add([START])
    decision = session.next_decision()
    assert isinstance(decision, Decision)
    assert not session.wants_head(decision)
    with pytest.raises(SundogError, match="makes no HEAD requests"):
        session.observe_head(decision, HeadResult(None))
    with pytest.raises(UsageError, match="live crawl"):
        CrawlSession(policy="ldcoc", budget=3, head=0.1)
