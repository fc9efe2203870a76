"""A round in one shard: it spends no more than it was lent, and what it finds of other shards is theirs."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from sundog.engines.cluster.membership import Membership
from sundog.engines.cluster.messages import Order
from sundog.engines.live.rounds.round import RoundRequest
from sundog.engines.live.run import crawl, resume
from sundog.model import BUDGET_SPENT, FRONTIER_EMPTY
from sundog.sharding.ownership import Owners
from sundog.store.events import unpacked_links
from tests.engines.cluster.test_membership import grant, said
from tests.engines.live.webs import HOME, Crawled, SmallWeb, spec_for, urls

OWNERS = Owners(2)
ELSEWHERE = next(
    f"http://www.e{number}.example/" for number in range(100) if OWNERS.of(f"e{number}.example") != OWNERS.of(HOME)
)
PAGES = urls("1", "2", "3")


def member(number: int | None = None) -> Membership:
    """Of the crawl, or of this round of it."""
    request = None if number is None else RoundRequest(5, None, number)
    return Membership(OWNERS.of(HOME), OWNERS, 100, "now", request)


def end(shard: Membership, run: Future[Any]) -> None:
    shard.put(Order("now", stop="enough"))
    run.result()


def to_the_end(web: SmallWeb, directory: Path, number: int | None = None) -> Crawled:
    """The first crawl, or a round, with more budget than it needs."""
    shard = member(number)
    with ThreadPoolExecutor() as threads:
        if number is None:
            run = threads.submit(crawl, spec_for(web), directory, company=shard)
        else:
            run = threads.submit(resume, directory, company=shard)
        said(shard, lambda standing: bool(standing.rest))
        if shard.standing.rest == BUDGET_SPENT:
            grant(shard, 50)
        said(shard, lambda standing: standing.rest == FRONTIER_EMPTY)
        end(shard, run)
    return Crawled(directory, run.result())


def handed_over(crawled: Crawled) -> list[list[str]]:
    """By the page that had the links."""
    names = dict(crawled.rows("SELECT id, url FROM urls"))
    found = crawled.column("SELECT links FROM foreign_links ORDER BY step")
    return [[names[target] for target in unpacked_links(links).targets.tolist()] for links in found]


def test_a_round_spends_no_more_than_its_lease(tmp_path: Path) -> None:
    """Also where no new page waits: known ones are counted, from the beginning of the round."""
    with SmallWeb() as web, ThreadPoolExecutor() as threads:
        web.page(HOME, *PAGES)
        for url in PAGES:
            web.product(url)
        to_the_end(web, tmp_path / "crawl")
        asked = len(web.asked())
        assert asked == 4
        shard = member(1)
        run = threads.submit(resume, tmp_path / "crawl", company=shard)
        begun = said(shard, lambda standing: standing.rest == BUDGET_SPENT)
        assert (begun.lease.most.fetches, begun.used.fetches, begun.before) == (0, 0, 4)
        assert begun.outlook.total == 4, "what was lent to the first crawl is void"
        grant(shard, 3)
        said(shard, lambda standing: standing.used.fetches == 3 and standing.rest == BUDGET_SPENT)
        assert len(web.asked()) == asked + 3
        end(shard, run)
        first = Crawled(tmp_path / "crawl", run.result())
        assert first.summary["rounds"][1]["revisited"] == 3

        again = to_the_end(web, tmp_path / "crawl", 1)
        assert [each["revisited"] for each in again.summary["rounds"]] == [0, 4], (
            "it had ended for this shard only"
        )
        assert len(set(web.asked()[asked:])) == len(web.asked()[asked:]) == 4
        more = to_the_end(web, tmp_path / "crawl", 2)
        assert [each["revisited"] for each in more.summary["rounds"]] == [0, 4, 4]


def test_a_crawl_goes_on_after_its_rounds_with_all_that_it_has_spent(tmp_path: Path) -> None:
    with SmallWeb() as web, ThreadPoolExecutor() as threads:
        web.page(HOME)
        to_the_end(web, tmp_path / "crawl")
        to_the_end(web, tmp_path / "crawl", 1)
        shard = member()
        run = threads.submit(resume, tmp_path / "crawl", company=shard)
        now = said(shard, lambda standing: standing.rest == FRONTIER_EMPTY)
        end(shard, run)
        assert (now.lease.most.fetches, now.used.fetches, now.before) == (2, 2, 0)


def test_a_shard_that_is_new_makes_the_round_of_the_others(tmp_path: Path) -> None:
    """It had lost its disk, say: its seeds are new pages."""
    with SmallWeb() as web, ThreadPoolExecutor() as threads:
        web.page(HOME, *PAGES)
        shard = member(3)
        run = threads.submit(crawl, spec_for(web), tmp_path / "crawl", company=shard)
        said(shard, lambda standing: standing.rest == BUDGET_SPENT)
        grant(shard, 50)
        said(shard, lambda standing: standing.rest == FRONTIER_EMPTY)
        end(shard, run)
        assert [each["round"] for each in run.result()["rounds"]] == [0, 3]
        assert run.result()["rounds"][1]["new"] == 4


def test_links_that_a_visit_finds_go_to_their_owners_once(tmp_path: Path) -> None:
    with SmallWeb() as web:
        web.product(HOME, f"{ELSEWHERE}1", name="first")
        to_the_end(web, tmp_path / "crawl")
        web.product(HOME, f"{ELSEWHERE}1", f"{ELSEWHERE}2", name="first")
        found = to_the_end(web, tmp_path / "crawl", 1)
        assert handed_over(found) == [[f"{ELSEWHERE}1"], [f"{ELSEWHERE}2"]]
        assert found.table("SELECT result, found FROM visits") == {"unchanged": 1}
        web.product(HOME, f"{ELSEWHERE}1", f"{ELSEWHERE}2", *PAGES, name="second")
        found = to_the_end(web, tmp_path / "crawl", 2)
        assert found.rows("SELECT result, found FROM visits WHERE round = 2") == [("changed", 3)]
        assert handed_over(found)[2:] == [[]], "the version has all its links, and none is sent again"
        assert {url for url in found.fetched if not url.startswith(HOME)} == set()


@pytest.mark.parametrize(("status", "result"), [("301 Moved", "gone"), ("302 Found", "failed")])
def test_a_page_that_moves_to_another_shard(tmp_path: Path, status: str, result: str) -> None:
    """There it is a page of its own: here it is gone, at once if that is for good."""
    with SmallWeb() as web:
        web.product(HOME)
        to_the_end(web, tmp_path / "crawl")
        web.reply(HOME, b"", f"Location: {ELSEWHERE}", status=status)
        found = to_the_end(web, tmp_path / "crawl", 1)
        assert found.table("SELECT url, result FROM visits WHERE round = 1") == {HOME: result}
        assert handed_over(found) == [[ELSEWHERE]]
        for number in (2, 3):
            found = to_the_end(web, tmp_path / "crawl", number)
        assert found.column("SELECT gone FROM versions ORDER BY version") == [0, 1]
        assert handed_over(found) == [[ELSEWHERE]]
