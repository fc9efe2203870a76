"""A crawl in many shards, simulated in one process over a static world.

Time passes in rounds. In a round every shard fetches up to ``exchange`` pages, one after the other, as far as its
lease of the budget allows. Then shards exchange what has gathered: links to pages of other shards, what was
learned, and leases. So whatever one shard finds out, others know when the round has ended, and not before.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from sundog.engines.runs import Run, Trace
from sundog.engines.shard_source import ShardSource
from sundog.engines.simulate import (
    Progress,
    check_budget,
    near_misses_of,
    parse_start,
    rewards_of,
    warm_up,
)
from sundog.errors import UsageError
from sundog.learn.sharing import Learned
from sundog.model import BUDGET_SPENT, FRONTIER_EMPTY, Decision, Fetched, LinkBatch
from sundog.policies import DEFAULT
from sundog.policies.hosts.presets import HostPolicy
from sundog.policies.presets import check_parameters, find_policy
from sundog.processes.memory import peak_memory
from sundog.replay import why_alone
from sundog.session import CrawlSession
from sundog.sharding.budget import Amounts, BudgetPool, Lease, Report
from sundog.sharding.learning import LearningPool
from sundog.sharding.ownership import Owners
from sundog.worlds.load import AnyWorld, load_world
from sundog.worlds.static import StaticWorld

EXCHANGE = 50  # fetches of a shard in the few seconds between two exchanges
MOST_SHARDS = 4096


@dataclass(frozen=True, repr=False)
class ShardedRun(Run):
    """One simulated crawl in shards."""

    shards: int = 1
    exchange: int = EXCHANGE
    rounds: int = 0
    crossed: int = 0  # links that went from shard to shard
    shard_fetches: tuple[int, ...] = ()
    learns_alone: str = ""  # why, if shards do not share what they learn

    def as_json(self) -> dict[str, Any]:
        own = [field.name for field in fields(ShardedRun) if field.name not in {each.name for each in fields(Run)}]
        return {**super().as_json(), **{name: getattr(self, name) for name in own}}


def simulate_shards(
    world: AnyWorld,
    policy: str = DEFAULT,
    *,
    shards: int,
    budget: int,
    objective: str = "any",
    start: str | None = None,
    seed: int = 0,
    exchange: int = EXCHANGE,
    share_learning: bool = True,
    lease_budget: bool = True,
    progress: Progress | None = None,
    **parameters: Any,
) -> ShardedRun:
    """Crawl a static world in shards; the arguments are those of ``simulate``, and:

    Args:
        exchange: fetches that a shard can make between two exchanges.
        share_learning: without it every shard learns from its own pages only.
        lease_budget: without it every shard gets the same part of the budget, once and for all.
    """
    world = load_world(world)
    rewards, near = rewards_of(world, objective), near_misses_of(world, objective)
    check_budget(budget, world)
    check_parameters(parameters, [find_policy(policy)])
    check_shards(policy, shards, exchange, start)
    warm_up(policy if len(world.links.scores) else find_policy(policy).kernels_like, len(world.links.scores) > 0)
    crawl = _Crawl(
        world, rewards, near, policy, shards, exchange, budget, seed, share_learning, lease_budget, parameters
    )
    return crawl.run(parse_start(start, world).pages, progress)


def check_shards(policy: str, shards: int, exchange: int, start: str | None) -> None:
    """What cannot be simulated in shards, before the world is loaded."""
    if not isinstance(find_policy(policy), HostPolicy):
        raise UsageError(
            f"policy '{policy}' is not simulated in shards: only policies that choose among hosts are"
        )
    if not 1 <= shards <= MOST_SHARDS:
        raise UsageError(f"--shards {shards}: from 1 to {MOST_SHARDS} shards can be simulated")
    if exchange < 1:
        raise UsageError(f"--exchange {exchange}: at least 1 fetch lies between two exchanges")
    if start and start.startswith("random:"):
        raise UsageError(f"--start {start}: a crawl in shards begins at pages that are named")


class _Truth:
    """The reward of every candidate of a shard, for oracles."""

    def __init__(self, source: ShardSource, rewards: Any) -> None:
        self._source, self._rewards = source, rewards

    def __getitem__(self, candidates: Any) -> Any:
        return self._rewards[self._source.rows[candidates]]


class _Shard:
    """A session over its own part of the world, and what a shard keeps besides it."""

    def __init__(
        self, world: StaticWorld, rewards: Any, near: Any, owners: Any, number: int, options: Mapping[str, Any]
    ) -> None:
        self.world, self.rewards, self.near, self.owners, self.number = world, rewards, near, owners, number
        self.source = ShardSource(world)
        self.session = CrawlSession(
            budget=0, source=self.source, truth=_Truth(self.source, rewards), propensities=False, **options
        )
        self.lease = Lease()
        self.told: Learned | None = None  # what others know of what was learned here
        self.told_fetches = 0  # how many fetches that was learned from
        self.sent = np.zeros(world.size, bool)  # a page crosses once
        self.outbox: dict[int, list[tuple[int, LinkBatch]]] = defaultdict(list)  # by receiver

    def offer_seeds(self, rows: Any) -> None:
        ids = self.source.intern(rows)
        self.session.chooser.grow()
        self.session.add_known(ids)

    def fetch(self, decision: Decision) -> int:
        """Of the page's links, one's own are offered and the others go to the outbox; returns how many do."""
        row = self.source.row_of(decision.candidate)
        links = self.world.links_of(row)
        owners = self.owners[links.targets]
        mine = owners == self.number
        own = self._interned(_picked(links, mine))
        self.session.observe(decision, Fetched(self.rewards.item(row), own, self.near.item(row)))
        foreign = ~mine & ~self.sent[links.targets]
        self.sent[links.targets[foreign]] = True
        for receiver in np.unique(owners[foreign]).tolist():
            self.outbox[receiver].append((row, _picked(links, foreign & (owners == receiver))))
        return int(foreign.sum())

    def receive(self, row: int, links: LinkBatch) -> None:
        (parent,) = self.source.intern(np.array([row], np.int32)).tolist()
        self.session.take_in_links(parent, bool(self.rewards[row] > 0), self._interned(links))

    def _interned(self, links: LinkBatch) -> LinkBatch:
        ids = self.source.intern(links.targets)
        self.session.chooser.grow()
        return links._replace(targets=ids)


def _picked(links: LinkBatch, which: Any) -> LinkBatch:
    return LinkBatch(*[field[which] if len(field) else field for field in links])


class _Crawl:
    """All shards, what they exchange, and the record of the whole."""

    def __init__(
        self,
        world: StaticWorld,
        rewards: Any,
        near: Any,
        policy: str,
        shards: int,
        exchange: int,
        budget: int,
        seed: int,
        share_learning: bool,
        lease_budget: bool,
        parameters: Mapping[str, Any],
    ) -> None:
        self.world, self.rewards, self.budget, self.exchange, self.seed = world, rewards, budget, exchange, seed
        self.alone = why_alone(policy, parameters) if share_learning else "it was asked for"
        owners = Owners(shards)
        of_host = np.array([owners.of(world.host_name(host)) for host in range(world.hosts)], np.int32)
        self.owners = of_host[world.facts.host[: world.size]]
        options = {"policy": policy, "seed": seed, "shares_learning": not self.alone, **parameters}
        self.shards = [_Shard(world, rewards, near, self.owners, number, options) for number in range(shards)]
        self.learning = LearningPool(shards)
        self.pool = BudgetPool(shards, budget)
        if not lease_budget:
            self._share_out()
        self.lease_budget = lease_budget
        self.rounds = self.crossed = 0
        self.pages, self.estimates = np.zeros(budget, np.int32), np.zeros(budget)
        self.select_ns, self.hosts = np.zeros(budget, np.int64), np.zeros(budget, np.int32)
        self.fetched = 0

    def _share_out(self) -> None:
        """The same part for every shard."""
        for number, shard in enumerate(self.shards):
            part = self.budget // len(self.shards) + (number < self.budget % len(self.shards))
            shard.lease = Lease(1, 1, Amounts(part))

    def run(self, seeds: tuple[int, ...], progress: Progress | None) -> ShardedRun:
        begun = time.perf_counter()
        rows = np.array(seeds, np.int32)
        for number, shard in enumerate(self.shards):
            shard.offer_seeds(rows[self.owners[rows] == number])
        stopped = ""
        while not stopped:
            self._lease()
            stopped = self._round()
            self._pass_on_links()
            self._pass_on_learning()
            if progress:
                progress(self.fetched, self.budget)
        return self._result(stopped, time.perf_counter() - begun)

    def _lease(self) -> None:
        left = self.budget - self.fetched
        if self.lease_budget:
            self._ask_the_pool()
        for shard in self.shards:
            shard.session.extend(shard.lease.most.fetches, horizon=shard.session.fetched + left)

    def _ask_the_pool(self) -> None:
        """What was not spent comes back first; nothing is in flight here between rounds."""
        for number, shard in enumerate(self.shards):
            spent = Amounts(shard.session.fetched)
            shard.lease = shard.lease.obeying(self.pool.number).lowered(spent)
            self.pool.report(number, Report(shard.lease, spent, shard.session.outlook(), self.exchange))
        for grant in self.pool.grants():
            self.shards[grant.shard].lease = self.shards[grant.shard].lease.after(grant)

    def _round(self) -> str:
        """Every shard in its turn, a page at a time; returns why the crawl ends, if it does."""
        self.rounds += 1
        before, active = self.fetched, self.shards
        for _ in range(self.exchange):
            active = [shard for shard in active if self._fetch_one(shard)]
        if self.fetched == self.budget:
            return BUDGET_SPENT
        in_transit = any(shard.outbox for shard in self.shards)
        return "" if self.fetched > before or in_transit else FRONTIER_EMPTY

    def _fetch_one(self, shard: _Shard) -> bool:
        clock = time.perf_counter_ns
        begun = clock()
        decision = shard.session.next_decision()
        elapsed = clock() - begun
        if not isinstance(decision, Decision):
            return False
        at = self.fetched
        self.pages[at], self.estimates[at] = shard.source.row_of(decision.candidate), decision.estimate
        self.select_ns[at] = elapsed
        self.crossed += shard.fetch(decision)
        self.fetched += 1
        return True

    def _pass_on_links(self) -> None:
        for sender in self.shards:
            for receiver, batches in sender.outbox.items():
                for row, links in batches:
                    self.shards[receiver].receive(row, links)
            sender.outbox.clear()
        found = sum(shard.session.hosts_found for shard in self.shards)
        self.hosts[self.fetched - 1 :] = found

    def _pass_on_learning(self) -> None:
        if self.alone or len(self.shards) == 1:
            return
        for number, shard in enumerate(self.shards):
            if shard.session.fetched > shard.told_fetches:
                now = shard.session.learned()
                self.learning.put(number, now.since(shard.told))
                shard.told, shard.told_fetches = now, shard.session.fetched
        for number, shard in enumerate(self.shards):
            if (delta := self.learning.take(number)) is not None:
                shard.session.take_in_learning(delta)

    def _result(self, stopped: str, seconds: float) -> ShardedRun:
        n, sessions = self.fetched, [shard.session for shard in self.shards]
        pages = self.pages[:n].copy()
        trace = Trace(pages, self.rewards[pages], self.estimates[:n], self.select_ns[:n], self.hosts[:n])
        return ShardedRun(
            policy=sessions[0].policy.name,
            seed=self.seed,
            budget=self.budget,
            fetched=n,
            relevant=sum(session.relevant for session in sessions),
            reward=sum(session.reward for session in sessions),
            seconds=seconds,
            peak_rss_mb=peak_memory() / (1 << 20),
            stopped=stopped,
            trace=trace,
            shards=len(sessions),
            exchange=self.exchange,
            rounds=self.rounds,
            crossed=self.crossed,
            shard_fetches=tuple(session.fetched for session in sessions),
            learns_alone=self.alone,
        )
