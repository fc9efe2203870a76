"""``sundog explain``: fetched, waiting, refused, out of scope, never met."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.commands import Command, one_line
from tests.engines.live.webs import HOME, SmallWeb


@pytest.fixture
def crawl(sundog: Command, tmp_path: Path) -> Iterator[Path]:
    with SmallWeb() as web:
        web.robots("User-agent: *\nDisallow: /secret")
        web.product(HOME, "/secret", "/1", "/2", "/gone")
        for name in ("1", "2"):
            web.product(f"{HOME}{name}", "/3")
        options = ("--connect-to", web.connect_to, "--delay", 0, "--concurrency", 1, "--policy", "bfs")
        sundog("crawl", HOME, *options, "--budget", 3, "--out", tmp_path / "crawl")
        yield tmp_path / "crawl"


@pytest.mark.parametrize(
    ("url", "state", "reason"),
    [
        (HOME, "fetched", ""),
        (f"{HOME}secret", "refused", "robots: forbidden"),
        (f"{HOME}gone", "waiting", ""),
        (f"{HOME}x.pdf", "unknown", "out of scope: file type"),
        (f"{HOME}elsewhere", "unknown", "no page that was fetched has a link to it"),
    ],
)
def test_states(sundog: Command, crawl: Path, url: str, state: str, reason: str) -> None:
    explained = json.loads(sundog("explain", crawl, url, "--json").out)
    assert (explained["url"], explained["state"]) == (url, state)
    assert explained["reason"].startswith(reason)
    assert state in sundog("explain", crawl, url).out


def test_what_waits_is_judged_now_beside_what_comes_first(sundog: Command, crawl: Path) -> None:
    explained = json.loads(sundog("explain", crawl, f"{HOME}3", "--json").out)
    assert explained["found"]["page"] == f"{HOME}1"
    assert explained["found"]["depth"] == 2
    assert explained["found"]["anchor"] == "/3"
    assert explained["next_choice"]["url"] == f"{HOME}gone", "found first, and the policy is bfs"
    assert explained["decision"]["estimate"] < explained["next_choice"]["estimate"]
    assert explained["host"]["fetched"] == 3


def test_where_a_page_led(sundog: Command, crawl: Path) -> None:
    lines = sundog("explain", crawl, f"{HOME}1").out.splitlines()
    assert lines[-1].split(maxsplit=1) == ["leads", "to 1 new page of a.example/#"]


def test_where_a_page_is_expected_to_lead(sundog: Command, tmp_path: Path) -> None:
    with SmallWeb() as web:
        web.page(HOME, *(f"/list/{number}" for number in range(6)))
        for number in range(6):
            web.page(f"{HOME}list/{number}", *(f"/item/{10 * number + item}" for item in range(10)))
            for item in range(10):
                web.product(f"{HOME}item/{10 * number + item}")
        options = ("--connect-to", web.connect_to, "--delay", 0, "--concurrency", 1)
        sundog("crawl", HOME, *options, "--budget", 20, "--out", tmp_path / "crawl")
    leads = sundog("explain", tmp_path / "crawl", f"{HOME}list/5").out.splitlines()[-1].split(maxsplit=1)
    assert leads[0] == "leads"
    assert re.fullmatch(r"to about \d+ new pages of a\.example/item/#", leads[1]), leads[1]


def test_where_a_redirect_led(sundog: Command, tmp_path: Path) -> None:
    with SmallWeb() as web:
        web.moves(HOME, f"{HOME}data.ttl")
        web.reply(f"{HOME}data.ttl", "<#a> <#b> <#c> .", type_="text/turtle")
        options = ("--connect-to", web.connect_to, "--delay", 0, "--policy", "bfs", "--for", "rdf")
        sundog("crawl", HOME, *options, "--out", tmp_path / "crawl")
    explained = json.loads(sundog("explain", tmp_path / "crawl", f"{HOME}data.ttl", "--json").out)
    assert (explained["url"], explained["state"]) == (HOME, "fetched")
    assert explained["reason"] == f"a redirect led from there to {HOME}data.ttl"


def test_what_is_no_url(sundog: Command, crawl: Path) -> None:
    assert "'nonsense' is no URL" in one_line(sundog("explain", crawl, "nonsense"))
