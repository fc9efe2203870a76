"""What a user's policy is given, and what it must have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol


class Candidate(NamedTuple):
    """A page that may be fetched, with what is known before: the first link to it, and the page that had it.

    Seeds have neither: their texts are empty, ``parent_reward`` is 0.
    """

    url: str
    host: str
    anchor: str = ""
    tag_path: str = ""  # or the RDF property that leads to it
    parent: str = ""
    parent_reward: float = 0.0


class PageOutcome(NamedTuple):
    """A page that was fetched, or could not be: then the reward is 0."""

    candidate: Candidate
    reward: float

    @property
    def relevant(self) -> bool:
        return self.reward > 0


class PolicyObject(Protocol):
    """What ``policy=`` takes."""

    def scores(self, candidates: Sequence[Candidate]) -> Sequence[float]:
        """A number for each of the candidates, new ones or known ones again; the highest is next."""

    def learn(self, outcome: PageOutcome) -> object:
        """A candidate was fetched. What this returns does not matter."""
