"""The parts of the engine by themselves."""

from __future__ import annotations

import math

from sundog.engines.live.gate import Gate, Go, Later, Never, RulesFirst
from sundog.engines.live.host_rest import WorthWaiting
from sundog.engines.live.pages.intake import observation_of_refusal, observation_of_trouble
from sundog.engines.live.pages.reading import read
from sundog.engines.live.progress import Tally
from sundog.engines.live.worlds.world import Observation
from sundog.fetch.fetcher import Fetcher
from sundog.fetch.pace import Manners, Pace
from sundog.fetch.polite import PoliteFetcher
from sundog.fetch.robots import Robots
from sundog.fetch.values import Hop, Trouble, trouble
from sundog.model import Failed, Fetched, Link, Refused
from sundog.scope.link_filter import LinkFilter
from sundog.scope.scope import Scope
from sundog.session import CrawlSession
from sundog.store import PageRecord

URL, HOST = "http://a.example/x", "a.example"


def gate(*, robots: bool = True, delay: float = 1.0) -> Gate:
    fetcher = Fetcher()
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
    assert it.may_lead("http://a.example/old", URL)
    assert not it.may_lead("http://a.example/older", URL), "somebody is there"
    assert it.may_lead("http://a.example/old", URL), "the same page, tried again"
    assert it.verdict(URL, HOST, 0.0) == Never(
        "duplicate: asked before, by a redirect or with the other of http and https"
    )
    it.not_asked("http://a.example/older", URL)
    assert not it.may_lead("http://a.example/older", URL)
    it.not_asked("http://a.example/old", URL)
    assert type(it.verdict(URL, HOST, 0.0)) is Go
    it.taken("http://a.example/2")
    assert not it.may_lead(URL, "http://a.example/2")


def test_a_page_is_the_same_with_http_and_https() -> None:
    it = gate(robots=False)
    it.taken("http://a.example/1")
    assert isinstance(it.verdict("https://a.example/1", HOST, 0.0), Never)
    assert it.may_lead("http://a.example/1", "https://a.example/1"), "a redirect to the other one is followed"
    it.not_asked("http://a.example/1", "https://a.example/1")
    assert isinstance(it.verdict("https://a.example/1", HOST, 0.0), Never), "it was asked all the same"


def test_admission() -> None:
    it = LinkFilter(Scope(hosts=frozenset({HOST}), max_depth=2), nofollow=True)
    links = [
        Link("http://a.example/1?utm_source=x", "first"),
        Link("http://A.example/1", "second"),
        Link("http://b.example/"),
        Link("mailto:me@a.example"),
        Link("http://a.example/2", nofollow=True),
        Link("http://a.example/photo.jpg"),
        Link("http://a.example/sitemap.xml.gz"),
    ]
    admitted = [Link("http://a.example/1", "first"), Link("http://a.example/sitemap.xml.gz")]
    assert it.admit(links, 1) == it.admit(links, 2) == admitted
    assert it.admit(links, 3) == []
    assert [it.out_of_scope(url) for url in ("http://a.example/", "http://b.example/", "data:,x")] == [
        None,
        "host out of scope",
        "not an http(s) URL",
    ]


def test_troubles_cost_budget_if_they_were_asked() -> None:
    assert observation_of_trouble(trouble("dns", "no such name")).outcome == Failed("dns: no such name")
    assert observation_of_trouble(trouble("private-address", "10.0.0.1", was_asked=False)).outcome == Refused(
        "private-address: 10.0.0.1"
    )
    hop = Hop("http://a.example/1", 302, 1.0, 1.1)
    stopped = Trouble("robots", url="http://a.example/2", redirects=(hop,), asked_at=1.0)
    assert stopped.stopped_before
    assert observation_of_trouble(stopped).record.final_url is None
    assert observation_of_trouble(stopped._replace(asked_at=2.0)).record.final_url == "http://a.example/2"


def test_a_tally() -> None:
    it = Tally()
    it.add("a", Observation(Fetched(1.0, []), PageRecord(counts={"jsonld": 3}, size=10), types=("T",)), 1.0)
    it.add("a", Observation(Fetched(0.0, []), PageRecord(size=5, duplicate_of=0)), 2.0)
    it.add("b", observation_of_trouble(trouble("dns")), 3.0)
    it.add("c", observation_of_refusal("robots: forbidden"), 4.0)
    seen = it.snapshot(CrawlSession(policy="bfs", budget=9), 5.0, elapsed=5.0, stage="", warning="")
    assert (it.statements, it.bytes, it.duplicates, it.failed, it.refused) == (3, 15, 1, 1, 1)
    assert [tuple(line) for line in seen.hosts] == [("a", 1, 1), ("b", 0, 1)]
    assert (seen.types, seen.troubles) == ([("T", 1)], [("dns", 1)])
    assert (seen.recent_fetched, seen.recent_relevant) == (3, 1)
    assert seen.pages_per_second == 0.5


def test_what_is_a_listing() -> None:
    def links(
        body: bytes, url: str = "http://a.example/s", kind: str = "application/xml"
    ) -> list[tuple[str, str]]:
        found = read(body, url, kind, max_bytes=1_000_000, with_text=False)
        return [(link.url, link.tag_path) for link in found.links]

    feed = b"<?xml version='1.0'?><!-- x -->\n<rss><channel><item><link>http://a.example/1</link></item></channel></rss>"
    assert links(feed) == [("http://a.example/1", "feed item")]
    assert links(feed, kind="text/html") != [("http://a.example/1", "feed item")]
    text = b"http://a.example/1\nhttp://a.example/2\n"
    assert [url for url, _ in links(text, "http://a.example/sitemap.txt", "text/plain")] == text.decode().split()
    assert links(text, "http://a.example/notes.txt", "text/plain") == []
    assert links(b"<data><loc>http://a.example/1</loc></data>") == []
    assert links(b"\x1f\x8bnot gzip at all") == []


# --- thrift


def test_a_poor_page_waits_for_a_rich_host_that_rests() -> None:
    thrift = WorthWaiting(0.5)
    thrift.asleep(1, until=10.0, worth=0.8)
    thrift.asleep(2, until=5.0, worth=0.1)
    assert thrift.wait(0.3, now=0.0) == 10.0, "the poor host is not waited for"
    assert thrift.wait(0.45, now=0.0) is None
    assert thrift.wait(0.01, now=0.0) == 5.0, "the first that is better"


def test_what_wakes_too_late_or_not_at_all_is_not_waited_for() -> None:
    thrift = WorthWaiting(0.5)
    thrift.asleep(1, until=1000.0, worth=0.8)
    assert thrift.wait(0.1, now=0.0) is None
    thrift.asleep(1, until=math.inf, worth=0.8)
    assert thrift.wait(0.1, now=0.0) == math.inf, "it is in flight"
    thrift.asleep(1, until=math.inf, worth=math.nan)
    assert thrift.wait(0.1, now=0.0) is None
    thrift.asleep(1, until=3.0, worth=0.8)
    assert thrift.wait(0.1, now=3.0) is None, "it is awake"


def test_without_thrift_nothing_waits() -> None:
    thrift = WorthWaiting(0.0)
    thrift.asleep(1, until=1.0, worth=1.0)
    assert thrift.wait(0.0, now=0.0) is None
