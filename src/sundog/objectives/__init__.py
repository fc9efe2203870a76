"""What data is wanted: an objective turns what is known of a fetched page into a reward."""

from sundog.objectives.grammar import parse_objective

__all__ = ["parse_objective"]
