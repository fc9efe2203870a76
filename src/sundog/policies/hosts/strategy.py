"""A strategy: how arms are ranked, or drawn. A record in plain Python; kernels compile its formula."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal


def no_key(good: float, bad: float, best: float) -> float:
    """All arms are equal."""
    return 0.0


@dataclass(frozen=True, kw_only=True)
class Strategy:
    """``key(good, bad, best)`` ranks an arm, the highest first. It is given the relevant pages of the arm's host,
    the others (with those in flight, until they prove better), and the score of the best page that waits.

    It is compiled, so it is arithmetic on floats and nothing else. It may depend on nothing but its arguments:
    arms are ranked anew only when one of these has changed.
    """

    name: str
    summary: str
    key: Callable[[float, float, float], float] = no_key
    follows_best: bool = False  # the key depends on ``best``, so that is brought up to date before an arm wins
    ties: Literal["host", "page"] = "host"  # of equal keys the arm, or the page, that was found first
    draw: Literal["", "uniform", "beta", "beta-best"] = ""  # arms are drawn: the key plays no part
    arms: Literal["hosts", "templates"] = "hosts"

    @property
    def samples(self) -> bool:
        """Whether arms are drawn by their records, for which kernels of their own are compiled."""
        return self.draw in ("beta", "beta-best")
