"""From a crawl's directory to a file."""

from __future__ import annotations

from pathlib import Path

from sundog.report.crawl import counts
from sundog.report.crawl.about import about
from sundog.report.crawl.bfs import estimate_bfs
from sundog.report.crawl.contents import contents_of
from sundog.report.crawl.fetches import read_fetches
from sundog.report.crawl.hosts import hosts_of
from sundog.report.crawl.page import CrawlFacts, crawl_page
from sundog.report.crawl.patterns import patterns_of
from sundog.report.crawl.tables import Found
from sundog.report.crawl.timing import percentiles
from sundog.report.files import write_whole
from sundog.store import CrawlReader, open_readonly
from sundog.store.database import plain_errors
from sundog.store.directory import DATABASE
from sundog.store.targets import check_target

REPORT = "report.html"


def write_crawl_report(directory: Path | str, out: Path | str | None = None) -> Path:
    """Write a crawl, finished or running, as one HTML file that needs nothing else; returns where."""
    directory = Path(directory)
    path = Path(out) if out is not None else directory / REPORT
    check_target(path, directory, is_table=False)
    with open_readonly(directory) as reader, plain_errors(directory / DATABASE):
        reader.connection.execute("BEGIN")  # all of it as of one commit
        crawl = facts_of(reader)
    contents = contents_of(crawl.fetches, crawl.estimate, crawl.about.policy)
    write_whole(path, crawl_page(crawl, contents))
    return path


def facts_of(reader: CrawlReader) -> CrawlFacts:
    told, fetches = about(reader), read_fetches(reader)
    refused = counts.refusals(reader)
    found = Found(
        counts.types(reader),
        counts.syntaxes(reader),
        counts.troubles(reader),
        refused,
        counts.faults(reader),
        counts.not_kept(reader),
        counts.statuses(reader),
        percentiles(fetches),
    )
    (known,) = reader.connection.execute("SELECT count(*) FROM urls").fetchone()
    (looked_at,) = reader.connection.execute("SELECT count(*) FROM log WHERE event = 'looked'").fetchone()
    hosts = hosts_of(reader, fetches, told.delay)
    estimate, patterns = estimate_bfs(reader, fetches), patterns_of(reader)
    return CrawlFacts(told, fetches, estimate, hosts, found, refused.total, looked_at, known, patterns)
