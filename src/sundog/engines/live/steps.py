"""From what a visit brought to a step of the crawl: judged, logged, learned and counted."""

from __future__ import annotations

from typing import Any

from sundog.engines.live.commits import Commits
from sundog.engines.live.gate import Gate
from sundog.engines.live.in_flight import PendingFetch
from sundog.engines.live.journal import Journal
from sundog.engines.live.page_failures import StageError, at_stage
from sundog.engines.live.pages.intake import observation_of_error
from sundog.engines.live.progress import Tally
from sundog.engines.live.worlds.world import Observation, World
from sundog.model import Fetched, Step
from sundog.objectives import Judge
from sundog.objectives.outlook import Outlook


class Steps:
    """Whatever fails here costs one page its result; ``page_failures`` says how."""

    def __init__(
        self,
        journal: Journal,
        judge: Judge,
        world: World[Any],
        gate: Gate,
        outlook: Outlook,
        tally: Tally,
        commits: Commits,
    ) -> None:
        self._journal, self._judge, self._world, self._gate = journal, judge, world, gate
        self._outlook, self._tally, self._commits, self._errors = outlook, tally, commits, journal.errors

    def observation(self, pending: PendingFetch, result: Any) -> Observation:
        """Of a visit of the world, or of an error that came in its place."""
        if isinstance(result, StageError):
            return observation_of_error(result)
        candidate = pending.decision.candidate
        self._judge.begin()
        try:
            with at_stage("intake"):
                return self._world.observe(pending.url, result, self._journal.store.depth(candidate), candidate)
        except StageError as error:
            self._judge.take_back()
            return observation_of_error(error)

    def observe(self, pending: PendingFetch, observation: Observation, now: float) -> str:
        """Store and session first, then the gate; at last the world. Returns why the crawl is to end, if it is."""
        self._note(pending, observation.error)
        step = self._log(pending, observation, now)
        if isinstance(step, StageError):
            self._judge.take_back()
            observation = observation_of_error(step, observation.record.status)
            step = self._log(pending, observation, now)
        self._judge.settle()
        if isinstance(step, StageError):
            return ""  # not even its failure is taken: it stays in flight
        self._commits.observed()
        return self._after(pending, observation, step, now)

    def _log(self, pending: PendingFetch, observation: Observation, now: float) -> Step | StageError:
        try:
            return self._journal.observe(
                pending.decision,
                observation.outcome,
                now,
                observation.record,
                statements=observation.statements,
                answers=observation.answers,
                findings=observation.findings,
                exchange=observation.exchange,
                redirect=observation.redirect,
            )
        except StageError as error:
            self._note(pending, error)
            return error

    def _after(self, pending: PendingFetch, observation: Observation, step: Step, now: float) -> str:
        """Each knows of it for itself: that one fails is nothing to the others."""
        candidate, survived = pending.decision.candidate, self._errors.survived
        with survived("after", pending.url):
            self._tally.add(pending.host, observation, now)
        if isinstance(observation.outcome, Fetched):
            with survived("after", pending.url):
                self._gate.learn(pending.url, self._journal.parent_url(candidate), observation.outcome.reward)
            with survived("after", pending.url):
                self._outlook.observe(step.relevant)
        with survived("after", pending.url):
            return self._world.after_step(candidate, observation, step)
        return ""

    def _note(self, pending: PendingFetch, error: StageError | None) -> None:
        if error is not None:
            self._errors.write(pending.url, error)
