"""Reports, each one HTML file that works offline: of simulated crawls, and in ``crawl`` of a live one."""

from sundog.report.simulations import write_report

__all__ = ["write_report"]
