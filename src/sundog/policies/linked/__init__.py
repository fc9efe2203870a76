"""Crawling Linked Data by what URIs, referrers, properties and siblings tell: LDCOC of Huang and Gandon, and its
baselines."""

from __future__ import annotations

from sundog.policies.linked.chooser import LinkedChooser

__all__ = ["LinkedChooser"]
