"""The report of a live crawl, out of its directory."""

from sundog.report.crawl.page import write_crawl_report

__all__ = ["write_crawl_report"]
