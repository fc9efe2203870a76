"""A crawler is four queries: data, link, stop and result patterns over pages and the crawl graph."""

from __future__ import annotations

from sundog.patterns.runner import PatternRunner
from sundog.patterns.values import CrawlPage, Found, FoundLink, Subject, Surroundings

__all__ = ["CrawlPage", "Found", "FoundLink", "PatternRunner", "Subject", "Surroundings"]
