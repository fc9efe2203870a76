"""What breadth-first order would have given: against crawls of which the truth is known."""

from __future__ import annotations

from collections import deque
from pathlib import Path

import numpy as np
import pytest
from benchmarks.recording import stored

from sundog import simulate
from sundog.model import LinkBatch
from sundog.report.crawl.bfs import bfs_order, estimate_bfs, fetches_to_trust, means_of
from sundog.report.crawl.fetches import host_and_part, read_fetches
from sundog.store import CrawlReader, CrawlStore, Observed, Seeded, open_readonly
from sundog.worlds.static import StaticWorld
from tests.report.test_crawl_report import NONE, decided, ids


def queued_order(reader: CrawlReader, fetched: int) -> list[int]:
    """The obvious program."""
    links: dict[int, list[int]] = {}
    for source, target in reader.connection.execute("SELECT src, dst FROM links"):
        links.setdefault(source, []).append(target)
    queue, seen, order = deque([0]), {0}, []
    while queue and len(order) < fetched:
        order.append(queue.popleft())
        for target in links.get(order[-1], []):
            if target not in seen:
                seen.add(target)
                queue.append(target)
    return order


@pytest.mark.parametrize("policy", ["sundog", "random", "bfs"])
def test_the_order_is_that_of_a_queue(policy: str, small_world: StaticWorld, tmp_path: Path) -> None:
    crawl = stored(tmp_path / "crawl", small_world, simulate(small_world, policy, budget=300))
    with open_readonly(crawl) as reader:
        fetches = read_fetches(reader)
        order = bfs_order(reader, fetches).tolist()
        assert order == queued_order(reader, 300)
        if policy == "bfs":
            assert order == fetches.rows["candidate"].tolist()


def test_a_breadth_first_crawl_needs_no_guess(small_world: StaticWorld, tmp_path: Path) -> None:
    run = simulate(small_world, "bfs", budget=300)
    with open_readonly(stored(tmp_path / "crawl", small_world, run)) as reader:
        estimate = estimate_bfs(reader, read_fetches(reader))
    assert estimate.known == len(estimate) == 300
    assert estimate.least.sum() == estimate.likely.sum() == estimate.most.sum() == run.relevant


def test_the_estimate_is_nearer_to_the_truth_than_its_range(small_world: StaticWorld, tmp_path: Path) -> None:
    truth = simulate(small_world, "bfs", budget=300).relevant
    crawl = stored(tmp_path / "crawl", small_world, simulate(small_world, "sundog", budget=300))
    with open_readonly(crawl) as reader:
        estimate = estimate_bfs(reader, read_fetches(reader))
    least, likely, most = (each.sum() for each in (estimate.least, estimate.likely, estimate.most))
    assert least <= likely <= most
    assert abs(likely - truth) < max(truth - least, most - truth)
    assert abs(likely - truth) < 0.4 * truth


def test_what_was_refused_costs_nothing_and_later_seeds_come_later(tmp_path: Path) -> None:
    with CrawlStore.create(tmp_path / "crawl", "") as store:
        store.append(Seeded(ids(0)), urls=["http://a.example/"])
        store.append(decided(0, 1.0))
        links = LinkBatch(ids(1, 2, 3), NONE, NONE)
        urls = [f"http://a.example/{i}" for i in (1, 2, 3)]
        store.append(Observed(0, 1.0, "fetched", 1.0, "", links), urls=urls)
        store.append(decided(1, 2.0))
        store.append(Observed(1, 2.0, "refused", reason="robots"))
        store.append(decided(3, 3.0))
        store.append(Observed(3, 3.0, "failed", reason="dns"))
        store.append(Seeded(ids(4)), urls=["http://b.example/"])
        store.append(decided(4, 4.0))
        store.append(Observed(4, 4.0, "fetched", 1.0))
    with open_readonly(tmp_path / "crawl") as reader:
        fetches = read_fetches(reader)
        assert fetches.rows["candidate"].tolist() == [0, 3, 4]
        assert bfs_order(reader, fetches).tolist() == [0, 2, 3]
        estimate = estimate_bfs(reader, fetches)
    assert estimate.known == 2
    assert estimate.least.tolist() == [1, 0, 0]
    assert 0 < estimate.likely[1] < 1


def test_guesses_go_from_the_part_to_the_host_to_the_whole(small_world: StaticWorld, tmp_path: Path) -> None:
    crawl = stored(tmp_path / "crawl", small_world, simulate(small_world, "random", budget=200))
    with open_readonly(crawl) as reader:
        fetches = read_fetches(reader)
    means = means_of(fetches, late=False)
    assert means.guess(ids(-1), ids(-1)).tolist() == [means.whole]
    assert means.guess(ids(3), ids(-1)).tolist() == [means.by_host[3]]
    assert means.guess(ids(3), ids(5)).tolist() == [means.by_part[5]]
    chosen = fetches.rows["host"] == 3
    own = float(fetches.relevant[chosen].mean())
    assert min(own, means.whole) <= means.by_host[3] <= max(own, means.whole)


@pytest.mark.parametrize(("spread", "low", "high"), [(0.0, 50, 100), (0.5, 1, 1.5), (0.25, 1.5, 6)])
def test_groups_that_differ_by_chance_only_are_not_trusted(spread: float, low: float, high: float) -> None:
    rng = np.random.default_rng(3)
    groups = np.repeat(np.arange(500), 20)
    share = np.where(np.arange(500) % 2, 0.5 - spread, 0.5 + spread)
    relevant = rng.random(len(groups)) < share[groups]
    assert low <= fetches_to_trust(groups, relevant, np.full(500, relevant.mean())) <= high


def test_hosts_are_those_of_the_views(tmp_path: Path) -> None:
    urls = ["http://a.example:80/x/y", "http://u:p@b.example?q/r", "http://c.example#f/g", "https://d.example"]
    with CrawlStore.create(tmp_path / "crawl", "") as store:
        store.append(Seeded(np.arange(len(urls))), urls=urls)
    with open_readonly(tmp_path / "crawl") as reader:
        rows = reader.connection.execute("SELECT url, host FROM hosts_of_urls").fetchall()
    assert [host_and_part(url)[0] for url, _ in rows] == [host for _, host in rows]
