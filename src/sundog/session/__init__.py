"""The selection component: what to fetch next, and what to make of what was fetched."""

from sundog.session.crawl_session import NO_TEXTS, CrawlSession

__all__ = ["NO_TEXTS", "CrawlSession"]
