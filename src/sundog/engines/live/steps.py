"""From what a visit brought to a step of the crawl: judged, logged, learned and counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sundog.engines.live.commits import Commits
from sundog.engines.live.gate import Gate
from sundog.engines.live.in_flight import PendingFetch
from sundog.engines.live.journal import Journal, Revisit
from sundog.engines.live.page_failures import StageError, at_stage
from sundog.engines.live.pages.intake import observation_of_error
from sundog.engines.live.progress import Tally
from sundog.engines.live.rounds.compare import compare
from sundog.engines.live.rounds.signs import signs_of
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
        *,
        age: Callable[[], float],
    ) -> None:
        self._age = age
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
        if pending.is_known:
            self._observe_again(pending, observation, now)
            return ""
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

    def _observe_again(self, pending: PendingFetch, observation: Observation, now: float) -> None:
        """A page of an earlier round; what goes wrong with it leaves the version that there is."""
        self._note(pending, observation.error)
        revisit = self._log_again(pending, observation, now)
        if isinstance(revisit, StageError):
            self._judge.take_back()
            observation = observation_of_error(revisit, observation.record.status)
            revisit = self._log_again(pending, observation, now)
        self._judge.settle()
        if isinstance(revisit, StageError):
            return
        self._commits.observed()
        survived = self._errors.survived
        with survived("after", pending.url):
            self._tally.add(pending.host, observation, now)
        if isinstance(observation.outcome, Fetched) and revisit.event.found:
            step = Step(pending.decision, Fetched(revisit.event.reward, revisit.links), False, revisit.event.found)
            with survived("after", pending.url):
                self._world.after_step(pending.decision.candidate, observation, step)

    def _log_again(self, pending: PendingFetch, observation: Observation, now: float) -> Revisit | StageError:
        try:
            with at_stage("intake"):
                compared = compare(self._journal.store, pending.decision.candidate, observation)
                if self._judge.remembers and isinstance(observation.outcome, Fetched):
                    best = max(
                        observation.outcome.reward, compared.reward_before
                    )  # what it had is not new any more
                    observation = observation._replace(outcome=observation.outcome._replace(reward=best))
                signs = signs_of(self._journal.store, pending.url, pending.decision.candidate, observation)
            return self._journal.observe_again(pending.decision, compared, observation, now, self._age(), signs)
        except StageError as error:
            self._note(pending, error)
            return error

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
                render=observation.render,
                dates=observation.dates,
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
