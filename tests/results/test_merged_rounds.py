"""Rounds of shards, merged: the crawl and the rounds that one process would have made."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sundog.engines.cluster.membership import Membership
from sundog.engines.cluster.messages import Order
from sundog.engines.live.rounds.round import RoundRequest
from sundog.engines.live.run import crawl, refresh, resume
from sundog.model import BUDGET_SPENT, FRONTIER_EMPTY
from sundog.results.changes import changes
from sundog.results.export import export
from sundog.results.health.health import health
from sundog.results.merge import as_one, merge
from sundog.sharding.ownership import Owners
from sundog.spec import CrawlSpec, spec_text
from sundog.store import open_readonly
from sundog.store.rounds import rounds_of, seconds_until_turn, unfinished_round
from sundog.store.shards import Layout, shard_directory, write_layout
from sundog.store.whole_round import WholeRound, write_round
from tests.engines.cluster.test_membership import grant, said
from tests.engines.live.webs import Crawled, SmallWeb, spec_for

OWNERS = Owners(2)
NAMES = [f"http://www.e{number}.example/" for number in range(9)]
HOMES = [next(name for name in NAMES if OWNERS.of(name) == number) for number in range(2)]
VERSIONS = "SELECT url, version, round, gone FROM versions ORDER BY url, version"
VISITS = "SELECT url, round, result, status, found FROM visits ORDER BY url, round"
EARLY = """SELECT 1 FROM revisits r JOIN visits v ON v.step = r.step JOIN rounds n ON n.round = v.round
  WHERE r.age < n.age"""
KNOWN_BY = "SELECT u.url, v.etag FROM validators v JOIN urls u ON u.id = v.candidate ORDER BY 1"


def fill(web: SmallWeb, *, is_later: bool = False) -> None:
    """Two shops that link to each other's homes; later one product has changed, one is gone and one is new."""
    for home, other in zip(HOMES, reversed(HOMES), strict=True):
        products = [f"{home}{number}" for number in range(4 + is_later)]
        web.page(home, *products, other)
        for number, url in enumerate(products):
            item = f"second {url}" if is_later and number == 0 else f"first {url}"
            web.product(url, name=item)
            if number == 2:
                web.reply(url, web.replies[url].body, 'ETag: "same"')  # type: ignore[union-attr]
        if is_later:
            web.reply(products[1], status="410 Gone")


def shards_do(directory: Path, spec: CrawlSpec, number: int | None = None) -> None:
    """Each for itself: the first crawl, or this round."""
    for shard in range(2):
        request = None if number is None else RoundRequest(50, None, number)
        company, path = Membership(shard, OWNERS, 50, "now", request), shard_directory(directory, shard)
        with ThreadPoolExecutor() as threads:
            if number is None:
                run = threads.submit(crawl, spec, path, company=company)
            else:
                run = threads.submit(resume, path, tell=lambda _: None, company=company)
            if said(company, lambda standing: bool(standing.rest)).rest == BUDGET_SPENT:
                grant(company, 50)
            said(company, lambda standing: standing.rest == FRONTIER_EMPTY)
            company.put(Order("now", stop=FRONTIER_EMPTY))
            run.result()
    if number is not None:
        write_round(directory, WholeRound(number, 50, 1.0, has_ended=True))


def test_merged_rounds_are_those_of_one_process(tmp_path: Path) -> None:
    with SmallWeb() as web:
        fill(web)
        spec = spec_for(web, *HOMES, policy="sundog", objective="type:schema:Product")
        crawl(spec, tmp_path / "one")
        many = tmp_path / "many"
        write_layout_of(many, spec)
        shards_do(many, spec)
        first = as_one(many)
        refresh(tmp_path / "one", budget=50)
        shards_do(many, spec, 1)
        fill(web, is_later=True)
        refresh(tmp_path / "one", budget=50)
        shards_do(many, spec, 2)
        merged, one = Crawled(as_one(many)), Crawled(tmp_path / "one")
        assert merged.directory == first
        for query in (VERSIONS, VISITS, KNOWN_BY):
            assert merged.rows(query) == one.rows(query), query
        assert merged.rows(KNOWN_BY)
        for since in (None, "1"):
            assert set(map(repr, changes(many, since))) == set(map(repr, changes(one.directory, since)))
        assert export(many, "nquads", as_of="1").read_text().count("second") == 0
        assert export(many, "nquads").read_text().count("second") == 2
        assert health(many) == health(one.directory)
        with open_readonly(merged.directory) as reader, open_readonly(one.directory) as other:
            assert unfinished_round(reader) is None
            counted, expected = rounds_of(reader), rounds_of(other)
            for each in (*counted, *expected):
                each.pop("began", None)
            assert counted == expected
        check_ages(merged)
        check_that_one_process_goes_on(web, many)


def write_layout_of(directory: Path, spec: CrawlSpec) -> None:
    directory.mkdir()
    (directory / "spec.toml").write_text(spec_text(spec))
    write_layout(directory, Layout(2))


def check_ages(merged: Crawled) -> None:
    """They rise, and no visit is older than its round."""
    ages = merged.column("SELECT age FROM rounds ORDER BY round")
    assert ages == sorted(ages)
    assert merged.rows(EARLY) == []


def check_that_one_process_goes_on(web: SmallWeb, many: Path) -> None:
    """Pages are known again by their ETag."""
    again = merge(many, many.parent / "again")
    asked = len(web.log)
    refresh(again, budget=50, tell=lambda _: None)
    conditional = [each for each in web.log[asked:] if "if-none-match" in each.headers]
    assert len(conditional) == 2


def test_a_round_that_goes_on_in_shards_goes_on_when_merged(tmp_path: Path) -> None:
    with SmallWeb() as web:
        fill(web)
        spec = spec_for(web, *HOMES)
        write_layout_of(tmp_path / "many", spec)
        shards_do(tmp_path / "many", spec)
        assert seconds_until_turn(tmp_path / "many", 60.0, 2.0) == 0.0
        shards_do(tmp_path / "many", spec, 1)
        assert seconds_until_turn(tmp_path / "many", 60.0, 2.0) == 59.0
        write_round(tmp_path / "many", WholeRound(1, 50, 1.0))
        assert seconds_until_turn(tmp_path / "many", 60.0, 2.0) == 0.0
        with open_readonly(as_one(tmp_path / "many")) as reader:
            assert unfinished_round(reader) == 1
