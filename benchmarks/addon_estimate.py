"""How far what the add-ons say of breadth-first order is from the truth, on crawls of single real sites.

The queue of the add-ons crawls every other site of a data set for up to three objectives, with 40, 120 and 400
requests; ``bfs`` has as many.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.common import print_table
from benchmarks.families.single_sites import objectives_of, sites_of
from benchmarks.sites import reachable
from sundog import load_world, simulate
from sundog.contrib.breadth_first import Range
from sundog.contrib.policy_queue import Lease, PolicyQueue
from sundog.engines.simulate import rewards_of
from sundog.model import Fetched, Link
from sundog.worlds.static import StaticWorld

BUDGETS, OBJECTIVES, LARGEST_SHARE = (40, 120, 400), 3, 0.7
COLUMNS = ("requests", "crawls", "found", "`bfs`", "guessed", "off by, of all pages", "`bfs` within the range")


class Crawl(NamedTuple):
    budget: int
    found: float
    truth: int
    guess: Range


def crawls(site: StaticWorld) -> Iterator[Crawl]:
    reach = reachable(site)
    for objective in islice(objectives_of(site, reach), OBJECTIVES):
        rewards = rewards_of(site, objective) > 0
        for budget in BUDGETS:
            if budget <= LARGEST_SHARE * reach.sum():
                truth = simulate(site, "bfs", budget=budget, objective=objective).relevant
                queue = crawled(site, rewards, budget)
                yield Crawl(budget, queue.reward, truth, queue.reward_of_breadth_first())


def crawled(site: StaticWorld, rewards: Sequence[bool], budget: int) -> PolicyQueue:
    queue, urls, page_of = PolicyQueue(policy="sundog", budget=budget), site.pages.urls, {site.pages.urls[0]: 0}
    queue.offer(urls[0])
    while isinstance(lease := queue.choose(0.0), Lease):
        page = page_of[lease.name]
        for target, anchor, path in zip(*_links(site, page), strict=True):
            if page_of.setdefault(urls[target], target) == target and queue.is_new(urls[target]):
                queue.found(lease, Link(urls[target], anchor, path))
        queue.settle(lease, Fetched(float(rewards[page])))
    return queue


def _links(site: StaticWorld, page: int) -> tuple[list[int], list[str], list[str]]:
    batch, texts = site.links_of(page), site.links.texts
    columns = (batch.anchors.tolist(), batch.paths.tolist())
    anchors, paths = ([texts[number] if number >= 0 else "" for number in column] for column in columns)
    return batch.targets.tolist(), anchors, paths


def row(done: Sequence[Crawl], budget: int) -> tuple[str, ...]:
    some = [each for each in done if each.budget == budget]
    off = np.array([(each.guess.likely - each.truth) / each.budget for each in some])
    inside = [each.guess.least - 0.5 <= each.truth <= each.guess.most + 0.5 for each in some]
    figures = [(each.found, each.truth, each.guess.likely) for each in some]
    means = [f"{mean:.0f}" for mean in np.mean(figures, axis=0)]
    spread = f"{off.mean():+.2f}, root mean square {np.sqrt((off**2).mean()):.2f}"
    return f"{budget}", f"{len(some)}", *means, spread, f"{np.mean(inside):.0%}"


def main(world: str) -> None:
    done = [each for site in islice(sites_of(load_world(Path(world))), 0, None, 2) for each in crawls(site)]
    title = f"What breadth-first order would have found: {Path(world).name}"
    print_table(title, COLUMNS, [row(done, budget) for budget in BUDGETS])


if __name__ == "__main__":
    main(*sys.argv[1:])
