"""Faults in what a crawl does around its pages: it chooses, reads robots.txt, counts, shows, and is resumed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sundog.engines.live.summary as summary_module
import sundog.engines.live.worlds.web as web_world
import sundog.report.crawl
from sundog.cli.crawls.crawl import print_summary
from sundog.engines.live.gate import Gate
from sundog.engines.live.host_rest import WorthWaiting
from sundog.engines.live.in_flight import PendingFetch
from sundog.engines.live.patterns.links import Priorities
from sundog.engines.live.progress import Snapshot, Tally
from sundog.engines.live.run import crawl, resume
from sundog.errors import SundogError
from sundog.fetch.robots import Robots
from sundog.objectives import Judge
from sundog.objectives.outlook import Outlook
from sundog.session import CrawlSession
from sundog.spec.crawl import Following
from sundog.store import CrawlStore, Decided, HeadAnswered
from sundog.store.index import StatementIndex
from sundog.store.query import query
from tests.engines.live.faults import breaks
from tests.engines.live.pages.test_head_requests import crawled_with_heads, links, things
from tests.engines.live.patterns.test_live_patterns import CITIES
from tests.engines.live.patterns.test_live_patterns import fill as fill_cities
from tests.engines.live.patterns.test_live_patterns import run as run_patterns
from tests.engines.live.test_page_failures import HIT, PAGES, STATEMENTS, fill
from tests.engines.live.webs import HOME, Crawled, SmallWeb, crawled, spec_for, stop_after, urls


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    with SmallWeb() as web:
        fill(web)
        return crawled(web, tmp_path_factory.mktemp("expected") / "crawl")


def log_of(directory: Path) -> str:
    return (directory / "errors.log").read_text()


PART_OF_NO_RESULT: dict[str, tuple[Any, str, Callable[..., bool]]] = {
    "tally": (Tally, "add", lambda _, host, observation, now: observation.record.size or True),
    "gate": (Gate, "learn", lambda _, url, *more: url in HIT),
    "outlook": (Outlook, "observe", lambda *_: True),
    "warning": (Outlook, "warning", lambda *_: True),
    "snapshot": (Tally, "snapshot", lambda *_, **__: True),
}


@pytest.mark.parametrize("broken", PART_OF_NO_RESULT)
def test_what_is_only_counted_or_shown(
    web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected: Crawled, broken: str
) -> None:
    fill(web)
    breaks(monkeypatch, *PART_OF_NO_RESULT[broken])
    done = crawled(web, tmp_path / "crawl")
    assert done.rows(STATEMENTS) == expected.rows(STATEMENTS)
    assert done.rewards == expected.rewards
    assert "InjectedError" in log_of(done.directory)


def test_who_watches_and_fails_is_told_nothing_more(web: SmallWeb, tmp_path: Path, expected: Crawled) -> None:
    fill(web)
    times = 0

    def watch(_: Snapshot) -> None:
        nonlocal times
        times += 1
        raise ValueError("no terminal")

    crawl(spec_for(web), tmp_path / "crawl", watch=watch)
    assert times == 1
    assert log_of(tmp_path / "crawl").count("ValueError: no terminal") == 1
    assert Crawled(tmp_path / "crawl").rewards == expected.rewards
    assert "pages_per_second" in json.loads((tmp_path / "crawl" / "live.json").read_bytes()), "others are told"


def test_live_json_that_cannot_be_written(web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(web)
    monkeypatch.setattr("sundog.engines.live.progress.host_queues", lambda *_: "\ud800")
    shown: list[Snapshot] = []
    assert crawl(spec_for(web), tmp_path / "crawl", watch=shown.append)["stopped"] == "frontier empty"
    assert shown[-1].fetched


def test_robots_that_cannot_be_read(web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages of that origin are refused, with a traceback; those of others are fetched."""
    web.page(HOME, "http://b.example/1", "http://b.example/2", *urls("1"))
    web.page(*urls("1"))
    breaks(monkeypatch, Robots, "learn", lambda _, origin, *more: origin == "http://b.example")
    done = crawled(web, tmp_path / "crawl", concurrency=4)
    assert sorted(done.fetched) == [HOME, *urls("1")]
    assert {url for url, why in done.refusals.items() if why.startswith("internal: robots: InjectedError")} == {
        "http://b.example/1",
        "http://b.example/2",
    }
    assert done.summary["internal"] == 2
    assert "internal: robots: http://b.example/1" in log_of(done.directory)


