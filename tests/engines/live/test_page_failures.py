"""Faults at every stage of a page's way: they cost the pages that were hit, and nothing else."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sundog.engines.live.pages.reader as workers
from sundog.cli.crawls.crawl import summary_lines
from sundog.cli.crawls.live_view import found_line
from sundog.engines.live import page_failures
from sundog.engines.live.gate import Gate
from sundog.engines.live.progress import Snapshot
from sundog.engines.live.run import crawl, resume
from sundog.engines.live.worlds.web import Web
from sundog.errors import SundogError
from sundog.fetch.polite import PoliteFetcher
from sundog.objectives import Judge
from sundog.report.crawl.page import write_crawl_report
from sundog.scope.link_filter import LinkFilter
from sundog.session import CrawlSession
from sundog.store import CrawlStore, Observed
from sundog.store.buffer import Buffer
from tests.engines.live.faults import InjectedError, breaks
from tests.engines.live.webs import HOME, Crawled, SmallWeb, crawled, spec_for, stop_after, urls

PAGES = urls(*(f"{number}" for number in range(40)))
HIT = set(PAGES[3::10])
STATEMENTS = "SELECT url, syntax, triples FROM page_statements JOIN urls ON urls.id = page ORDER BY 1, 2"
RECORDS = """SELECT u.url, o.status, o.trouble, o.jsonld, o.types, o.faults, l.value FROM outcomes o
  JOIN log l ON l.step = o.step JOIN urls u ON u.id = o.candidate ORDER BY 1"""


def fill(web: SmallWeb) -> None:
    """Pages that are hit are found before others, and have links that other pages have, too."""
    web.page(HOME, *PAGES[:20])
    for number, url in enumerate(PAGES):
        web.product(url, *PAGES[20:], f"http://b.example/{number}", *PAGES[number : number + 2])
    for number in range(len(PAGES)):
        web.page(f"http://b.example/{number}", HOME)


def is_hit_event(store: CrawlStore, event: object, **more: Any) -> bool:
    if not (isinstance(event, Observed) and event.kind == "fetched"):
        return False
    return (store._buffer.url(event.candidate) or store.url(event.candidate)) in HIT


def in_the_fetch(patch: pytest.MonkeyPatch) -> None:
    breaks(patch, PoliteFetcher, "fetch", lambda _, url, **more: url in HIT)


def in_the_reading(patch: pytest.MonkeyPatch) -> None:
    breaks(patch, workers, "read", lambda _, url, *more, **options: url in HIT)


def in_the_judge(patch: pytest.MonkeyPatch) -> None:
    breaks(patch, Judge, "__call__", lambda _, page: page.url in HIT)


def in_the_link_filter(patch: pytest.MonkeyPatch) -> None:
    own = {f"http://b.example/{url.rpartition('/')[2]}" for url in HIT}
    breaks(patch, LinkFilter, "admit", lambda _, links, depth: any(link.url in own for link in links))


def in_the_interning(patch: pytest.MonkeyPatch) -> None:
    """After the strings of the page are in the catalog."""
    own = {f"http://b.example/{url.rpartition('/')[2]}" for url in HIT}
    intern = CrawlSession.intern

    def broken(session: CrawlSession, links: Any) -> Any:
        batch = intern(session, links)
        if any(link.url in own for link in links):
            raise InjectedError("half-way")
        return batch

    patch.setattr(CrawlSession, "intern", broken)


def in_the_session(patch: pytest.MonkeyPatch) -> None:
    breaks(
        patch,
        CrawlSession,
        "observe",
        lambda _, decision, outcome, now=0.0: decision.url in HIT and not hasattr(outcome, "reason"),
    )


def in_the_session_as_usage_error(patch: pytest.MonkeyPatch) -> None:
    real = CrawlSession.observe

    def broken(session: CrawlSession, decision: Any, outcome: Any, now: float = 0.0) -> Any:
        if decision.url in HIT and not hasattr(outcome, "reason"):
            raise SundogError("a link is no URL")
        return real(session, decision, outcome, now)

    patch.setattr(CrawlSession, "observe", broken)


def in_the_store(patch: pytest.MonkeyPatch) -> None:
    breaks(patch, CrawlStore, "append", is_hit_event)


def in_the_middle_of_the_store(patch: pytest.MonkeyPatch) -> None:
    """When the outcome, its strings and its keys are in the buffer already."""
    breaks(
        patch,
        Buffer,
        "add_statements",
        lambda _, step, candidate, found: any(
            term.strip('"') in HIT for statements in found.values() for triple in statements for term in triple
        ),
    )


STAGES = {
    "fetch": in_the_fetch,
    "read": in_the_reading,
    "judge": in_the_judge,
    "links": in_the_link_filter,
    "observe": in_the_session,
    "store": in_the_store,
}
MORE = [
    ("observe", in_the_interning),
    ("observe", in_the_session_as_usage_error),
    ("store", in_the_middle_of_the_store),
]


def others(done: Crawled) -> tuple[list[Any], list[Any]]:
    """What there is of the pages that were not hit, nor found on those alone."""
    spared = HIT | {f"http://b.example/{url.rpartition('/')[2]}" for url in HIT}
    return (
        [row for row in done.rows(STATEMENTS) if row[0] not in spared],
        [row for row in done.rows(RECORDS) if row[0] not in spared],
    )


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    with SmallWeb() as web:
        fill(web)
        return crawled(web, tmp_path_factory.mktemp("expected") / "crawl")


@pytest.mark.parametrize("policy", ["bfs", "sundog"])
@pytest.mark.parametrize(("stage", "inject"), [*STAGES.items(), *MORE])
def test_one_page_in_ten(
    web: SmallWeb,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    expected: Crawled,
    stage: str,
    inject: Callable[[pytest.MonkeyPatch], None],
    policy: str,
) -> None:
    """Stopped in the middle and resumed, so that the log is replayed with failures in it."""
    fill(web)
    inject(monkeypatch)
    with monkeypatch.context() as patch:
        stop_after(patch, 12)
        crawl(spec_for(web, policy=policy, concurrency=4, warc=True), tmp_path / "crawl")
    done = Crawled(tmp_path / "crawl", resume(tmp_path / "crawl"))
    assert done.summary["stopped"] == "frontier empty"
    assert done.summary["internal"] == len(HIT)
    assert {url for url, fault in done.faults.items() if fault.startswith(f"internal: {stage}: ")} == HIT
    assert set(done.faults) == HIT
    assert others(done) == others(expected)
    log = (tmp_path / "crawl" / "errors.log").read_text()
    assert log.count("Traceback") == len(HIT)
    assert "\x1b" not in log
    again = resume(tmp_path / "crawl")
    assert again["fetched"] == done.summary["fetched"]


def test_the_gate(web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody was asked, so it is a refusal."""
    web.page(HOME, *urls("1", "2"))
    web.page(*urls("1"))
    web.page(*urls("2"))
    breaks(monkeypatch, Gate, "verdict", lambda _, url, *more, **options: url == urls("1")[0])
    done = crawled(web, tmp_path / "crawl")
    assert done.fetched == [HOME, *urls("2")]
    assert done.refusals[urls("1")[0]].startswith("internal: gate: InjectedError: ")
    assert done.summary["internal"] == 1


