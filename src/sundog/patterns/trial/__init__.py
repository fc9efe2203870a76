"""Patterns tried on one page: what each yields, where that stands in the page's source, and what is wrong."""

from __future__ import annotations

from sundog.patterns.trial.trial import Place, Tried, try_patterns

__all__ = ["Place", "Tried", "try_patterns"]
