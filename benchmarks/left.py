"""How much is left: do intervals cover what a crawl has not fetched, and what does stopping by them lose and save?

Every site of the worlds with 50 reachable pages or more, and up to four objectives that 1 to 100% of them meet,
with 5 wanted pages or more; a crawl from the site's entry page to its end. At 20, 30, … 90% of the reachable pages
the interval is compared with what is truly left, in whole pages. Then, for objectives that half of the pages meet
or fewer: where ``stop = { left = "2%" }`` ends the crawl. With ``--rounds N``, each site N times, first as it is,
then with its links in other orders. With ``--data DIR``, also crawls of many hosts: random halves of the hosts of
``DIR/sites-small``.

The constants of ``sundog.completeness`` were chosen on every second of these sites. So one table chooses others
blindly, on one collection by a score, and looks at what they cover on the other one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

import numpy as np

from benchmarks.common import print_table
from benchmarks.families.many_hosts import half_of
from benchmarks.families.parts import jittered
from benchmarks.families.single_sites import objectives_of, sites_of
from benchmarks.sites import OBJECTIVES, reachable
from sundog import CrawlSession, Decision, Fetched, load_world
from sundog.completeness.estimate import Constants, Expected, Left, interval
from sundog.completeness.left import next_look
from sundog.engines.simulate import near_misses_of, rewards_of
from sundog.errors import SundogError
from sundog.worlds.static import StaticWorld

LEAST_PAGES, LEAST_WANTED, SHARE, MOST_OBJECTIVES = 50, 5, (0.01, 1.0), 4
MARKS = np.arange(0.2, 0.95, 0.1)
STOP, PART = 0.02, 0.5
SUBSETS, LEAST_OF_MANY = 6, 20
POLICIES = ("sundog", "bfs", "success-rate")
DRAWS, MISSED = 300, 20.0  # sets of constants that are tried; what an end that missed costs, of a 90% interval
LEAST_CONSTANTS, MOST_CONSTANTS = (0.3, 0.05, 0.3, 0.05, -6.0, 1.0), (1.5, 0.8, 2.0, 5.0, -1.0, 5.0)


class Case(NamedTuple):
    """One moment of a crawl."""

    at: float  # share of the reachable pages that was fetched
    left: int
    told: Left
    expected: Expected  # of all hosts together, whatever the constants

    @property
    def covered(self) -> bool:
        return round(self.told.low) <= self.left <= round(self.told.high)

    def told_with(self, constants: Constants) -> Case:
        found = self.expected._replace(hidden=self.expected.hidden * constants.found_yield)
        return self._replace(told=interval(found, constants))

    @property
    def score(self) -> float:
        """The interval score, of logarithms: how wide it is, and how far it missed."""
        low, left, high = (math.log1p(end) for end in (round(self.told.low), self.left, round(self.told.high)))
        return high - low + MISSED * (max(0.0, low - left) + max(0.0, left - high))


class Crawled(NamedTuple):
    site: str
    objective: str
    reach: int
    wanted: int
    cases: list[Case]
    stopped: float  # share of the reachable pages that was fetched by then
    lost: float  # of the wanted pages


def crawl(site: StaticWorld, objective: str, reach: int, wanted: int, policy: str) -> Crawled:
    rewards, near = rewards_of(site, objective), near_misses_of(site, objective)
    session = CrawlSession(policy=policy, budget=reach, source=site, propensities=False, tracks_left=True)
    session.add_known([0])
    marks = {max(1, int(reach * mark)): mark for mark in MARKS}
    cases, stopped, lost, look = [], 1.0, 0.0, next_look(0)
    while isinstance(decision := session.next_decision(), Decision):
        page = decision.candidate
        session.observe(decision, Fetched(rewards.item(page), site.links_of(page), near.item(page)))
        if session.fetched in marks:
            told = session.left()
            expected = Expected(*(float(np.sum(part)) for part in told.expected))
            expected = expected._replace(hidden=expected.hidden / told.constants.found_yield)
            cases.append(Case(marks[session.fetched], wanted - session.relevant, told.all, expected))
        if stopped == 1.0 and session.fetched >= look:
            look = next_look(session.fetched)
            if session.left().all.share(session.relevant) <= STOP:
                stopped, lost = session.fetched / reach, 1 - session.relevant / wanted
    return Crawled(site.name, objective, reach, wanted, cases, stopped, lost)


def crawls(world: StaticWorld, policy: str, repeats: int) -> Iterator[Crawled]:
    for site in sites_of(world, LEAST_PAGES):
        reach = reachable(site)
        if (pages := int(reach.sum())) >= LEAST_PAGES:
            found = objectives_of(site, reach, SHARE, LEAST_WANTED)
            for repeat in range(repeats):
                same = jittered(site, np.random.default_rng(repeat)) if repeat else site
                for objective, wanted in islice(found.items(), MOST_OBJECTIVES):
                    yield crawl(same, objective, pages, wanted, policy)


def crawls_of_many_hosts(world: StaticWorld, policy: str) -> Iterator[Crawled]:
    for seed in range(SUBSETS):
        half = half_of(world, seed)
        reach = reachable(half)
        for objective in OBJECTIVES:
            try:
                wanted = int(((rewards_of(half, objective) > 0) & reach).sum())
            except SundogError:
                continue  # nothing of the kind on these hosts
            if wanted >= LEAST_OF_MANY:
                yield crawl(half, objective, int(reach.sum()), wanted, policy)


def coverage(done: Sequence[Crawled]) -> tuple[str, ...]:
    cases = [case for one in done for case in one.cases]
    error = np.array([np.log1p(case.left) - np.log1p(case.told.estimate) for case in cases])
    width = np.median([np.log1p(case.told.high) - np.log1p(case.told.low) for case in cases])
    early, late = ([case.covered for case in cases if (case.at > 0.55) == is_late] for is_late in (False, True))
    sites = {
        one.site: [case.covered for each in done if each.site == one.site for case in each.cases] for one in done
    }
    return (
        f"{len(sites)}",
        f"{len(done)}",
        f"**{mean(case.covered for case in cases):.3f}**",
        f"{mean(mean(each) for each in sites.values()):.3f}",
        f"{mean(early):.3f}, {mean(late):.3f}",
        f"{mean(case.left > round(case.told.high) for case in cases):.3f}",
        f"{np.exp(np.median(np.abs(error))):.2f}",
        f"{np.exp(width):.1f}",
    )


def stopping(done: Sequence[Crawled]) -> tuple[str, ...]:
    part = [one for one in done if one.wanted <= PART * one.reach]
    return (
        f"{len(part)}",
        f"**{1 - mean(one.stopped for one in part):.3f}**",
        f"**{mean(one.lost for one in part):.4f}**",
        f"{max(one.lost for one in part):.3f}",
        f"{mean(one.stopped < 1 for one in part):.2f}",
        f"{1 - mean(one.stopped for one in done):.3f}, {mean(one.lost for one in done):.4f}",
        ", ".join(f"{1 - mean((1 - STOP) * one.wanted / one.reach for one in of):.3f}" for of in (part, done)),
    )


def chosen_blindly(by_world: dict[str, list[Crawled]]) -> Iterator[tuple[str, ...]]:
    """Of random constants, those that score best on one collection; and how they do on each."""
    rng = np.random.default_rng(1)
    drawn = [Constants(*rng.uniform(LEAST_CONSTANTS, MOST_CONSTANTS).tolist()) for _ in range(DRAWS)]
    for chosen_on, done in by_world.items():
        cases = [case for one in done for case in one.cases]
        best = min(drawn, key=lambda constants: sum(case.told_with(constants).score for case in cases))
        for name, other in by_world.items():
            told = [one._replace(cases=[case.told_with(best) for case in one.cases]) for one in other]
            words = ", ".join(f"{value:.2f}" for value in best)
            yield chosen_on, name if name != chosen_on else "the same", *coverage(told), words


def main(
    worlds: Sequence[str], policies: Sequence[str] = (), data: str | None = None, repeats: int | None = None
) -> None:
    if not worlds and not data:
        print("### How much is left\n\nNot run: name worlds of real sites with --sites WORLD … or --data DIR\n")
        return
    covered: list[Any] = []
    stopped: list[Any] = []
    blindly: list[Any] = []
    for policy in policies or POLICIES:
        found = {Path(path).name: list(crawls(load_world(path), policy, repeats or 1)) for path in worlds}
        if len(found) > 1:
            blindly += [(f"`{policy}`", *row) for row in chosen_blindly(found)]
        if data:
            found["many hosts"] = list(crawls_of_many_hosts(load_world(Path(data) / "sites-small"), policy))
        for name, done in found.items():
            covered.append((f"`{policy}`", name, *coverage(done)))
            stopped.append((f"`{policy}`", name, *stopping(done)))
    columns = (
        "sites",
        "crawls",
        "covered",
        "mean of sites",
        "to 50%, from 60%",
        "above",
        "median error ×",
        "width ×",
    )
    print_table("90% intervals at 20 to 90% crawled", ("policy", "collection", *columns), covered)
    if blindly:
        print_table("Constants chosen blindly", ("policy", "on", "looked at", *columns, "constants"), blindly)
    columns = (
        *("crawls", "saved", "lost", "most", "ended early", "all objectives: saved, lost"),
        "by one who knows all pages: these, all",
    )
    print_table('`stop = { left = "2%" }`', ("policy", "collection", *columns), stopped)
