"""A crawl from its spec to its summary: ``crawl`` and ``resume``."""

from __future__ import annotations

import asyncio
import logging
import os
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sundog.engines.live.commits import Spending
from sundog.engines.live.company import Company
from sundog.engines.live.control.budget_request import skip_request
from sundog.engines.live.control.crawl_control import CrawlControl
from sundog.engines.live.control.signals import check_no_loop_runs, stopped_by_signals
from sundog.engines.live.earlier_crawls import prior_from
from sundog.engines.live.edited_spec import edits, keep_policy
from sundog.engines.live.foreign import ForeignHosts
from sundog.engines.live.host_rest import shorten_rests
from sundog.engines.live.in_hand import InHand
from sundog.engines.live.journal import Journal
from sundog.engines.live.loop import LiveCrawl, Running, Watch
from sundog.engines.live.page_failures import ErrorLog, until_it_fails
from sundog.engines.live.pages.contexts import FetchedContexts
from sundog.engines.live.pages.reader import Read, reader
from sundog.engines.live.patterns.live_patterns import LivePatterns, new_live_patterns
from sundog.engines.live.progress import LiveFile, Snapshot, Tally
from sundog.engines.live.rendering.rendering import Rendering, rendering_of
from sundog.engines.live.rounds.round import RoundRequest, enter_round, wanted_edits
from sundog.engines.live.rounds.signs import RobotsLog
from sundog.engines.live.start import NoSeedError, check_seeds, warm_up, with_own_files, write_files
from sundog.engines.live.summary import Summary, end_crawl, spent_of_budget, with_result
from sundog.engines.live.wiring import Wiring, wiring_of
from sundog.engines.live.worlds.context import WorldContext
from sundog.engines.live.worlds.counted_requests import Ledger
from sundog.engines.live.worlds.registry import open_world
from sundog.engines.live.worlds.world import World
from sundog.errors import SundogError, UsageError
from sundog.fetch.pace import HostState
from sundog.fetch.polite import steady_clock
from sundog.learn.prior import Prior
from sundog.model import Decision, Link
from sundog.objectives import Judge, Objective, PageView, parse_objective
from sundog.objectives.outlook import Outlook
from sundog.patterns.check import check_patterns
from sundog.patterns.runner import plan_of
from sundog.processes.memory import loaded_objects_stay
from sundog.spec import CrawlSpec, spec_text
from sundog.spec.crawl import parse_spec
from sundog.spec.credentials import check_no_literals, check_secrets
from sundog.spec.linked_data import check_bytes
from sundog.spec.tables import check_number
from sundog.store import CrawlStore, Observed
from sundog.store.directory import SPEC, remove_crawl
from sundog.store.rounds import unfinished_round
from sundog.store.shards import is_sharded

logger = logging.getLogger(__name__)


def nobody(_: object) -> None:
    """Watches nothing."""


def crawl(
    spec: CrawlSpec,
    directory: Path | str,
    *,
    folder: Path | str = ".",
    watch: Watch = nobody,
    company: Company | None = None,
    control: CrawlControl | None = None,
    learn_from: Sequence[Path | str] = (),
) -> Summary:
    """Begin a crawl and run it to its end; returns its summary. ``folder`` is where the objective's files are.

    ``learn_from`` are directories of earlier crawls for the same objective: it begins with what they have learned.
    Ctrl-C stops it if it runs in the main thread; elsewhere ``control`` does. It has an event loop of its own:
    from within another, ``await acrawl(…)`` runs it in a thread. ``company`` are the other shards, if it is one of
    several.
    """
    check_no_loop_runs()
    directory = Path(directory)
    objective = parse_objective(spec.objective, folder=folder)
    spec.check_objective(objective)  # errors come before there is a directory
    check_bytes(spec)
    check_no_literals(spec)
    check_secrets(spec, os.environ)
    check_patterns(spec.patterns, objective)
    prior = prior_from(learn_from, spec, objective) if learn_from else None
    spec = with_own_files(spec, objective)
    begun: _Crawl | None = None
    try:
        with CrawlStore.create(directory, spec_text(spec)) as store:
            write_files(directory, objective)
            begun = _Crawl(spec, objective, store, watch, company, control)
            begun.prior = prior
            return _finish(begun, is_new=True)
    except SundogError:
        if begun and not begun.has_seeds:  # none can be reached, or the policy lacks a file
            remove_crawl(directory)
        raise