def test_sitemaps_of_an_origin(web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    web.page(HOME, *urls("1"))
    web.page(*urls("1"))
    breaks(monkeypatch, Web, "extra_links", lambda *_: True)
    assert crawled(web, tmp_path / "crawl").fetched == [HOME, *urls("1")]
    assert "internal: links: http://a.example/" in (tmp_path / "crawl" / "errors.log").read_text()


def test_after_the_step(web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is logged, and stays what it is."""
    web.page(HOME, *urls("1"))
    web.product(*urls("1"))
    breaks(monkeypatch, Web, "after_step", lambda *_: True)
    done = crawled(web, tmp_path / "crawl")
    assert done.rewards == {HOME: 0.0, urls("1")[0]: 1.0}
    assert done.faults == {}
    assert "internal: after: http://a.example/1" in (tmp_path / "crawl" / "errors.log").read_text()


@pytest.mark.parametrize("breaks_at", ["session", "store"])
def test_a_page_of_which_nothing_can_be_observed_stays_in_flight(
    web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, breaks_at: str
) -> None:
    fill(web)
    with monkeypatch.context() as patch:
        if breaks_at == "session":
            breaks(patch, CrawlSession, "observe", lambda _, decision, *more: decision.url in HIT)
        else:
            hit = {PAGES.index(url) + 1 for url in HIT & set(PAGES[:20])}  # ids of the links of the first page
            breaks(
                patch,
                CrawlStore,
                "append",
                lambda _, event, **more: type(event) is Observed and event.candidate in hit,
            )
        done = crawled(web, tmp_path / "crawl")
    missing = set(PAGES) - set(done.fetched)
    assert missing == (HIT if breaks_at == "session" else HIT & set(PAGES[:20]))
    assert done.summary["stopped"] == "frontier empty"
    resume(tmp_path / "crawl")
    assert set(PAGES) <= set(done.fetched)
    assert done.faults == {}


def test_a_damaged_store_ends_the_crawl(web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged(*_: object) -> None:
        raise SundogError("crawl.db is damaged")

    fill(web)
    monkeypatch.setattr(CrawlStore, "seen_content", damaged)
    with pytest.raises(SundogError, match="is damaged"):
        crawled(web, tmp_path / "crawl")


def test_whoever_takes_the_log_can_write_it(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    page_failures.ErrorLog(tmp_path).write(HOME, page_failures.StageError("read", ValueError("a\ud800\x1b[2J")))
    (record,) = caplog.records
    assert record.getMessage().isprintable()
    assert record.getMessage().encode()


def test_errors_log_does_not_grow_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_failures, "MOST_BYTES", 1_000)
    log = page_failures.ErrorLog(tmp_path)
    for _ in range(100):
        log.write(HOME, page_failures.StageError("read", ValueError("\ud800" * 50)))
    assert 1_000 <= (tmp_path / "errors.log").stat().st_size < 2_000
    page_failures.ErrorLog(tmp_path / "nowhere").write(HOME, page_failures.StageError("read", ValueError()))


def test_they_are_shown(web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(web)
    in_the_reading(monkeypatch)
    shown: list[Snapshot] = []
    summary = crawl(spec_for(web), tmp_path / "crawl", watch=shown.append)
    assert "4 internal errors" in found_line(shown[-1])
    assert "4 pages on which Sundog itself failed: see errors.log" in list(summary_lines(summary))
    assert "internal errors" in write_crawl_report(tmp_path / "crawl").read_text()
