"""Rounds after the first crawl: known pages are visited again, and what they say now is what counts."""

from __future__ import annotations

import itertools
import signal
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from sundog.engines.live import run
from sundog.engines.live.progress import Snapshot
from sundog.engines.live.rounds.known_pages import DAY
from sundog.engines.live.run import refresh, resume
from sundog.errors import SundogError, UsageError
from sundog.report.crawl.page import facts_of
from sundog.results.changes import changes
from sundog.results.export import export
from sundog.store import CrawlStore, open_readonly
from sundog.store.query import query
from tests.engines.live import processes
from tests.engines.live.webs import HOME, Crawled, SmallWeb, crawled, stop_after, urls
from tests.fetch.server import Client

VISITS = "SELECT url, result FROM visits WHERE round = ?"
VERSIONS = "SELECT url, count(*) FROM versions GROUP BY url"


def small_shop(web: SmallWeb) -> list[str]:
    """A list and three products."""
    products = urls("1", "2", "3")
    web.page(HOME, *products)
    for url in products:
        web.product(url, name=f"first {url}")
    return products


def again(directory: Path, budget: int = 20, **more: Any) -> Crawled:
    return Crawled(directory, refresh(directory, budget=budget, **more))


def test_what_is_unchanged_costs_a_row(web: SmallWeb, tmp_path: Path) -> None:
    small_shop(web)
    first = crawled(web, tmp_path / "crawl")
    before = first.rows("SELECT * FROM pages"), first.rows("SELECT * FROM statements")
    second = again(tmp_path / "crawl")
    assert second.table(VISITS, 1) == dict.fromkeys([HOME, *urls("1", "2", "3")], "unchanged")
    assert (second.rows("SELECT * FROM pages"), second.rows("SELECT * FROM statements")) == before
    assert [each["revisited"] for each in second.summary["rounds"]] == [0, 4]
    assert second.summary["rounds"][1]["unchanged"] == 4


def test_who_watches_a_round_sees_its_budget_go(web: SmallWeb, tmp_path: Path) -> None:
    small_shop(web)
    crawled(web, tmp_path / "crawl")
    shown: list[Snapshot] = []
    summary = refresh(tmp_path / "crawl", budget=4, watch=shown.append)
    assert (shown[-1].fetched, shown[-1].revisited) == (4, 4)
    assert shown[-1].spent == shown[-1].budget == summary["spent"] == 8
    assert shown[-1].seconds_left in (None, 0.0)


def test_the_latest_version_is_what_everybody_sees(web: SmallWeb, tmp_path: Path) -> None:
    one, two, three = small_shop(web)
    crawled(web, tmp_path / "crawl")
    web.product(one, name="second")
    web.reply(two, status="410 Gone")
    web.page(three, body="sold out")
    now = again(tmp_path / "crawl")
    assert now.table(VISITS, 1) == {HOME: "unchanged", one: "changed", two: "gone", three: "changed"}
    assert now.table(VERSIONS) == {HOME: 1, one: 2, two: 2, three: 2}
    assert now.table("SELECT url, reward > 0 FROM pages") == {HOME: 0, one: 1, two: 0, three: 0}
    assert now.faults == {two: "gone: status 410"}
    names = "SELECT ?page ?name { GRAPH ?page { ?x schema:name ?name } }"
    assert query(tmp_path / "crawl", names).texts() == [[one, "second"]]
    assert export(tmp_path / "crawl", "nquads").read_text().count("second") == 1
    entities = export(tmp_path / "crawl", "jsonl").read_text().splitlines()
    assert len(entities) == 1
    assert "second" in entities[0]
    since, until = now.rows("SELECT since, until FROM versions WHERE url = ? ORDER BY version", one)[0]
    assert since < until == now.column("SELECT since FROM versions WHERE url = ? AND version = 2", one)[0]


