"""The simulator: where a crawl over a static world begins, and its loop, as fast as the session can decide.

One page's way: (1) the session chooses it, (2) it waits ``delay`` fetches, (3) the world gives its
reward and links, (4) the session learns the reward and (5) offers the links.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Any, Unpack

import numpy as np

from sundog._jit import compilation
from sundog.completeness.left import next_look
from sundog.engines.runs import Run, Trace, curve_points
from sundog.errors import SundogError, UsageError
from sundog.model import BUDGET_SPENT, FRONTIER_EMPTY, LITTLE_LEFT, Decision, Fetched, Finished
from sundog.objectives import parse_objective
from sundog.policies import DEFAULT
from sundog.policies.parameters import PolicyParameters
from sundog.policies.presets import AnyPolicy, check_parameters, find_policy
from sundog.policies.static_crawl import HOSTS_EVERY, Choices, StaticPages
from sundog.processes.memory import peak_memory
from sundog.session import CrawlSession
from sundog.worlds.load import AnyWorld, load_world
from sundog.worlds.static import Links, Pages, StaticWorld, Strings

ARGUMENTS = (
    *(
        "policy",
        "budget",
        "objective",
        "start",
        "seed",
        "delay",
        "progress",
        "subset_score",
        "left",
        "stop_left",
        "explore_log",
    ),
)
Progress = Callable[[int, int], None]
SubsetScore = Callable[[Any, Any], float]


@dataclass(frozen=True)
class Start:
    """Where a crawl begins: pages to fetch first, or relevant pages that were crawled before."""

    pages: tuple[int, ...] = (0,)
    crawled: int = 0


def parse_start(text: str | None, world: StaticWorld) -> Start:
    """``None`` (the first page), ``ID|URL[,…]`` or ``random:K``."""
    if text is None:
        return Start()
    if text.startswith("random:"):
        count = text.removeprefix("random:")
        if not count.isdecimal() or int(count) < 1:
            raise UsageError(f"start '{text}': a whole number of pages from 1 on is expected after random:")
        return Start((), int(count))
    pages = tuple(world.row_of(part.strip()) for part in text.split(",") if part.strip())
    if not pages:
        raise UsageError(f"start '{text}' names no page")
    return Start(pages)


def begin(session: CrawlSession, world: StaticWorld, rewards: Any, start: Start, seed: int) -> None:
    """Offer the start's pages, or take in relevant ones, drawn by the seed, as crawled already."""
    if not start.crawled:
        session.add_known(start.pages)
        return
    relevant = np.flatnonzero(rewards > 0)
    if start.crawled > len(relevant):
        raise UsageError(f"start random:{start.crawled}: only {len(relevant)} pages are relevant")
    chosen = np.sort(np.random.default_rng(seed).choice(relevant, start.crawled, replace=False))
    session.add_known(chosen)
    for page in chosen.tolist():
        session.adopt(page, rewards[page], world.links_of(page))


def simulate(
    world: AnyWorld,
    policy: AnyPolicy = DEFAULT,
    *,
    budget: int,
    objective: str = "any",
    start: str | None = None,
    seed: int = 0,
    delay: int = 0,
    progress: Progress | None = None,
    subset_score: SubsetScore | None = None,
    left: bool = False,
    stop_left: float | None = None,
    explore_log: float = 0.0,
    **parameters: Unpack[PolicyParameters],
) -> Run:
    """Crawl a static world.

    Args:
        world: whatever ``load_world`` takes: a path, a frame of links, a networkx graph; or a loaded world.
        policy: a name, or an object with ``scores(candidates)`` and ``learn(outcome)``, or a class of such.
        objective: which pages are relevant, in the grammar of objectives.
        start: as ``--start``; the world's first page by default.
        delay: fetches between a choice and its feedback.
        progress: called now and then with (fetched, budget).
        subset_score: a score of sets of pages that never falls when a page is added, besides their sum
            (``reward``) and their count (``relevant``): called with the ids and the rewards of the pages
            crawled so far, at some moments; the values are the run's ``scores``.
        left: whether the run says how many wanted pages it has left.
        explore_log: the probability of a random page in place of the policy's choice.
        stop_left: end it when at most this share of the wanted pages is missing, as far as the crawl can tell.
        parameters: the policy's own, as ``--set``; ``lambda`` goes as ``**{"lambda": .2}``. Those of an object of
            yours are given when it is made.
    """
    world = load_world(world)
    rewards, near = rewards_of(world, objective), near_misses_of(world, objective)
    check_budget(budget, world)
    chosen = find_policy(policy)
    check_parameters(parameters, [chosen], ARGUMENTS)
    is_scored = len(world.links.scores) > 0
    if chosen.kernels_like:
        warm_up(chosen.name if is_scored else chosen.kernels_like, is_scored)
    crawl = _Crawl(
        world,
        rewards,
        near,
        chosen,
        budget,
        seed,
        parameters,
        left=left,
        stop_left=stop_left,
        explore_log=explore_log,
    )
    begin(crawl.session, world, rewards, parse_start(start, world), seed)
    run = crawl.run(delay, progress)
    return run if subset_score is None else replace(run, scores=_subset_scores(run, world, subset_score))