def warn(message: str) -> None:
    warnings.warn(message, stacklevel=3)


def resume(
    directory: Path | str,
    *,
    budget: int | None = None,
    watch: Watch = nobody,
    tell: Callable[[str], None] = warn,
    company: Company | None = None,
    control: CrawlControl | None = None,
) -> Summary:
    """Go on with a crawl, however it ended; ``budget`` is a new one.

    ``tell`` gets a sentence for what was edited in its ``spec.toml`` and has no effect, or only from now on.
    """
    check_no_loop_runs()
    if budget is not None:
        check_number("budget", budget)
    directory = Path(directory)
    with CrawlStore.open(directory) as store:
        spec, objective = _opened(store, tell)
        return _finish(_Crawl(spec, objective, store, watch, company, control), is_new=False, budget=budget)


def refresh(
    directory: Path | str,
    *,
    budget: int,
    share: float | None = None,
    watch: Watch = nobody,
    tell: Callable[[str], None] = warn,
) -> Summary:
    """One round: known pages that may have changed and new ones compete for ``budget`` fetches.

    A round that was interrupted goes on instead. ``share`` of the fetches are visits of known pages; None: as many
    as are worth more than new pages. ``tell`` gets a sentence for what was edited in ``spec.toml``.
    """
    check_no_loop_runs()
    check_request(budget, share)
    directory = Path(directory)
    if is_sharded(directory):
        raise UsageError(f"{directory} is a crawl in shards: sundog refresh makes its rounds, with all of them")
    with CrawlStore.open(directory) as store:
        spec, objective = _opened(store, tell)
        if not spec.world_kind.has_pages:
            raise UsageError(f"{directory} is no crawl of pages: only those are visited again")
        if not store.steps:
            raise UsageError(f"{directory} has no page yet: begin with sundog resume")
        if (number := unfinished_round(store)) is not None:
            tell(f"round {number} was interrupted: it goes on with what is left of its budget")
        for edit in wanted_edits(store):
            tell(edit)
        return _finish(_Crawl(spec, objective, store, watch), is_new=False, round=RoundRequest(budget, share))


def check_request(budget: int, share: float | None) -> None:
    """Of a round."""
    check_number("budget", budget)
    if share is not None and not 0 <= share <= 1:
        raise UsageError(f"a share of {share:g}: a number from 0 to 1 is expected")


def _opened(store: CrawlStore, tell: Callable[[str], None]) -> tuple[CrawlSpec, Objective]:
    """What a crawl that goes on is to do."""
    spec = parse_spec(store.spec_text, str(store.directory / SPEC))
    objective = parse_objective(spec.objective, folder=store.directory)
    spec.check_objective(objective)
    check_bytes(spec)
    check_secrets(spec, os.environ)
    check_patterns(spec.patterns, objective)
    warm_up(spec, objective)
    for edit in edits(spec, store):
        tell(edit)
    return spec, objective


def _finish(
    crawl: _Crawl, *, is_new: bool, budget: int | None = None, round: RoundRequest | None = None
) -> Summary:
    spec, directory = crawl.spec, crawl.store.directory
    how = "begins" if is_new else "goes on"
    logger.info("%s: %s, policy %s, for %s", directory, how, spec.policy, spec.objective)
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        summary = runner.run(crawl.run(is_new=is_new, budget=budget, round=round))
    found = (summary["fetched"], summary["relevant"], summary["failed"])
    logger.info("%s: %s fetched, %s relevant, %s failed; stopped: %s", directory, *found, summary["stopped"])
    return with_result(summary, spec, crawl.store) if crawl.plan else summary


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:
        return None
    factory: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return factory