def test_the_report_counts_pages_once_and_what_they_say_now(web: SmallWeb, tmp_path: Path) -> None:
    one, *_ = small_shop(web)
    first = crawled(web, tmp_path / "crawl").summary
    web.page(one)
    summary = again(tmp_path / "crawl").summary
    with open_readonly(tmp_path / "crawl") as reader:
        facts = facts_of(reader)
    assert summary["statements"] < first["statements"]
    assert int(facts.fetches.rows["statements"].sum()) == summary["statements"]
    assert (len(facts.fetches), facts.revisited) == (first["fetched"], first["fetched"])


def test_entities_that_were_read_before_end_with_their_page(web: SmallWeb, tmp_path: Path) -> None:
    one, two, _ = small_shop(web)
    crawled(web, tmp_path / "crawl")
    assert len(export(tmp_path / "crawl", "jsonl").read_text().splitlines()) == 3
    web.reply(two, status="410 Gone")
    web.page(one)
    again(tmp_path / "crawl")
    assert len(export(tmp_path / "crawl", "jsonl").read_text().splitlines()) == 1


def test_new_pages_of_a_list_are_found_and_fetched(web: SmallWeb, tmp_path: Path) -> None:
    products = small_shop(web)
    crawled(web, tmp_path / "crawl")
    new = urls("4", "5")
    web.page(HOME, *products, *new)
    for url in new:
        web.product(url)
    now = again(tmp_path / "crawl")
    assert now.table("SELECT url, found FROM visits WHERE found > 0") == {HOME: 2}
    assert {url for url, reward in now.rewards.items() if reward} == {*products, *new}
    assert now.summary["rounds"][1]["new"] == 2
    assert now.column("SELECT u.url FROM urls u JOIN urls p ON p.id = u.parent WHERE u.url = ?", new[0]) == [
        new[0]
    ]


def test_the_budget_is_of_visits_and_new_pages_together(web: SmallWeb, tmp_path: Path) -> None:
    small_shop(web)
    crawled(web, tmp_path / "crawl")
    asked = len(web.asked())
    now = again(tmp_path / "crawl", budget=2)
    assert len(web.asked()) == asked + 2
    assert now.summary["stopped"] == "budget"
    assert now.summary["spent"] == 6
    now = again(tmp_path / "crawl", budget=1)
    assert len(web.asked()) == asked + 3


def test_missing_three_times_is_gone(web: SmallWeb, tmp_path: Path) -> None:
    one, *_ = small_shop(web)
    crawled(web, tmp_path / "crawl")
    del web.replies[one]
    results = [again(tmp_path / "crawl").table(VISITS, number)[one] for number in (1, 2, 3)]
    assert results == ["failed", "failed", "gone"]
    web.product(one)
    now = again(tmp_path / "crawl")
    assert one not in now.table(VISITS, 4)  # nobody asks again


def test_a_page_that_was_never_found_is_looked_for_more_and_more_rarely(web: SmallWeb, tmp_path: Path) -> None:
    """In rounds 1, 3 and 7; what is there then is a page like any other. 410 is for good."""
    missing, gone = urls("missing", "gone")
    web.page(HOME, missing, gone)
    web.reply(gone, status="410 Gone")
    crawled(web, tmp_path / "crawl")
    for number in range(1, 7):
        now = again(tmp_path / "crawl").table(VISITS, number)
        assert now == {HOME: "unchanged", **({missing: "failed"} if number in (1, 3) else {})}
    web.product(missing)
    now = again(tmp_path / "crawl")
    assert now.table(VISITS, 7) == {HOME: "unchanged", missing: "changed"}
    assert now.rewards[missing] == 1
    assert again(tmp_path / "crawl").table(VISITS, 8) == {HOME: "unchanged", missing: "unchanged"}


def test_a_look_for_what_was_not_found_is_worth_little(web: SmallWeb, tmp_path: Path) -> None:
    """A tenth of what pages are worth on average, before it is known what they have led to."""
    (missing,), products = urls("missing"), urls("1", "2")
    web.page(HOME, missing, *products, *urls("empty"))
    web.page(urls("empty")[0])
    for url in products:
        web.product(url)
    crawled(web, tmp_path / "crawl")
    values = again(tmp_path / "crawl").table("SELECT url, value FROM visits WHERE round = 1")
    assert values[products[0]] == 1.0
    assert values[missing] == pytest.approx(0.1 * 2 / 4)


