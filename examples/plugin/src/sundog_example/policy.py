"""A policy: links whose words led to relevant pages come first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from sundog import Candidate, PageOutcome

WORDS = re.compile(r"[^\W\d_]{2,}")


class AnchorWords:
    """The links whose words, in anchor and URL, have led to most relevant pages."""

    def __init__(self, *, smoothing: float = 1.0) -> None:
        """Arguments are parameters of the policy: ``--set smoothing=2``."""
        self._smoothing = smoothing
        self._tried, self._good = Counter[str](), Counter[str]()
        self._outcomes = self._relevant = 0

    def scores(self, candidates: Sequence[Candidate]) -> list[float]:
        """The mean share of relevant pages behind a candidate's words."""
        usual = (self._relevant + 1) / (self._outcomes + 2)
        return [self._score(words_of(candidate), usual) for candidate in candidates]

    def learn(self, outcome: PageOutcome) -> None:
        words = words_of(outcome.candidate)
        self._tried.update(words)
        self._outcomes += 1
        if outcome.relevant:
            self._good.update(words)
            self._relevant += 1

    def _score(self, words: set[str], usual: float) -> float:
        shares = [self._share(word, usual) for word in sorted(words)]
        return sum(shares) / len(shares) if shares else usual

    def _share(self, word: str, usual: float) -> float:
        return (self._good[word] + usual * self._smoothing) / (self._tried[word] + self._smoothing)


def words_of(candidate: Candidate) -> set[str]:
    return set(WORDS.findall(f"{candidate.anchor} {candidate.url}".lower()))
