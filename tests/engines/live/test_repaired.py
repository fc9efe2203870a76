"""A crawl that was damaged and repaired is resumed with what was saved, and fetches what was not."""

from __future__ import annotations

from pathlib import Path

import pytest

from sundog.engines.live.run import crawl, resume
from sundog.results.explain import explain
from sundog.store import CrawlStore
from sundog.store.repair.repair import repair
from tests.engines.live.webs import HOME, Crawled, SmallWeb, spec_for, urls

PAGES = urls(*(f"{number}" for number in range(60)))


@pytest.mark.parametrize("policy", ["bfs", "sundog", "anthelion", "random"])
def test_resumed_after_a_repair(web: SmallWeb, tmp_path: Path, policy: str) -> None:
    directory = tmp_path / "crawl"
    web.product(HOME, *PAGES[:5])
    for number, url in enumerate(PAGES):
        web.product(url, *PAGES[2 * number : 2 * number + 8])
    assert crawl(spec_for(web, policy=policy, budget=30, concurrency=4, warc=True), directory)["fetched"] == 30
    done = Crawled(directory)
    with CrawlStore.open(directory) as store:
        waiting = "SELECT max(id) FROM urls WHERE id NOT IN (SELECT candidate FROM outcomes)"
        store.connection.execute(f"DELETE FROM urls WHERE id = ({waiting})")
        lost = "SELECT step FROM log WHERE event IN ('fetched', 'decided') AND step % 3 = 0"
        store.connection.execute(f"DELETE FROM outcomes WHERE step IN ({lost} AND event = 'fetched')")
        store.connection.execute(f"DELETE FROM log WHERE step IN ({lost})")
        store.connection.execute("DELETE FROM log WHERE event = 'seeded'")
    told: list[str] = []
    assert repair(directory, told.append)
    assert any(line.startswith("lost: ") for line in told)
    (saved,) = done.column("SELECT count(*) FROM pages")
    assert 0 < saved < 30
    before = set(web.asked())
    sentences: list[str] = []
    summary = resume(directory, budget=100, tell=sentences.append)
    assert sentences == []
    assert summary["stopped"] == "frontier empty"
    assert len(done.fetched) == len(set(done.fetched)) == summary["fetched"], "nothing is there twice"
    again = [url for url in web.asked_twice() if not url.endswith("robots.txt")]
    assert len(again) == 30 - saved
    assert before <= set(done.fetched)
    assert explain(directory, HOME)


@pytest.mark.parametrize("policy", ["ldcoc", "lnh-sum"])
def test_damaged_again_and_again(web: SmallWeb, tmp_path: Path, policy: str) -> None:
    """With policies that drop what they do not like: what was chosen once can be chosen again."""
    directory, documents = tmp_path / "crawl", [f"{url}.ttl" for url in PAGES]
    for number, url in enumerate([HOME, *documents]):
        lines = [f"<{url}> <http://p.example/> <{target}> ." for target in documents[2 * number : 2 * number + 5]]
        web.reply(url, "\n".join(lines), type_="text/turtle")
    crawl(spec_for(web, policy=policy, budget=30, concurrency=4), directory)
    for round_ in range(3):
        with CrawlStore.open(directory) as store:
            lost = f"SELECT step FROM log WHERE step % 4 = {round_}"
            store.connection.execute(f"DELETE FROM outcomes WHERE step IN ({lost})")
            store.connection.execute(f"DELETE FROM log WHERE step IN ({lost})")
        assert repair(directory, str)
        assert resume(directory, budget=35 + 5 * round_)["stopped"] == "budget"
    done = Crawled(directory).fetched
    assert len(done) == len(set(done)) > 30