def test_a_page_that_comes_back_was_not_gone(web: SmallWeb, tmp_path: Path) -> None:
    one, *_ = small_shop(web)
    crawled(web, tmp_path / "crawl")
    page = web.replies[one]
    for is_there, result in zip(
        (False, False, True, False), ("failed", "failed", "unchanged", "failed"), strict=True
    ):
        web.replies.pop(one, None)
        if is_there:
            web.replies[one] = page
        number = len(again(tmp_path / "crawl").summary["rounds"]) - 1
        assert Crawled(tmp_path / "crawl").table(VISITS, number)[one] == result


def test_a_page_that_moved_for_good_to_a_known_one_is_gone(web: SmallWeb, tmp_path: Path) -> None:
    one, *_ = small_shop(web)
    crawled(web, tmp_path / "crawl")
    web.reply(one, b"", "Location: /2", status="301 Moved")
    now = again(tmp_path / "crawl")
    assert now.table(VISITS, 1)[one] == "gone"
    assert now.faults == {one: "gone: status 301"}


@pytest.mark.parametrize("status", ["302 Found", "303 See Other", "307 Temporary Redirect"])
def test_a_page_that_leads_elsewhere_for_a_time_is_not_gone(web: SmallWeb, tmp_path: Path, status: str) -> None:
    """Only if it does so three times, as one that is missing; a chain is for a time if one part of it is."""
    one, two, three = small_shop(web)
    crawled(web, tmp_path / "crawl")
    page = web.replies[one]
    web.reply(one, b"", "Location: /2", status=status)
    web.reply(three, b"", f"Location: {HOME}", status=status)
    now = again(tmp_path / "crawl")
    assert now.table(VISITS, 1) == {HOME: "unchanged", one: "failed", two: "unchanged", three: "failed"}
    assert now.table(VERSIONS) == dict.fromkeys([HOME, one, two, three], 1)
    assert sum(now.rewards.values()) == 3
    web.replies[one] = page
    again(tmp_path / "crawl")
    now = again(tmp_path / "crawl")
    assert now.table(VISITS, 3) == {HOME: "unchanged", one: "unchanged", two: "unchanged", three: "gone"}


@pytest.mark.parametrize("status", ["500 Oops", "403 Forbidden", "429 Slow Down"])
def test_a_host_that_does_not_answer_is_not_gone(web: SmallWeb, tmp_path: Path, status: str) -> None:
    products = small_shop(web)
    crawled(web, tmp_path / "crawl")
    pages = dict(web.replies)
    for url in products:
        web.reply(url, status=status)
    for _ in range(4):
        now = again(tmp_path / "crawl")
    assert now.table(VERSIONS) == dict.fromkeys([HOME, *products], 1)
    assert sum(now.rewards.values()) == 3
    web.replies.update(pages)
    assert again(tmp_path / "crawl").table(VERSIONS) == dict.fromkeys([HOME, *products], 1)


def test_pages_that_always_fail_do_not_go_first(web: SmallWeb, tmp_path: Path) -> None:
    """When some have failed in a row, their host is left alone, and the others would never be visited again."""
    products = urls(*(f"product/{n}" for n in range(9)))
    web.page(HOME, *products)
    for url in products:
        web.product(url)
    crawled(web, tmp_path / "crawl")
    for url in products[:3]:
        web.reply(url, status="500 Broken")
    for _ in range(3):
        again(tmp_path / "crawl")
    fourth = again(tmp_path / "crawl", budget=7)
    assert set(fourth.table(VISITS, 4)) == {HOME, *products[3:]}
    for url in products[:3]:
        web.product(url)
    fifth = again(tmp_path / "crawl", budget=10)
    assert set(fifth.table(VISITS, 5).values()) == {"unchanged"}


