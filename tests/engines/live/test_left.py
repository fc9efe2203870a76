"""A live crawl says how much it has left, ends when that is little, and accounts for what sitemaps list."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sundog.cli.crawls.crawl import summary_lines
from sundog.completeness.estimate import Left
from sundog.engines.live import left_watch
from sundog.engines.live.run import crawl, refresh, resume
from sundog.errors import UsageError
from sundog.report.crawl import write_crawl_report
from sundog.session import CrawlSession
from sundog.spec import CrawlSpec
from sundog.spec.stop import Stop
from tests.engines.live.webs import HOME, SmallWeb, crawled, spec_for, stop_after, urls

SHOP, NOTES = [f"item/{number}" for number in range(40)], [f"note/{number}" for number in range(400)]


def shop(web: SmallWeb) -> None:
    """Forty products, and ten times as many pages that are none."""
    web.page(HOME, *urls(*SHOP[:20]), *urls("more"), *urls(*NOTES))
    web.page(*urls("more"), *urls(*SHOP[20:]))
    for url in urls(*SHOP):
        web.product(url)
    for url in urls(*NOTES):
        web.page(url)


def test_a_crawl_ends_when_little_is_left(web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(left_watch, "LOOKS_A_SECOND", 1e9)
    monkeypatch.setattr(left_watch, "COST", 1e9)
    shop(web)
    stop = Stop(left="2%")
    done = crawled(web, tmp_path / "crawl", policy="sundog", budget=1000, stop=stop)
    assert done.summary["stopped"] == "little left"
    assert done.summary["relevant"] == 40
    assert done.summary["fetched"] < 300
    assert done.summary["left"]["high"] <= 1
    assert "no wanted page left" in list(summary_lines(done.summary)) or done.summary["left"]["high"] > 0.5
    assert resume(tmp_path / "crawl")["stopped"] == "little left"  # nothing has changed


def test_what_is_left_is_told_by_host_in_summary_report_and_live_file(web: SmallWeb, tmp_path: Path) -> None:
    shop(web)
    other = "http://b.example/"
    web.product(other, *urls(*SHOP, host="b.example"))
    done = crawled(web, tmp_path / "crawl", HOME, other, budget=12)
    left = done.summary["left"]
    assert 0 < left["low"] <= left["estimate"] <= left["high"]
    assert set(left["hosts"]) == {"a.example", "b.example"}
    assert sum(host["estimate"] for host in left["hosts"].values()) == pytest.approx(left["estimate"], abs=2)
    live = json.loads((tmp_path / "crawl" / "live.json").read_text())
    assert live["left"]["high"] > 0
    assert set(live["left"]["hosts"]) <= {"a.example", "b.example"}
    page = write_crawl_report(tmp_path / "crawl").read_text()
    assert "How much is left" in page
    assert f"{left['estimate']:,.0f} wanted pages left" in page
    entities = left["entities"]  # every product is one
    assert entities["low"] <= left["estimate"] / 2 < entities["estimate"] <= entities["high"]
    words = f", with about {entities['estimate']:,.0f} entities ("
    assert words in page
    assert any(words in line for line in summary_lines(done.summary))


def test_a_resumed_crawl_says_what_it_would_have_said(web: SmallWeb, tmp_path: Path) -> None:
    shop(web)
    spec = spec_for(web, policy="sundog", budget=60)
    whole = crawl(spec, tmp_path / "whole")
    with pytest.MonkeyPatch.context() as patch:
        stop_after(patch, 15)
        crawl(spec, tmp_path / "parts")
    with pytest.MonkeyPatch.context() as patch:
        stop_after(patch, 20)
        assert 35 <= resume(tmp_path / "parts")["fetched"] < 60
    again = resume(tmp_path / "parts")
    assert again["fetched"] == 60
    assert again["left"] == whole["left"]


def sitemap(web: SmallWeb, *listed: str) -> None:
    places = "".join(f"<url><loc>{url}</loc></url>" for url in listed)
    web.reply(
        "http://a.example/sitemap.xml",
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{places}</urlset>',
        type_="application/xml",
    )


def test_pages_of_sitemaps_are_accounted_for(web: SmallWeb, tmp_path: Path) -> None:
    listed = urls("1", "2", "3", "private/4", "private/5", "gone", "2?utm_source=x", "moved")
    web.robots("User-agent: *\nDisallow: /private/\nSitemap: http://a.example/sitemap.xml")
    sitemap(web, *listed)
    web.page(HOME, *urls("1", "unlisted"))
    for url in urls("1", "2", "3", "unlisted"):
        web.page(url)
    web.moves(*urls("moved"), *urls("1"))
    done = crawled(web, tmp_path / "crawl")
    assert done.summary["sitemaps"] == {
        **{"listed": 7, "fetched": 3, "elsewhere": 1, "robots": 2, "refused": 0, "failed": 1, "waiting": 0}
    }
    expected = "7 listed in sitemaps: 3 fetched, 1 the same as others, 2 refused by robots.txt, 1 failed"
    expected += " (see refusals and pages in crawl.db)"
    assert expected in list(summary_lines(done.summary))
    assert expected in write_crawl_report(tmp_path / "crawl").read_text()
    web.product(*urls("1"))  # in another version, it is still one that was fetched
    web.reply(*urls("2"), status="410 Gone")
    assert refresh(tmp_path / "crawl", budget=20)["sitemaps"] == done.summary["sitemaps"]
    web.page(*urls("new"))
    sitemap(web, *listed, *urls("new"))
    again = refresh(tmp_path / "crawl", budget=20)["sitemaps"]
    assert (again["listed"], again["fetched"]) == (8, 4)


def test_a_crawl_that_cannot_say_goes_on(web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(session: CrawlSession) -> Any:
        if session.budget == 100:  # not that which only compiles
            raise ZeroDivisionError("left")

    monkeypatch.setattr(CrawlSession, "left", broken)
    web.page(HOME, *urls("1", "2"))
    done = crawled(web, tmp_path / "crawl")
    assert done.summary["fetched"] == 3
    assert "left" not in done.summary
    assert "ZeroDivisionError: left" in (tmp_path / "crawl" / "errors.log").read_text()


def test_a_share_that_is_none_is_refused_before_the_crawl() -> None:
    with pytest.raises(UsageError, match=r'stop\.left = "two": a share of the wanted pages is expected'):
        CrawlSpec(seeds=(HOME,), stop=Stop(left="two"))


def test_shares_of_what_was_found() -> None:
    assert Left(1.0, 0.0, 2.0).share(98) == pytest.approx(0.02)
    assert Left(0.0, 0.0, 0.0).share(0) == 1.0