def _subset_scores(run: Run, world: StaticWorld, score: SubsetScore) -> tuple[tuple[int, float], ...]:
    ids, rewards = world.pages.ids[run.trace.pages], run.trace.rewards
    scores = [(at, float(score(ids[:at], rewards[:at]))) for at in curve_points(run.fetched)]
    for (_, before), (at, after) in pairwise(scores):
        if not after >= before:
            raise UsageError(
                f"subset_score fell from {before:g} to {after:g} at {at} pages: more pages may not score less"
            )
    return tuple(scores)


def rewards_of(world: StaticWorld, objective: str) -> Any:
    """Every page's reward; an objective that no page meets is an error, for nothing could be learned."""
    rewards = np.asarray(parse_objective(objective).rewards(world.pages), float)
    if not np.any(rewards > 0):
        raise SundogError(f"no page of world '{world.name}' meets the objective '{objective}'")
    if not np.all(rewards >= 0):
        raise SundogError(f"world '{world.name}' has pages whose reward is negative or not a number")
    return rewards


def near_misses_of(world: StaticWorld, objective: str) -> Any:
    """How near every page comes, 0 where the objective cannot tell."""
    near = parse_objective(objective).near_misses(world.pages)
    return np.zeros(world.size) if near is None else np.asarray(near, float)


def world_sizes(world: StaticWorld, rewards: Any) -> dict[str, int]:
    """What reports and tables say of a world."""
    return {
        "pages": world.size,
        "hosts": world.hosts,
        "links": len(world.links.targets),
        "relevant": int((rewards > 0).sum()),
        "dropped_links": world.links.dropped,
        "self_loops": world.links.loops,
        "merged_links": world.links.merged,
    }


def check_budget(budget: int, world: StaticWorld) -> None:
    if budget < 1:
        raise UsageError(f"budget {budget}: a budget is at least 1 fetch")
    if budget > world.size:
        raise UsageError(f"budget {budget} is larger than the world: '{world.name}' has {world.size} pages")