def test_conditional_requests(web: SmallWeb, tmp_path: Path) -> None:
    """A 304 is a request, and has no bytes."""
    web.page(HOME, *urls("1"))

    async def answer(client: Client) -> object:
        if client.asked.headers.get("if-none-match") == '"v1"':
            return await client.send(b"HTTP/1.1 304 Not Modified\r\n\r\n")
        return await client.page(b"<title>1</title>", 'ETag: "v1"')

    web.replies[urls("1")[0]] = answer
    crawled(web, tmp_path / "crawl")
    now = again(tmp_path / "crawl")
    assert now.rows("SELECT result, status, size FROM visits WHERE url = ?", *urls("1")) == [("unchanged", 304, 0)]
    assert now.summary["rounds"][1]["not_modified"] == 1


def test_a_page_that_is_redirected_is_visited_where_it_led(web: SmallWeb, tmp_path: Path) -> None:
    web.page(HOME, *urls("old"))
    web.moves(urls("old")[0], "/new")
    web.product(urls("new")[0], name="first")
    crawled(web, tmp_path / "crawl")
    web.product(urls("new")[0], name="second")
    now = again(tmp_path / "crawl")
    assert now.table(VISITS, 1)[urls("old")[0]] == "changed"


def test_robots_txt_that_forbids_now_is_obeyed(web: SmallWeb, tmp_path: Path) -> None:
    products = small_shop(web)
    crawled(web, tmp_path / "crawl")
    web.robots("User-agent: *\nDisallow: /1")
    asked = web.asked().count(products[0])
    now = again(tmp_path / "crawl")
    assert now.table(VISITS, 1)[products[0]] == "refused"
    assert web.asked().count(products[0]) == asked
    assert now.rewards[products[0]] == 1
    assert now.summary["rounds"][1]["revisited"] == 3


def test_text_is_what_counts_for_keywords(web: SmallWeb, tmp_path: Path) -> None:
    web.page(HOME, *urls("1"))
    web.page(urls("1")[0], body="<p>Bretagne is wide</p>")
    crawled(web, tmp_path / "crawl", objective="keyword:bretagne")
    web.page(urls("1")[0], body="<div><p>Bretagne is   wide</p></div>")
    assert again(tmp_path / "crawl").table(VISITS, 1)[urls("1")[0]] == "unchanged"
    web.page(urls("1")[0], body="<p>Bretagne is small</p>")
    assert again(tmp_path / "crawl").table(VISITS, 2)[urls("1")[0]] == "changed"


