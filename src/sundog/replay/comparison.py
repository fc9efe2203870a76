"""Would another policy have done better? What ``sundog replay`` answers: intervals, and a plain word."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from sundog.errors import SundogError, UsageError
from sundog.policies.presets import find_policy
from sundog.replay.curve import Curve, Interval, bias_of
from sundog.replay.imputation import Imputation, calibrate
from sundog.replay.one_step import choices_of, shares_of_draws
from sundog.replay.record import NOT_ASKED, Record, Settings, complete_record, read_record
from sundog.replay.whole import FULL, OF_LINES, Crawl, Effort, crawl_complete, crawls
from sundog.store import CrawlReader, open_readonly

LIKELY = 0.55  # with this probability or more, one of two policies is named
FEWEST = 20  # fetches, from which something can be said
CANNOT_TELL = "cannot tell"
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Answer:
    """``one_step``: the share of relevant pages among the policy's choices in the states of the crawl."""

    policy: str
    found: int  # by the crawl itself
    curve: Curve
    one_step: Interval
    one_step_known: float  # the share of those choices whose worth is known

    @property
    def chance_of_more(self) -> float:
        end, deviation = self.curve.end.likely, float(self.curve.deviation[-1])
        if deviation == 0:
            return 0.5 + 0.5 * ((end > self.found) - (end < self.found))
        return 0.5 * (1.0 + math.erf((end - self.found) / deviation / math.sqrt(2.0)))

    @property
    def verdict(self) -> str:
        """Of this policy, compared with that of the crawl."""
        end, chance = self.curve.end, self.chance_of_more
        if self.found < end.low or self.found > end.high:
            return "better" if self.found < end.low else "worse"
        if max(chance, 1.0 - chance) >= LIKELY:
            return "likely better" if chance > 0.5 else "likely worse"
        return CANNOT_TELL

    def as_json(self) -> dict[str, Any]:
        return {
            "policy": self.policy,
            "verdict": self.verdict,
            "relevant": self.curve.end.as_json(1),
            "fetched": len(self.curve),
            "fetched_by_crawl": self.curve.known,
            "one_step": {**self.one_step.as_json(4), "known": round(self.one_step_known, 4)},
            "curve": self.curve.points(),
        }


@dataclass(frozen=True)
class Comparison:
    policy: str
    fetched: int
    found: int
    random_fetches: int
    answers: list[Answer]
    explores: bool = False  # it may have had random fetches

    def as_json(self) -> dict[str, Any]:
        crawl = {"policy": self.policy, "fetched": self.fetched, "relevant": self.found}
        return {
            "crawl": {**crawl, "random_fetches": self.random_fetches},
            "policies": [answer.as_json() for answer in self.answers],
        }


def compare(directory: Path | str, policies: Sequence[str], progress: Progress | None = None) -> Comparison:
    """Raises SundogError if the crawl is too small to say anything."""
    with open_readonly(directory) as reader:
        settings = Settings.of(reader)
        if not policies:
            raise UsageError("no policy is named: --policy bfs, say, or several with commas")
        check_policies(policies)
        replays = Replays(settings, checked_record(reader, settings))
        answers = []
        for place, policy in enumerate(policies):
            if progress is not None:
                progress(place, len(policies))
            answers.append(_answer(reader, replays, policy))
        record = replays.record
        drawn = len(record.random_fetches)
        return Comparison(settings.policy, len(record.fetches), record.found, drawn, answers, settings.explores)


def curves_of(reader: CrawlReader, policies: Sequence[str]) -> dict[str, Curve]:
    """The lines beside harvest curves, of few worlds and without the own policy's; none if nothing was fetched."""
    settings = Settings.of(reader)
    if (record := complete_record(reader)) is not None:
        fetches = len(record.fetches)
        return {name: Curve([crawl_complete(settings, name, record)], fetches) for name in policies if fetches}
    record = read_record(reader, settings)
    if not record.fetches:
        return {}
    replays = Replays(settings, record, OF_LINES, is_paired=False)
    return {name: replays.curve(name) for name in policies}


def check_policies(policies: Sequence[str]) -> None:
    for name in policies:
        find_policy(name).check_foresight()


def checked_record(reader: CrawlReader, settings: Settings) -> Record:
    record = read_record(reader, settings)
    if len(record.fetches) < FEWEST:
        raise SundogError(
            f"{reader.directory} has too few fetches ({len(record.fetches)}): from {FEWEST} on its log can say "
            "something of other policies"
        )
    return record


class Replays:
    """Of one crawl, in the same worlds for all policies."""

    def __init__(
        self, settings: Settings, record: Record, effort: Effort = FULL, *, is_paired: bool = True
    ) -> None:
        """``is_paired``: with the crawl's own policy."""
        self.settings, self.record, self._is_paired = settings, record, is_paired
        self._imputation, self._effort = Imputation(record, calibrate(record)), effort

    def curve(self, policy: str) -> Curve:
        return Curve(self._crawls(policy), len(self.record.fetches), self._bias, self._imputation.knowledge)

    @cached_property
    def _bias(self) -> Any:
        if not self._is_paired:
            return 0.0
        try:
            check_policies([self.settings.policy])
            own = self._crawls(self.settings.policy)
        except SundogError:  # its policy is lost, or knew what replays cannot
            return 0.0
        return bias_of(own, np.array([fetch.relevant for fetch in self.record.fetches], bool))

    def _crawls(self, policy: str) -> list[Crawl]:
        return crawls(self.settings, policy, self.record, self._imputation, self._effort)


def _answer(reader: CrawlReader, replays: Replays, policy: str) -> Answer:
    record = replays.record
    chosen = choices_of(reader, replays.settings, policy, record)
    shares = shares_of_draws(record, chosen)
    low, high = np.quantile(shares, [0.01, 0.99]).tolist()
    chosen = chosen[chosen >= 0]
    known = float((record.kind[chosen] != NOT_ASKED).mean()) if len(chosen) else 1.0
    step = Interval(low, float(np.median(shares)), high)
    return Answer(policy, record.found, replays.curve(policy), step, known)
