"""The report of simulated crawls: one HTML file with a table and charts, readable offline."""

from sundog.report.simulations import write_report

__all__ = ["write_report"]
