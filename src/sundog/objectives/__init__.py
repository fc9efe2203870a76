"""What data is wanted: an objective turns what is known of a fetched page into a reward."""

from sundog.objectives.grammar import parse_objective
from sundog.objectives.judge import Judge, Objective
from sundog.objectives.page import Judgement, PageView

__all__ = ["Judge", "Judgement", "Objective", "PageView", "parse_objective"]