class _Crawl:
    """What ``crawl`` and ``resume`` share, from the store to the summary."""

    def __init__(
        self,
        spec: CrawlSpec,
        objective: Objective,
        store: CrawlStore,
        watch: Watch,
        company: Company | None = None,
        control: CrawlControl | None = None,
    ) -> None:
        self.spec, self.objective, self.store, self.watch = spec, objective, store, watch
        self.company = company
        self.owns = company.owns if company is not None else None
        self.control = control or CrawlControl()
        self.clock = steady_clock()
        self.spending = Spending(store, Tally(), self.clock)
        self.ledger = Ledger(store) if spec.world_kind.counts_requests else None
        self.plan = plan_of(spec.patterns) if spec.patterns else None
        self.has_seeds = False  # stored by this process
        self.prior: Prior | None = None  # of earlier crawls, to begin with
        self.rendering: Rendering | None = None

    async def run(self, *, is_new: bool, budget: int | None, round: RoundRequest | None = None) -> Summary:
        judge = self.objective.judge()
        live_file = LiveFile(self.store.directory)
        in_hand = InHand(self.store)
        try:
            async with (
                wiring_of(
                    self.spec, self.clock, self.ledger.on_request if self.ledger else None, self.company
                ) as wiring,
                reader(self.spec, self.objective, self.plan, in_hand) as read,
                rendering_of(self.spec, self.objective, wiring) as self.rendering,
            ):
                wiring.polite.on_rules = RobotsLog(self.store).note
                in_flight: list[Decision] = []
                if is_new or not self.store.steps:  # it may have been stopped before its seeds were stored
                    journal = await self._begin(wiring)
                    live_patterns = new_live_patterns(self.spec, self.plan, journal, self.spending)
                else:
                    journal, in_flight, live_patterns = self._resume(wiring, judge, budget)
                if self.company is not None and (round := self.company.round) is not None:
                    self.store.commit()  # a shard that is new has its seeds, and no more
                age = enter_round(journal, in_flight, round, self.clock) if self.store.steps else None
                running = Running(
                    journal=journal,
                    judge=judge,
                    wiring=wiring,
                    world=self._world(wiring, journal, judge, read, live_patterns),
                    spending=self.spending,
                    outlook=Outlook(journal.session.fetched, journal.session.relevant),
                    watch=self._watch(live_file, journal),
                    clock=self.clock,
                    in_hand=in_hand,
                    age=age,
                    company=self.company,
                )
                live = LiveCrawl(self.spec, running)
                live.retry_interrupted(in_flight)
                if age is None and live_patterns is not None and (reason := live_patterns.stop_reason):
                    live.stop(reason)  # it may have been killed right after its stop pattern held
                # Also while the summary is made: it belongs to a crawl's end.
                with stopped_by_signals(live), self.control.over(live), loaded_objects_stay():
                    stopped = await live.run()
                    return end_crawl(live, stopped, self.spec, self.store, self.spending, self.ledger)
        finally:
            in_hand.close()
            judge.close()

    def _watch(self, live_file: LiveFile, journal: Journal) -> Watch:
        watch = until_it_fails(self.watch, journal.errors)

        def show(snapshot: Snapshot) -> None:
            live_file.update(snapshot, journal.session)
            watch(snapshot)

        return show

    def _world(
        self, wiring: Wiring, journal: Journal, judge: Judge, read: Read, live_patterns: LivePatterns | None
    ) -> World[Any]:
        return open_world(
            WorldContext(
                spec=self.spec,
                objective=self.objective,
                judge=judge,
                store=self.store,
                session=journal.session,
                wiring=wiring,
                read=read,
                ledger=self.ledger,
                live_patterns=live_patterns,
                contexts=self._contexts(wiring),
                rendering=self.rendering,
            )
        )

    def _contexts(self, wiring: Wiring) -> FetchedContexts | None:
        if self.spec.contexts != "fetch":
            return None
        return FetchedContexts(wiring.polite, self.spending.tally.asked_for_context)

    async def _begin(self, wiring: Wiring) -> Journal:
        """Kernels are compiled while robots.txt comes: the first crawl on a machine takes seconds for that."""
        compiling = asyncio.get_running_loop().run_in_executor(None, warm_up, self.spec, self.objective)
        seeds = [url for url in self.spec.seed_urls if self.owns is None or self.owns(url)]
        try:
            await check_seeds(self.spec, seeds, wiring.polite)
        except NoSeedError as error:
            if self.company is None:
                raise
            self.company.no_seed(str(error))
        await compiling
        if self.spec.prefers_rdf:
            self.store.name_graphs_by_documents()
        journal = Journal.begin(self.spec, self.store, is_shard=self.company is not None)
        keep_policy(self.spec, self.store)
        self._meet_company(journal)
        if self.prior is not None:
            journal.begin_with(self.prior)
        journal.add([Link(url) for url in seeds])
        self.has_seeds = True
        return journal

    def _is_own(self, decision: Decision, journal: Journal) -> bool:
        """Else its host has moved to another shard since it was chosen."""
        if self.owns is None or self.owns(decision.url):
            return True
        journal.give_back(decision)
        return False

    def _meet_company(self, journal: Journal) -> None:
        """From now on links to hosts of other shards are theirs."""
        if self.owns is not None:
            journal.foreign = ForeignHosts(journal.catalog, self.owns, self.store.handed_over())

    def _resume(
        self, wiring: Wiring, judge: Judge, budget: int | None
    ) -> tuple[Journal, list[Decision], LivePatterns | None]:
        store = self.store
        pace = wiring.polite.pace
        set_back = pace.restore([HostState(*state) for state in store.host_states().values()], self.clock())
        pace.restarted(self.clock())
        outcomes: list[Observed] = []
        errors = ErrorLog(store.directory)

        def on_outcome(url: str, parent: str | None, event: Observed) -> None:
            with errors.survived("recall", url):
                wiring.gate.recall(url, parent, event)
            if self.plan:
                outcomes.append(event)

        journal, in_flight = Journal.resume(
            self.spec,
            store,
            on_outcome,
            self.rendering.learned if self.rendering is not None else None,
            with_links=self.plan is not None,
            is_shard=self.company is not None,
        )
        self._meet_company(journal)
        keep_policy(self.spec, store)
        live_patterns = new_live_patterns(self.spec, self.plan, journal, self.spending, outcomes)
        self._wake_hosts(journal, in_flight)
        shorten_rests(journal, pace, self.clock(), clock_was_ahead=set_back > 0)
        in_flight = [each for each in in_flight if self._is_own(each, journal)]
        for url in store.asked_elsewhere():
            wiring.gate.mark_asked(url)
        for url in store.redirected_urls():
            wiring.gate.mark_redirect_target(url)
        if judge.remembers:
            for page in store.rewarded_pages():
                with errors.survived("recall", page[0]):
                    judge.recall([PageView(*page)])
        if budget is not None:
            fetched = journal.session.fetched + journal.session.revisited + len(in_flight)
            spent = spent_of_budget(self.spec, self.ledger, fetched)
            if budget < spent:
                raise UsageError(f"a budget of {budget:,} is less than what was spent already ({spent:,})")
            journal.extend(budget)
            skip_request(store)
        return journal, in_flight, live_patterns

    def _wake_hosts(self, journal: Journal, in_flight: list[Decision]) -> None:
        """Those that no answer will wake, such as hosts that were given up: they get another chance."""
        asked = {decision.host_id for decision in in_flight}
        for host in journal.session.asleep_for_good:
            if host not in asked:
                journal.rest(host, self.clock())
