"""From what a visit brought to a step of the crawl: judged, logged, learned and counted."""

from __future__ import annotations

from typing import Any

from sundog.engines.live.commits import Commits
from sundog.engines.live.gate import Gate
from sundog.engines.live.in_flight import PendingFetch
from sundog.engines.live.journal import Journal
from sundog.engines.live.page_failures import ErrorLog, StageError, at_stage
from sundog.engines.live.pages.intake import observation_of_error
from sundog.engines.live.progress import Tally
from sundog.engines.live.worlds.world import Observation, World
from sundog.model import Fetched, Step
from sundog.objectives.outlook import Outlook


class Steps:
    """Whatever fails here costs one page its result; ``page_failures`` says how."""

    def __init__(
        self,
        journal: Journal,
        world: World[Any],
        gate: Gate,
        outlook: Outlook,
        tally: Tally,
        commits: Commits,
        errors: ErrorLog,
    ) -> None:
        self._journal, self._world, self._gate = journal, world, gate
        self._outlook, self._tally, self._commits, self._errors = outlook, tally, commits, errors

    def observation(self, pending: PendingFetch, result: Any) -> Observation:
        """Of a visit of the world, or of an error that came in its place."""
        if isinstance(result, StageError):
            return observation_of_error(result)
        candidate = pending.decision.candidate
        try:
            with at_stage("intake"):
                return self._world.observe(pending.url, result, self._journal.store.depth(candidate), candidate)
        except StageError as error:
            return observation_of_error(error)

    def observe(self, pending: PendingFetch, observation: Observation, now: float) -> str:
        """Store and session first, then the gate; at last the world. Returns why the crawl is to end, if it is."""
        self._note(pending, observation.error)
        step = self._log(pending, observation, now)
        if isinstance(step, StageError):
            observation = observation_of_error(step, observation.record.status)
            step = self._log(pending, observation, now)
        if isinstance(step, StageError):
            return ""  # not even its failure is taken: it stays in flight
        self._tally.add(pending.host, observation, now)
        self._commits.observed()
        try:
            with at_stage("after"):
                return self._after(pending, observation, step)
        except StageError as error:
            self._note(pending, error)
            return ""

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
            )
        except StageError as error:
            self._note(pending, error)
            return error

    def _after(self, pending: PendingFetch, observation: Observation, step: Step) -> str:
        candidate = pending.decision.candidate
        if isinstance(observation.outcome, Fetched):
            self._gate.learn(pending.url, self._journal.parent_url(candidate), observation.outcome.reward)
            self._outlook.observe(step.relevant)
        return self._world.after_step(candidate, observation, step)

    def _note(self, pending: PendingFetch, error: StageError | None) -> None:
        if error is not None:
            self._errors.write(pending.url, error)
