"""Patterns tried on one page: what each yields, where that stands in the page's source, and what is wrong."""

from __future__ import annotations

from sundog.patterns.trial.trial import Place, Placed, Tried, try_patterns

__all__ = ["Place", "Placed", "Tried", "try_patterns"]
