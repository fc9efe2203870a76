"""The driver of a crawl in shards: it starts them, hears their reports, and is their coordinator."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson

from sundog.engines.cluster.coordinator import Coordinator
from sundog.engines.cluster.lessons import Lessons
from sundog.engines.cluster.messages import Hello, Order, Report, Setup, installed_version, seconds_a_round
from sundog.engines.cluster.ray_runtime import first_line, new_actor
from sundog.engines.cluster.whole import whole_left, whole_snapshot, whole_summary
from sundog.engines.cluster.whole_stop import WholeStop, patterns_of_shards
from sundog.engines.live.control.signals import stop_on_signals
from sundog.engines.live.loop import Watch
from sundog.engines.live.progress import LiveFile
from sundog.engines.live.rounds.round import RoundRequest
from sundog.engines.live.summary import Summary
from sundog.errors import SundogError
from sundog.files import write_whole
from sundog.model import INTERRUPTED, TIME_IS_UP
from sundog.patterns.definitions import Patterns
from sundog.replay import why_alone
from sundog.sharding.budget import Amounts
from sundog.sharding.ownership import Owners
from sundog.spec import CrawlSpec, spec_text
from sundog.spec.linked_data import largest_page
from sundog.store import open_readonly
from sundog.store.directory import OBJECTIVE, SUMMARY
from sundog.store.reader import SPENT
from sundog.store.shards import shard_directories, shard_directory, shard_number

SECONDS_IF_URGENT = 0.2  # if somebody waits
SECONDS_FOR_A_REPORT = 60.0  # a node that does not answer for so long is left to Ray
MOST_DEATHS = 3  # of a shard, without a page between them


class Driver:
    """Makes actors of the shards, hears their reports in rounds, and tells them what the coordinator says."""

    def __init__(
        self,
        ray: Any,
        spec: CrawlSpec,
        directory: Path,
        shards: int,
        watch: Watch,
        round: RoundRequest | None = None,
    ) -> None:
        """``round``: that all shards make; None: they crawl."""
        self._round = round
        self._ray, self._spec, self._directory, self._watch = ray, spec, directory, watch
        self._retired = [each for each in shard_directories(directory) if shard_number(each) >= shards]
        spent = [spent_by(each) for each in self._retired]
        self._coordinator = Coordinator(
            shards,
            round.budget if round is not None else spec.fetches - sum(each.fetches for each in spent),
            None if spec.bytes is None else spec.bytes - sum(each.bytes for each in spent),
            largest_page(spec) if spec.bytes is not None else 0,
        )
        self._lessons = (
            None if why_alone(spec.policy, spec.policy_parameters) else Lessons(ray, self._retired, shards)
        )
        # As in one process, what ends a crawl ends no round.
        self._whole_stop = (
            WholeStop(spec.patterns, spec.stop.left_share, shards) if round is None else WholeStop(Patterns())
        )
        self._seconds_before = max(map(_seconds_of, shard_directories(directory)), default=0.0)
        self._live_file = LiveFile(directory)
        self._actors = [new_actor(ray, self._setup(number, shards), spec.cluster) for number in range(shards)]
        self._incarnations = [""] * shards
        self._restarts = [0] * shards
        self._deaths: list[list[int]] = [[] for _ in range(shards)]  # what had been spent when it died
        self._reports: dict[int, Report] = {}
        self._began = time.monotonic()
        self._is_interrupted = 0

    def _setup(self, number: int, shards: int) -> Setup:
        patterns = patterns_of_shards(self._spec.patterns)
        own = replace(self._spec, seconds=None, workers=self._workers(shards), patterns=patterns)
        folder = self._directory / OBJECTIVE
        files = {f"{OBJECTIVE}/{path.name}": path.read_text(encoding="utf-8") for path in folder.glob("*")}
        directory = str(shard_directory(self._directory, number))
        return Setup(number, shards, self._spec.cluster.split, directory, spec_text(own), files, self._round)

    def _workers(self, shards: int) -> int:
        """Processes that read pages, for each shard: about one a core in all."""
        if self._spec.workers is not None:
            return self._spec.workers
        cores = sum(node["Resources"].get("CPU", 0.0) for node in self._ray.nodes() if node["Alive"])
        here = len(os.sched_getaffinity(0))
        return max(1, round(max(here, cores if len(self._ray.nodes()) > 1 else 0) / shards))

    def run(self) -> Summary:
        try:
            with stop_on_signals(self._interrupted):
                self._meet()
                return self._rounds()
        finally:
            for actor in self._actors:
                with suppress(Exception):
                    self._ray.kill(actor)

    def _interrupted(self) -> None:
        self._is_interrupted += 1
        self._coordinator.stop(INTERRUPTED)
        if self._is_interrupted > 1:
            raise KeyboardInterrupt

    def _meet(self) -> None:
        """Every shard is there, and of this version."""
        for number, actor in enumerate(self._actors):
            try:
                hello: Hello = self._ray.get(actor.hello.remote())
            except self._ray.exceptions.RayError as error:
                raise SundogError(f"shard {number} cannot be started: {first_line(error)}") from None
            _check_version(number, hello.node, hello.version)

    def _rounds(self) -> Summary:
        shards = len(self._actors)
        pause = seconds_a_round(shards)
        while True:
            began = time.monotonic()
            reports = self._hear()
            self._check_reports(reports)
            if self._spec.seconds is not None and began - self._began >= self._spec.seconds:
                self._coordinator.stop(TIME_IS_UP)
            if reason := self._whole_stop.reason_in(self._reports, self._seconds_before + began - self._began):
                self._coordinator.stop(reason)
            orders = self._coordinator.round(reports)
            for number, order in orders.items():  # one that is lost is made again
                self._actors[number].obey.remote(order)
            if self._lessons is not None and not self._coordinator.stopping:
                self._lessons.exchange(self._actors, self._reports, began - self._began)
            self._show()
            if len(self._reports) == shards and all(each.summary is not None for each in self._reports.values()):
                return self._summary()
            wait = SECONDS_IF_URGENT if self._is_urgent(orders) else pause
            time.sleep(max(0.0, wait - (time.monotonic() - began)))

    def _is_urgent(self, orders: Mapping[int, Order]) -> bool:
        """Whether somebody waits for the next round, or nobody does anything before it."""
        waiting = {number: not each.is_running or bool(each.rest) for number, each in self._reports.items()}
        return all(waiting.values()) or any(order.stop or waiting[number] for number, order in orders.items())

    def _hear(self) -> dict[int, Report]:
        """The reports of those that give one; others are about to come back."""
        asked = {actor.report.remote(): number for number, actor in enumerate(self._actors)}
        self._ray.wait(list(asked), num_returns=len(asked), timeout=SECONDS_FOR_A_REPORT)
        reports: dict[int, Report] = {}
        for reference, number in asked.items():
            try:
                report: Report = self._ray.get(reference, timeout=0)
            except self._ray.exceptions.RayError:
                continue
            reports[number] = report
            if report.incarnation != self._incarnations[number]:
                self._welcome(number, report)
        self._reports |= reports
        return reports

    def _welcome(self, number: int, report: Report) -> None:
        """A shard that is new, or has lost its process: it begins, or goes on."""
        if self._incarnations[number]:
            self._restarts[number] += 1
            before = self._reports.get(number)
            self._deaths[number].append(before.budget.spent.fetches if before else 0)
        self._incarnations[number] = report.incarnation
        _check_version(number, report.node, report.version)
        last = self._deaths[number][-MOST_DEATHS:]
        if len(last) == MOST_DEATHS and len(set(last)) == 1:
            raise SundogError(
                f"shard {number} on {report.node} died {MOST_DEATHS} times without fetching a page: the crawl is "
                f"stopped, and nothing is lost; look at its memory and at {report.node}'s log, then go on: "
                f"sundog resume {self._directory}"
            )
        self._actors[number].start.remote(self._actors)

    def _check_reports(self, reports: dict[int, Report]) -> None:
        for number, report in reports.items():
            if report.failure:
                raise SundogError(f"shard {number} on {report.node}: {report.failure}")
        troubles = [report.no_seed for report in self._reports.values() if report.no_seed]
        running = [report for report in self._reports.values() if report.is_running]
        if troubles and len(running) == len(self._actors) and not self._coordinator.spent:
            owners = Owners(len(self._actors), self._spec.cluster.split)
            if len(troubles) == len({owners.of(url) for url in self._spec.seed_urls}):
                raise SundogError(troubles[0])

    @property
    def _budget(self) -> int:
        """Of the whole crawl; in a round, with what was spent before."""
        if self._round is None:
            return self._spec.fetches
        return self._round.budget + sum(report.before for report in self._reports.values())

    def _show(self) -> None:
        snapshot = whole_snapshot(
            self._reports,
            self._restarts,
            budget=self._budget,
            elapsed=time.monotonic() - self._began,
            stage="finishing what is in flight" if self._coordinator.stopping else "",
        )
        self._live_file.update(snapshot, None)
        with suppress(Exception):
            self._watch(snapshot)

    def _summary(self) -> Summary:
        summaries = [report.summary or {} for _, report in sorted(self._reports.items())]
        summary = whole_summary(summaries, self._retired, self._coordinator.stopping, whole_left(self._reports))
        write_whole(self._directory / SUMMARY, orjson.dumps(summary, option=orjson.OPT_INDENT_2))
        return summary


def _check_version(number: int, node: str, version: str) -> None:
    if version != installed_version():
        raise SundogError(
            f"shard {number} on {node} has Sundog {version}, not {installed_version()}: "
            "install the same version on all nodes"
        )


def spent_by(directory: Path) -> Amounts:
    with open_readonly(directory) as reader:
        return Amounts(reader.fetches + reader.visits, reader.state(SPENT, {}).get("bytes", 0))


def _seconds_of(directory: Path) -> float:
    """That the crawl has taken so far."""
    with open_readonly(directory) as reader:
        return float(reader.state(SPENT, {}).get("seconds", 0.0))
