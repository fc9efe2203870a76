"""The gate by itself: what was asked, robots.txt, the rest of hosts, redirects."""

from __future__ import annotations

from sundog.engines.live.gate import Gate, Go, Later, Never, RulesFirst
from sundog.fetch.fetcher import Fetcher
from sundog.fetch.pace import Manners, Pace
from sundog.fetch.polite import PoliteFetcher
from sundog.fetch.robots import Robots
from sundog.fetch.values import trouble

URL, HOST = "http://a.example/x", "a.example"


def gate(*, robots: bool = True, delay: float = 1.0) -> Gate:
    fetcher = Fetcher(connect_to=("127.0.0.1", 9))
    pace = Pace(Manners(delay=delay))
    return Gate(
        PoliteFetcher(fetcher, pace=pace, robots=Robots(fetcher.agent) if robots else None), avoid_traps=True
    )


def test_a_gate_asks_for_rules_first() -> None:
    it = gate()
    assert type(it.verdict(URL, HOST, 5.0)) is RulesFirst
    it._polite.robots.read("http://a.example", "User-agent: *\nDisallow: /secret", 5.0)  # type: ignore[union-attr]
    assert type(it.verdict(URL, HOST, 5.0)) is Go
    assert it.verdict("http://a.example/secret/1", HOST, 5.0) == Never("robots: forbidden")
    assert type(it.verdict("https://a.example/", HOST, 5.0)) is RulesFirst, "another origin"


def test_a_gate_lets_hosts_rest() -> None:
    it = gate(robots=False)
    pace = it._polite.pace
    pace.started(HOST, 5.0)
    pace.finished(HOST, 5.2, "good")
    assert it.verdict(URL, HOST, 5.5) == Later(6.2)
    assert type(it.verdict(URL, HOST, 6.2)) is Go


def test_a_gate_waits_for_rules_and_then_gives_up() -> None:
    it, now = gate(), 0.0
    robots = it._polite.robots
    assert robots is not None
    for wait in (60.0, 120.0):
        robots.learn("http://a.example", trouble("http-5xx"), now)
        assert it.verdict(URL, HOST, now) == Later(now + wait)
        now += wait
        assert type(it.verdict(URL, HOST, now)) is RulesFirst
    robots.learn("http://a.example", trouble("http-5xx"), now)
    assert it.verdict(URL, HOST, now) == Later(float("inf"))


def test_a_gate_knows_what_was_asked() -> None:
    it = gate(robots=False)
    assert it.may_redirect("http://a.example/old", URL)
    assert not it.may_redirect("http://a.example/older", URL), "somebody is there"
    assert it.may_redirect("http://a.example/old", URL), "the same page, tried again"
    assert it.verdict(URL, HOST, 0.0) == Never(
        "duplicate: asked before, by a redirect, with the other of http and https, or in another spelling"
    )
    it.unmark_redirect_target("http://a.example/older", URL)
    assert not it.may_redirect("http://a.example/older", URL)
    it.unmark_redirect_target("http://a.example/old", URL)
    assert type(it.verdict(URL, HOST, 0.0)) is Go
    it.mark_asked("http://a.example/2")
    assert not it.may_redirect(URL, "http://a.example/2")


def test_a_page_is_the_same_with_http_and_https() -> None:
    it = gate(robots=False)
    it.mark_asked("http://a.example/1")
    assert isinstance(it.verdict("https://a.example/1", HOST, 0.0), Never)
    assert it.may_redirect("http://a.example/1", "https://a.example/1"), "a redirect to the other one is followed"
    it.unmark_redirect_target("http://a.example/1", "https://a.example/1")
    assert isinstance(it.verdict("https://a.example/1", HOST, 0.0), Never), "it was asked all the same"


def test_a_further_visit_of_a_page_does_not_keep_it_from_its_own() -> None:
    """Further visits are not marked as asked; what they were worth is learned under the page's URL."""
    it = gate(robots=False)
    it.learn(URL, None, 1.0)
    assert type(it.verdict(URL, HOST, 0.0)) is Go
    it.learn("http://a.example/[x]", None, 1.0)
    assert type(it.verdict("http://a.example/%5Bx%5D", HOST, 0.0)) is Never, "another spelling of it"
