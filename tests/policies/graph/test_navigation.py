"""Navigational rank against dense matrices, iterated until nothing changes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sundog import CrawlSession, Decision, Fetched, Link
from sundog.policies.graph.arrays import SINCE_REFRESH
from sundog.policies.graph.chooser import GraphChooser
from tests.policies.graph.test_exactness import World, world_of


def dense_ranks(world: World, crawled: list[int], d: float) -> Any:
    size = len(world.rewards)
    links = np.zeros((size, size))
    for page in crawled:
        for target, _ in world.links[page]:
            links[page, target] = target != page
    degrees_in, degrees_out = links.sum(0), links.sum(1)
    scores = np.zeros(size)
    scores[crawled] = [world.rewards[page] for page in crawled]
    up, down = np.zeros(size), np.zeros(size)
    for _ in range(200):
        given = links @ (up / np.maximum(degrees_in, 1))
        up = d * scores + (1 - d) * given / np.maximum(degrees_out, 1)
    for _ in range(200):
        given = links.T @ (down / np.maximum(degrees_out, 1))
        down = d * up + (1 - d) * given / np.maximum(degrees_in, 1)
    return down


@pytest.mark.parametrize(("refresh", "d"), [(1, 0.5), (7, 0.5), (7, 0.15), (7, 0.9)])
def test_ranks_are_those_of_the_dense_iteration(refresh: int, d: float) -> None:
    world = world_of(3, 150, 3, grid=False)
    session = CrawlSession(policy="navigational-rank", budget=100, refresh=refresh, d=d)
    session.add([world.url(node) for node in (0, 1, 2)])
    crawled: list[int] = []
    assert isinstance(session.chooser, GraphChooser)
    totals = session.chooser._graph.totals
    for _ in range(90):
        decision = session.next_decision()
        assert isinstance(decision, Decision)
        node = int(decision.url.rpartition("/")[2])
        if totals[SINCE_REFRESH] == 1:
            assert decision.score == pytest.approx(dense_ranks(world, crawled, d)[node], rel=1e-3, abs=1e-5)
        crawled.append(node)
        session.observe(decision, world.page(node))
    assert session.reward > 0


def test_a_page_that_leads_to_rich_ones_makes_its_other_links_promising() -> None:
    session = CrawlSession(policy="navigational-rank", budget=10, refresh=1)
    poor, rich = "http://a.example/poor", "http://a.example/rich"
    pages = {
        "http://a.example/1": (0.0, [poor]),
        "http://a.example/2": (1.0, [rich]),
    }
    session.add(list(pages))
    for _ in pages:
        decision = session.next_decision()
        assert isinstance(decision, Decision)
        reward, links = pages[decision.url]
        session.observe(decision, Fetched(reward, [Link(url) for url in links]))
    decision = session.next_decision()
    assert isinstance(decision, Decision)
    assert decision.url == rich