def test_an_interrupted_round_goes_on(web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    products = small_shop(web)
    crawled(web, tmp_path / "crawl")
    for number, url in enumerate(products):
        web.product(url, name=f"second {number}")
    asked = len(web.asked())
    with monkeypatch.context() as patch:
        stop_after(patch, 2)
        again(tmp_path / "crawl", budget=4)
    told: list[str] = []
    now = Crawled(tmp_path / "crawl", refresh(tmp_path / "crawl", budget=99, tell=told.append))
    assert told == ["round 1 was interrupted: it goes on with what is left of its budget"]
    assert len(web.asked()) == asked + 4
    assert len(now.summary["rounds"]) == 2
    assert now.table(VERSIONS) == {HOME: 1, **dict.fromkeys(products, 2)}
    with monkeypatch.context() as patch:
        stop_after(patch, 1)
        again(tmp_path / "crawl", budget=3)
    assert [each["revisited"] for each in resume(tmp_path / "crawl")["rounds"]] == [0, 4, 3]


def test_killed_rounds(web: SmallWeb, tmp_path: Path) -> None:
    """Each round is killed once, and no page is visited twice in one."""
    products = urls(*map(str, range(12)))
    web.page(HOME, *products)
    for url in products:
        web.product(url, name="0", delay=0.05)
    directory = tmp_path / "crawl"
    crawled(web, directory)
    for number in (1, 2):
        for url in products[:6]:
            web.product(url, name=str(number), delay=0.05)
        with processes.start("refresh", directory, "--budget=13", "--json") as process:
            processes.until_committed(directory, "revisited", 13 * (number - 1) + 3, process)
            process.send_signal(signal.SIGKILL)
            process.communicate(timeout=processes.PATIENCE)
        summary = processes.ended(processes.start("refresh", directory, "--budget=13", "--json"))
        assert [each["revisited"] for each in summary["rounds"]] == [0, *itertools.repeat(13, number)]
    now = Crawled(directory)
    assert now.table(VERSIONS) == {HOME: 1, **dict.fromkeys(products[:6], 3), **dict.fromkeys(products[6:], 1)}
    with CrawlStore.open(directory) as store:
        assert not store.in_flight()


def test_two_rounds_never_run_at_once(web: SmallWeb, tmp_path: Path) -> None:
    small_shop(web)
    crawled(web, tmp_path / "crawl")
    with CrawlStore.open(tmp_path / "crawl"), pytest.raises(SundogError, match="in use by another process"):
        refresh(tmp_path / "crawl", budget=1)


def test_bad_requests(web: SmallWeb, tmp_path: Path) -> None:
    small_shop(web)
    crawled(web, tmp_path / "crawl")
    with pytest.raises(UsageError, match="budget"):
        refresh(tmp_path / "crawl", budget=0)
    with pytest.raises(UsageError, match="a share of 2"):
        refresh(tmp_path / "crawl", budget=1, share=2.0)
    with pytest.raises(SundogError, match="no directory"):
        refresh(tmp_path / "none", budget=1)


def test_the_session_of_a_refreshed_crawl_is_replayed(web: SmallWeb, tmp_path: Path) -> None:
    """Explanations and resumes build it from the log."""
    from sundog.replay import filled_catalog, new_session, replay
    from sundog.spec.crawl import parse_spec

    products = small_shop(web)
    crawled(web, tmp_path / "crawl", policy="sundog")
    web.page(HOME, *products, *urls("4"))
    again(tmp_path / "crawl")
    with open_readonly(tmp_path / "crawl") as reader:
        spec = parse_spec(reader.spec_text, "spec.toml")
        session = new_session(spec, filled_catalog(reader))
        assert replay(reader, session) == []
        assert (session.fetched, session.revisited) == (5, 4)


def test_pages_behind_one_wall_are_asked_again(web: SmallWeb, tmp_path: Path) -> None:
    """For a time all of them are one and the same page."""
    products = small_shop(web)
    crawled(web, tmp_path / "crawl")
    for url in products:
        web.reply(url, "<title>Sign in</title>")
    assert again(tmp_path / "crawl").table(VISITS, 1) == {HOME: "unchanged", **dict.fromkeys(products, "changed")}
    small_shop(web)
    now = again(tmp_path / "crawl")
    assert now.table(VISITS, 2) == {HOME: "unchanged", **dict.fromkeys(products, "changed")}
    assert now.column("SELECT url FROM pages WHERE reward > 0 ORDER BY url") == products


def test_a_clock_that_was_set_back_for_a_round(
    web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, *_ = small_shop(web)
    crawled(web, tmp_path / "crawl")
    again(tmp_path / "crawl")
    web.product(one, name="second")
    with monkeypatch.context() as patch:
        patch.setattr(run, "steady_clock", lambda: lambda: time.time() - 10 * DAY)
        again(tmp_path / "crawl")
    now = again(tmp_path / "crawl")
    began, ages = now.column("SELECT began FROM rounds"), now.column("SELECT age FROM rounds")
    assert began[1] < began[0] < began[2]
    assert ages == sorted(ages)
    assert ages[-1] < DAY, "pages are not ten days older"
    since = datetime.fromtimestamp(began[0], UTC).isoformat()
    told = [(each.change, each.url, each.round) for each in changes(tmp_path / "crawl", since)]
    assert told == [("changed", one, 2)]
    spans = now.rows("SELECT since, until FROM versions WHERE url = ? ORDER BY version", one)
    assert spans[0][1] == spans[1][0] >= spans[0][0], "no version ends before it began"
