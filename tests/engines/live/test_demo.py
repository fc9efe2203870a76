"""A crawl of the synthetic web, whose truth is known."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from sundog.demo_web.answers import address_of
from sundog.demo_web.serving import Served, serving
from sundog.engines.live.run import crawl
from sundog.spec import CrawlSpec
from sundog.spec.crawl import Following
from sundog.store.query import query
from tests.engines.live.webs import Crawled

BUDGET = 600


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(seed=4, hosts=12, pages=2_000, log=tmp_path_factory.mktemp("demo") / "log") as web:
        yield web


@pytest.fixture(scope="module")
def done(served: Served, tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    directory = tmp_path_factory.mktemp("demo") / "crawl"
    return Crawled(directory, crawl(spec_of(served, concurrency=16), directory))


def spec_of(served: Served, *, concurrency: int, budget: int = BUDGET) -> CrawlSpec:
    return CrawlSpec(
        seeds=tuple(served.seeds),
        objective="any",
        budget=budget,
        delay=0.0,
        concurrency=concurrency,
        connect_to=served.connect_to,
        following=Following(retries=1),
    )


def test_it_ends_by_its_budget(done: Crawled) -> None:
    assert (done.summary["stopped"], done.summary["fetched"]) == ("budget", BUDGET)
    kept = json.loads((done.directory / "summary.json").read_text())
    assert kept == done.summary
    assert done.rows("SELECT count(*), sum(relevant), sum(reward) FROM pages") == [
        (BUDGET, kept["relevant"], kept["reward"])
    ]


def test_rewards_are_the_truth(done: Crawled, served: Served) -> None:
    facts = served.truth.facts
    wrong = [
        (url, reward, facts[url].has_markup)
        for url, reward, fault in done.rows("SELECT url, reward, fault FROM pages WHERE status = 200")
        if url in facts and not fault and (reward > 0) != facts[url].has_markup
    ]
    assert wrong == []
    assert sum(url in facts for url in done.fetched) > BUDGET / 2


def test_nothing_forbidden_and_nothing_twice(done: Crawled, served: Served) -> None:
    asked: Counter[tuple[str, str]] = Counter()
    for _ in range(600):  # the server writes its log now and then
        asked = Counter((one.host, one.target) for one in served.requests() if one.target != "/robots.txt")
        if sum(asked.values()) >= BUDGET:
            break
        time.sleep(0.1)
    assert sum(asked.values()) >= BUDGET
    forbidden = {site.plan.host for site in served.web.sites if site.plan.corners.forbidden}
    assert not [
        target for host, target in asked if host in forbidden and target.startswith(("/private", "/search"))
    ]
    healable = done.column("SELECT url FROM outcomes JOIN urls ON urls.id = candidate WHERE trouble IN ("
                           "'connection-lost', 'http-5xx', 'timeout-first-byte', 'rate-limited')")  # fmt: skip
    tried_again = {tuple(url.split("://")[1].split("/", 1)) for url in healable}
    twice = [(host, target) for (host, target), times in asked.items() if times > 1]
    assert [one for one in twice if (one[0], one[1][1:]) not in tried_again] == []


def test_other_names_of_a_page_earn_nothing(done: Crawled) -> None:
    """Print versions, index pages, session ids: of all names of a page one is paid."""
    paid = Counter(
        (url.split("/", 3)[2], address_of("/" + url.split("/", 3)[3]).path)
        for url, reward in done.rewards.items()
        if reward > 0
    )
    assert [name for name, times in paid.items() if times > 1] == []


def test_statements_can_be_asked(done: Crawled) -> None:
    answer = query(done.directory, "SELECT (COUNT(DISTINCT ?g) AS ?pages) { GRAPH ?g { ?s ?p ?o } }")
    assert answer.behind == 0
    assert int(answer.texts()[0][0]) == done.rows("SELECT count(DISTINCT page) FROM page_statements")[0][0]


def test_the_same_seed_makes_the_same_choices(tmp_path: Path) -> None:
    """Where no host wants a rest or lets one wait: what comes first then is for the clock to say."""
    with serving(seed=4, hosts=12, pages=2_000, corners=False) as served:
        for name in ("one", "two"):
            crawl(spec_of(served, concurrency=1, budget=60), tmp_path / name)
    assert Crawled(tmp_path / "one").choices == Crawled(tmp_path / "two").choices
