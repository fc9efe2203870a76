"""robots.txt is obeyed, cached, waited for, and cannot hurt."""

from __future__ import annotations

import time
from typing import Any

import pytest
from protego import Protego

from sundog.fetch.robots import KEPT_FOR, ROBOTS_LIMITS, Robots
from sundog.fetch.values import NO_ANSWER, TROUBLE_KINDS, Page, Trouble

ORIGIN = "https://a.example"


def page(body: bytes) -> Page:
    return Page("", "", 200, (), "text/plain", body, (), False, False, "", 0.0, 0.0, 0.0)


@pytest.fixture
def robots() -> Robots:
    return Robots("sundog/0.1 (+https://crawler.example)")


def test_our_rules_come_before_everybodys(robots: Robots) -> None:
    ours = "User-agent: Sundog\nDisallow: /private\nAllow: /private/open\nCrawl-delay: 2.5"
    text = f"User-agent: *\nDisallow: /\n\n{ours}"
    rules = robots.read(ORIGIN, text, 0.0)
    paths = ["/", "/private", "/private/open/1"]
    assert [rules.allows(ORIGIN + path) for path in paths] == [True, False, True]
    assert rules.crawl_delay == 2.5


def test_rules_of_others_are_not_ours(robots: Robots) -> None:
    rules = robots.read(
        ORIGIN, "User-agent: otherbot\nUser-agent: sun\nDisallow: /a\n\nUser-agent: x\nDisallow: /", 0.0
    )
    assert [rules.allows(ORIGIN + path) for path in ("/a", "/b")] == [False, True], "'sun' is how ours begins"


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("User-agent: x\nUser-agent: *\nDisallow: /a\nUser-agent: y\nDisallow: /b", [False, True]),
        ("User-agent: *\nUser-agent: y\n\nDisallow: /a\n# note\nDisallow: /b", [False, False]),
        ("User-agent: *\nSitemap: /s.xml\nUser-agent: sundog\nDisallow: /b", [True, False]),
        ("useragent *\ndisalow: /a", [False, True]),
        ("Disallow: /a\nUser-agent: y\nDisallow: /b", [True, True]),
        ("user-agent: SUNDOG # us\nDISALLOW:/a$\nAllow: /\nDisallow: /b*", [False, False]),
    ],
)
def test_groups(robots: Robots, text: str, allowed: list[bool]) -> None:
    rules = robots.read(ORIGIN, text, 0.0)
    assert [rules.allows(ORIGIN + path) for path in ("/a", "/b")] == allowed
    whole = Protego.parse(text)
    assert [whole.can_fetch(ORIGIN + path, "sundog") for path in ("/a", "/b")] == allowed


def test_what_is_kept_is_bounded(robots: Robots, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sundog.fetch.robots.MOST_CHARACTERS", 1_000)
    for number in range(100):
        robots.read(f"https://{number}.example", "User-agent: *\n" + "Disallow: /x\n" * 10, 0.0)
    known = [number for number in range(100) if robots.known(f"https://{number}.example", 0.0)]
    assert known == list(range(100 - len(known), 100))
    assert 1 <= len(known) <= 10


def test_sitemaps_are_absolute(robots: Robots) -> None:
    rules = robots.read(ORIGIN, "Sitemap: /s.xml\nSitemap: https://b.example/t.xml\nSitemap: http://[bad", 0.0)
    assert rules.sitemaps == ("https://a.example/s.xml", "https://b.example/t.xml")


def test_rules_expire(robots: Robots) -> None:
    robots.read(ORIGIN, "", 100.0)
    assert robots.known(ORIGIN, 100.0 + KEPT_FOR - 1) is not None
    assert robots.known(ORIGIN, 100.0 + KEPT_FOR) is None
    assert robots.known("https://b.example", 100.0) is None


@pytest.mark.parametrize("kind", TROUBLE_KINDS)
def test_no_file_allows_all_and_no_answer_nothing(robots: Robots, kind: Any) -> None:
    rules = robots.learn(ORIGIN, Trouble(kind), 100.0)
    assert rules.allows(ORIGIN + "/") == (kind not in NO_ANSWER)
    assert (rules.wait_until is None) == (kind not in NO_ANSWER)


def test_waits_grow_and_end(robots: Robots) -> None:
    waits = [robots.learn(ORIGIN, Trouble("http-5xx"), 0.0).wait_until for _ in range(9)]
    assert waits == [60.0, 120.0, 240.0, 480.0, 960.0, 1_920.0, 3_600.0, 3_600.0, 3_600.0]
    assert robots.learn(ORIGIN, Trouble("rate-limited", retry_after=5_000.0), 0.0).wait_until == 5_000.0
    assert robots.learn(ORIGIN, page(b""), 0.0).allows(ORIGIN + "/x")
    assert robots.learn(ORIGIN, Trouble("http-5xx"), 0.0).wait_until == 60.0


def test_marks_and_wrong_bytes_are_read_over(robots: Robots) -> None:
    rules = robots.learn(ORIGIN, page(b"\xef\xbb\xbfUser-agent: *\r\nDisallow: /caf\xff\xe9"), 5.0)
    assert rules.allows(ORIGIN + "/cafe")
    assert robots.known(ORIGIN, 6.0) is rules


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"User-agent: bot{number}\n" for number in range(12_000)) + "Disallow: /x\n" * 12_000,
        "User-agent: *\nDisallow: /" + "*a" * 200_000,
        "User-agent: *\n" + "".join(f"Disallow: /*{number}*b*$\n" for number in range(20_000)),
        "\0\0" * 200_000,
        "<html>" + "<a href='x'>" * 30_000,
        "Sitemap: /s\n" * 40_000,
        "Crawl-delay: nan\nUser-agent: *\nCrawl-delay: -5\nCrawl-delay: inf\n",
    ],
    ids=["many robots", "many stars", "many rules", "zeros", "html", "many sitemaps", "odd delays"],
)
def test_hostile_files_take_no_time(robots: Robots, text: str) -> None:
    began = time.process_time()
    rules = robots.learn(ORIGIN, page(text.encode()[: ROBOTS_LIMITS.max_bytes]), 0.0)
    rules.allows(ORIGIN + "/" + "a" * 1_000)
    assert time.process_time() - began < 2.0
    assert len(rules.sitemaps) <= 100
    assert rules.crawl_delay is None
