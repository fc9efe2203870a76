"""Links of pages that were not fetched, and the pages that only these lead to."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from benchmarks.recording import crawled

from sundog.frontier.catalog import Catalog
from sundog.replay.imputation import Imputation, calibrate, knowledge
from sundog.replay.record import NOT_ASKED, Fetch, Record, Settings, read_record
from sundog.replay.unseen import Beyond, Unseen, marks, parts
from sundog.store import open_readonly
from sundog.worlds.static import StaticWorld


def facts_of(catalog: Catalog, page: int) -> list[object]:
    catalog.keep_tokens()
    facts = catalog.facts
    tokens = facts.tokens[facts.token_start[page] : facts.token_start[page + 1]]
    path = facts.path_tokens[facts.path_start[page] : facts.path_start[page + 1]]
    return [facts.shape[page].tolist(), tokens.tolist(), path.tolist(), facts.numbers[page].tolist()]


@pytest.mark.parametrize(
    "url",
    [
        "http://a.example/",
        "http://a.example",
        "http://a.example/b/c-12.html?d=1&e=2",
        "http://a.example/2024/05/x",
    ],
)
def test_a_copy_has_the_facts_of_its_original(url: str) -> None:
    catalog = Catalog()
    copies = [f"{url}#{marks(number)}" for number in (0, 7, 8, 1000)]
    ids = catalog.add([url, *copies]).tolist()
    assert len(set(ids)) == 5
    assert all(facts_of(catalog, copy) == facts_of(catalog, ids[0]) for copy in ids)
    assert catalog.hosts == 1


def test_a_new_host_has_the_words_of_the_one_that_it_is_like() -> None:
    catalog = Catalog()
    scheme, host, path = parts("http://a.example/b/12")
    old, new = catalog.add(["http://a.example/b/12", f"{scheme}{host}{marks(3)}{path}#"]).tolist()
    assert catalog.hosts == 2
    assert facts_of(catalog, new)[1:] == facts_of(catalog, old)[1:]
    assert facts_of(catalog, new)[0][:2] == facts_of(catalog, old)[0][:2], "but directories name their host"  # type: ignore[index]


@pytest.fixture(scope="module")
def record(small_world: StaticWorld, tmp_path_factory: pytest.TempPathFactory) -> Record:
    directory = tmp_path_factory.mktemp("log") / "crawl"
    crawled(directory, small_world, "sundog", budget=300, objective="any", seed=3, explore_log=0.1)
    with open_readonly(directory) as reader:
        return read_record(reader, Settings.of(reader))


def test_links_lead_to_known_pages_or_to_copies_on_hosts_that_end(record: Record) -> None:
    unseen = Unseen(record)
    beyond = Beyond(unseen, "seed")
    open_pages = np.flatnonzero(record.kind == NOT_ASKED).tolist()
    asked = 0
    while open_pages and asked < 3_000:
        page, asked = open_pages.pop(), asked + 1
        known = beyond.catalog.size
        links = beyond.links_of(page, relevant=asked % 3 == 0)
        assert links is not None
        assert len(links.targets) == len(links.anchors)
        assert links.targets.max(initial=-1) < beyond.catalog.size
        open_pages += range(known, beyond.catalog.size)
    copies = np.arange(unseen.pages, beyond.catalog.size)
    assert len(copies) > 100
    assert all(0 <= beyond.origin(copy) < unseen.pages for copy in copies.tolist())
    hosts = beyond.catalog.facts.host[copies]
    visited = np.flatnonzero(unseen.is_visited)
    of_visited = np.bincount(hosts, minlength=beyond.catalog.hosts)[visited]
    assert (of_visited <= np.floor(unseen.room[visited])).all()
    assert record.catalog.size == unseen.pages, "the log's own catalog stays as it is"


def test_the_same_seed_gives_the_same_world(record: Record) -> None:
    unseen, pages = Unseen(record), np.flatnonzero(record.kind == NOT_ASKED)[:50].tolist()
    worlds = [Beyond(unseen, seed) for seed in ("1", "1", "2")]
    links = [[beyond.links_of(page, False).targets.tolist() for page in pages] for beyond in worlds]  # type: ignore[union-attr]
    assert links[0] == links[1] != links[2]


def test_what_a_judge_knows(record: Record) -> None:
    """Nothing, where pages are relevant by chance: then all pages have the same probability, near their mean."""
    assert knowledge(record) > 0.99
    rng = np.random.default_rng(1)
    fetches = record.fetches

    def by_chance(fetch: Fetch) -> Fetch:
        return fetch._replace(relevant=bool(rng.random() < 0.3), expected=float(rng.random()))

    try:
        record.fetches = [by_chance(fetch) for fetch in fetches]
        imputation = Imputation(record, calibrate(record))
        assert imputation.knowledge < 0.01
        found = sum(fetch.relevant for fetch in record.fetches) / len(fetches)
        assert np.allclose(imputation.likely()[imputation.pages], found, atol=0.02)
        world = imputation.world(rng)
        assert abs(world.relevant[imputation.pages].mean() - found) < 0.1
    finally:
        record.fetches = fetches


def test_a_log_without_a_page(tmp_path: Path) -> None:
    catalog = Catalog()
    catalog.add(["http://a.example/"])
    unseen = Unseen(Record(catalog, np.zeros(1, np.int8), np.zeros(1, bool)))
    assert Beyond(unseen, "1").links_of(0, relevant=False) is None