class _Crawl:
    """One run's session and its records."""

    def __init__(
        self,
        world: StaticWorld,
        rewards: Any,
        near: Any,
        policy: AnyPolicy,
        budget: int,
        seed: int,
        parameters: Mapping[str, Any],
        *,
        left: bool = False,
        stop_left: float | None = None,
        explore_log: float = 0.0,
    ) -> None:
        self.world, self.rewards, self.near, self.seed = world, rewards, near, seed
        self.session = CrawlSession(
            policy=policy,
            budget=budget,
            seed=seed,
            source=world,
            truth=rewards,
            propensities=False,
            tracks_left=left or stop_left is not None,
            explore_log=explore_log,
            **parameters,
        )
        self.tells_left, self.stop_left = left or stop_left is not None, stop_left
        self.next_look = next_look(0)
        self.choices = Choices(
            np.zeros(budget, np.int32),
            np.zeros(budget),
            np.zeros(budget, np.int64),
            np.zeros(budget // HOSTS_EVERY + 1, np.int32),
        )

    def run(self, delay: int, progress: Progress | None) -> Run:
        begun = time.perf_counter()
        in_kernels = not delay and not len(self.world.links.scores) and self.session.crawls_static()
        stopped = self._many_steps(progress) if in_kernels else self._loop(delay, progress)
        return self._result(stopped, time.perf_counter() - begun)

    def _many_steps(self, progress: Progress | None) -> str:
        """The same as ``_loop``, many steps at a time, if all that happens between them is in kernels."""
        session, links, report_every = self.session, self.world.links, max(1, self.session.budget // 100)
        pages = StaticPages(self.rewards, self.near, links.starts, links.targets, links.anchors, links.paths)
        while session.fetched < session.budget:
            before = session.fetched
            next_report = before - before % report_every + report_every
            session.crawl_static(pages, self.choices, min(session.budget, next_report))
            if session.fetched == before:
                return FRONTIER_EMPTY
            if progress and session.fetched % report_every == 0:
                progress(session.fetched, session.budget)
        return BUDGET_SPENT

    def _loop(self, delay: int, progress: Progress | None) -> str:
        session, clock = self.session, time.perf_counter_ns
        pages, estimates, select_ns, hosts = self.choices
        in_flight: deque[Decision] = deque()
        budget, report_every, chosen = session.budget, max(1, session.budget // 100), 0
        while True:
            before = clock()
            answer = session.next_decision()
            elapsed = clock() - before
            if type(answer) is Decision:
                pages[chosen], estimates[chosen] = answer.candidate, answer.estimate
                select_ns[chosen] = elapsed
                if chosen % HOSTS_EVERY == 0:
                    hosts[chosen // HOSTS_EVERY] = session.hosts_found
                chosen += 1
                in_flight.append(answer)
                if len(in_flight) <= delay:
                    continue
            elif isinstance(answer, Finished):
                return answer.reason
            self._deliver(in_flight.popleft())
            if self.stop_left is not None and self._is_little_left(self.stop_left):
                return LITTLE_LEFT
            if progress and session.fetched % report_every == 0:
                progress(session.fetched, budget)

    def _is_little_left(self, share: float) -> bool:
        if self.session.fetched < self.next_look:
            return False
        self.next_look = next_look(self.session.fetched)
        return self.session.left().is_at_most(share)

    def _deliver(self, decision: Decision) -> None:
        page = decision.candidate
        outcome = Fetched(self.rewards.item(page), self.world.links_of(page), self.near.item(page))
        self.session.observe(decision, outcome)

    def _result(self, stopped: str, seconds: float) -> Run:
        session, n = self.session, self.session.fetched
        chosen = self.choices
        pages = chosen.pages[:n].copy()
        trace = Trace(
            pages,
            self.rewards[pages],
            chosen.estimates[:n].copy(),
            chosen.select_ns[:n].copy(),
            np.repeat(chosen.hosts, HOSTS_EVERY)[:n],
        )
        return Run(
            policy=session.policy.name,
            seed=self.seed,
            budget=session.budget,
            fetched=n,
            relevant=session.relevant,
            reward=session.reward,
            seconds=seconds,
            peak_rss_mb=peak_memory() / (1 << 20),
            stopped=stopped,
            trace=trace,
            left=session.left().all if self.tells_left else None,
        )


@cache
def warm_up(policy: str, is_scored: bool) -> None:
    """Compile or load every kernel that such a policy needs, so that no run is timed with it. Scored links need
    more of them."""
    urls = b"http://a.example/http://a.example/b/1"
    strings = Strings(np.frombuffer(urls, np.uint8), np.array([0, 17, len(urls)]))
    links = Links(np.array([0, 1, 1]), np.array([1], np.int32), scores=np.ones(int(is_scored)))
    world = StaticWorld("warm-up", Pages(np.arange(2), strings), links)
    with compilation("simulate"):
        crawl = _Crawl(world, np.ones(2), np.zeros(2), policy, 2, 0, {})
        begin(crawl.session, world, crawl.rewards, Start(), 0)
        crawl.run(0, None)