def test_robots_of_the_seeds_that_cannot_be_read(
    web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for host in "ab":
        web.page(f"http://{host}.example/")
    breaks(monkeypatch, Robots, "learn", lambda _, origin, *more: origin == "http://b.example")
    done = crawled(web, tmp_path / "crawl", HOME, "http://b.example/")
    assert done.fetched == [HOME]


@pytest.mark.parametrize("breaks_at", ["intern", "add_known", "append"])
def test_sitemaps_that_cannot_be_added(
    web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, breaks_at: str
) -> None:
    """They are not there, and all else is; a resumed crawl is the same."""
    web.robots("Sitemap: http://a.example/sitemap.xml")
    web.page(HOME, *urls("1", "2"))
    for url in urls("1", "2"):
        web.product(url, *urls("3"))
    web.product(*urls("3"))
    seeded = 0

    def is_sitemap(_: Any, event: Any, **more: Any) -> bool:
        nonlocal seeded
        seeded += type(event).__name__ == "Seeded"
        return type(event).__name__ == "Seeded" and seeded == 2

    with monkeypatch.context() as patch:
        stop_after(patch, 2)
        if breaks_at == "intern":
            breaks(patch, CrawlSession, "intern", lambda _, links: any("sitemap" in each.url for each in links))
        elif breaks_at == "add_known":
            breaks(patch, CrawlSession, "add_known", lambda session, _: session.in_flight > 0)
        else:
            breaks(patch, CrawlStore, "append", is_sitemap)
        crawled(web, tmp_path / "crawl")
    assert "InjectedError" in log_of(tmp_path / "crawl")
    resume(tmp_path / "crawl")
    done = Crawled(tmp_path / "crawl")
    assert {url for url in done.fetched if "sitemap" not in url} == {HOME, *urls("1", "2", "3")}
    assert done.faults.keys() <= set(urls("sitemap.xml"))


@pytest.mark.parametrize("breaks_at", ["session", "store"])
def test_head_requests_that_cannot_be_observed(
    web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, breaks_at: str
) -> None:
    targets = urls(*map(str, range(10)))
    links(web, *targets)
    things(web, *targets)
    with monkeypatch.context() as patch:
        if breaks_at == "session":
            breaks(patch, CrawlSession, "observe_head", lambda _, decision, *more: decision.url == targets[3])
        else:
            breaks(
                patch,
                CrawlStore,
                "append",
                lambda _, event, **more: type(event) is HeadAnswered and event.candidate == 4,
            )
        done = crawled_with_heads(web, tmp_path / "crawl")
    assert done.summary["internal"] == 1
    stage = "observe" if breaks_at == "session" else "store"
    assert done.faults[targets[3]].startswith(f"internal: {stage}: InjectedError")
    assert {url for url, reward in done.rewards.items() if reward} == {*targets, "http://a.example/start.ttl"} - {
        targets[3]
    }
    assert resume(tmp_path / "crawl")["fetched"] == done.summary["fetched"]


def test_a_choice_that_cannot_be_logged(web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not asked; when the crawl is resumed, it is."""
    fill(web)
    with monkeypatch.context() as patch:
        breaks(
            patch, CrawlStore, "append", lambda _, event, **more: type(event) is Decided and event.candidate == 4
        )
        done = crawled(web, tmp_path / "crawl")
    assert set(PAGES) - set(done.fetched) == {PAGES[3]}
    assert done.summary["stopped"] == "frontier empty"
    resume(tmp_path / "crawl")
    assert set(PAGES) <= set(done.fetched)
    assert len(web.asked()) == len(set(web.asked()))


def test_a_policy_that_cannot_choose_ends_the_crawl_with_a_sentence(
    web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(web)
    with monkeypatch.context() as patch:
        breaks(patch, CrawlSession, "next_decision", lambda session, *_: session.fetched >= 5)
        with pytest.raises(SundogError, match=r"the policy cannot choose a page \(choose: InjectedError: "):
            crawl(spec_for(web), tmp_path / "crawl")
    assert log_of(tmp_path / "crawl").count("Traceback") == 1
    assert resume(tmp_path / "crawl")["fetched"] == 1 + 2 * len(PAGES)


def test_priorities_that_cannot_be_had(web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The policy's choice stands."""
    fill_cities(web)
    breaks(monkeypatch, Priorities, "better")
    summary = run_patterns(web, tmp_path / "c", f"{CITIES}priority = 2\n")
    assert summary["patterns"]["city"]["found"] == 6


WAY = {
    "verdict": (Gate, "mark_asked", lambda _, url: url in HIT),
    "retry": (PendingFetch, "retry_delay", lambda pending, *_: pending.url in HIT),
}


@pytest.mark.parametrize("broken", WAY)
def test_anything_else_on_the_way_of_a_page(
    web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    fill(web)
    if broken == "retry":
        for url in HIT:
            web.reply(url, "", status="503 Sorry")
    breaks(monkeypatch, *WAY[broken])
    done = crawled(web, tmp_path / "crawl", following=Following(patience=2.0, retries=1), concurrency=4)
    assert {url for url, why in done.faults.items() if why.startswith("internal: loop: InjectedError")} == HIT
    assert set(done.faults) == HIT
    assert set(PAGES) <= set(done.fetched)
    assert resume(tmp_path / "crawl")["fetched"] == done.summary["fetched"]


def test_a_host_whose_rest_cannot_be_estimated(
    web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(web)
    breaks(monkeypatch, WorthWaiting, "host_asleep", lambda _, host, *more: host == 1)
    done = crawled(web, tmp_path / "crawl")
    assert set(PAGES) <= {url for url in done.fetched if url not in done.faults}


@pytest.mark.parametrize("breaks_at", [Judge, Gate])
def test_what_cannot_be_recalled_does_not_end_the_resumed_crawl(
    web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, breaks_at: Any
) -> None:
    fill(web)
    with monkeypatch.context() as patch:
        stop_after(patch, 12)
        crawled(web, tmp_path / "crawl", objective="novel type:schema:Product")
    breaks(monkeypatch, breaks_at, "recall")
    assert resume(tmp_path / "crawl")["stopped"] == "frontier empty"
    assert "internal: recall: http://a.example/" in log_of(tmp_path / "crawl")


@pytest.mark.parametrize("breaks_at", ["store", "session", "exchange"])
def test_what_could_not_be_stored_was_not_seen(
    web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, breaks_at: str
) -> None:
    """The second page with an entity is worth something if the first one could not be stored."""
    first, twin = urls("1", "2")

    def is_first(store: CrawlStore, event: Any, **more: Any) -> bool:
        return bool(more.get("statements")) and store._buffer.url(event.candidate) == first

    web.page(HOME, first, twin)
    for url in (first, twin):
        web.product(url, name="The same")
    if breaks_at == "store":
        breaks(monkeypatch, CrawlStore, "append", is_first)
    elif breaks_at == "session":
        breaks(
            monkeypatch,
            CrawlSession,
            "observe",
            lambda _, decision, outcome, *now: decision.url == first and not hasattr(outcome, "reason"),
        )
    else:
        breaks(monkeypatch, web_world, "exchange_of", lambda page, agent: page.url == first)
    done = crawled(web, tmp_path / "crawl", objective="novel type:schema:Product", warc=True)
    assert done.rewards == {HOME: 0.0, first: 0.0, twin: 1.0}
    assert set(done.faults) == {first}


def test_statements_that_cannot_be_indexed(
    web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected: Crawled
) -> None:
    """They are in the database, and the summary says how many pages queries do not see."""
    fill(web)
    breaks(monkeypatch, StatementIndex, "_replace", lambda _, pages: any(page.url in HIT for page in pages))
    done = crawled(web, tmp_path / "crawl")
    assert done.summary["not_indexed"] == len(HIT)
    assert done.rows(STATEMENTS) == expected.rows(STATEMENTS)
    found = query(tmp_path / "crawl", "SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }")
    assert {row[0].strip("<>") for row in found.texts()} == set(PAGES) - HIT


def test_a_report_that_cannot_be_made(
    web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(web)
    done = crawled(web, tmp_path / "crawl")
    breaks(monkeypatch, sundog.report.crawl, "write_crawl_report")
    print_summary(done.summary, done.directory, with_report=True, as_json=False)
    assert "no report: report: InjectedError: " in capsys.readouterr().err
    assert "Traceback" in log_of(done.directory)


def test_a_result_that_cannot_be_made(web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill_cities(web)
    breaks(monkeypatch, summary_module, "write_result")
    summary = run_patterns(web, tmp_path / "c", CITIES)
    assert summary["result_fault"].startswith("internal: report: InjectedError: ")
    assert summary["patterns"]["city"]["found"] == 6
