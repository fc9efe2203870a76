"""How much is left, in a report: in all, by host, and what became of the pages that sitemaps list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape

from sundog.completeness.estimate import Left
from sundog.report.document import Column, cut_text, html_table, section_heading
from sundog.results.sitemaps import SitemapPages, sitemap_pages
from sundog.store import CrawlReader

SHOWN = 20  # hosts
COLUMNS = (Column("host"), Column("left"), Column("at least"), Column("at most"))
CAPTION = "Wanted pages in scope that were not fetched, known or not: an estimate, and the ends of a 90% interval."


@dataclass(frozen=True)
class LeftFacts:
    """``all`` is None if the crawl has not said it: it runs, or an earlier version has made it."""

    all: Left | None = None
    hosts: Mapping[str, Left] = field(default_factory=dict)
    entities: Left | None = None
    sitemaps: SitemapPages | None = None


def left_of(reader: CrawlReader) -> LeftFacts:
    summary = reader.summary
    sitemaps, told = sitemap_pages(reader), Left.read(summary.get("left"))
    if told is None:
        return LeftFacts(sitemaps=sitemaps)
    hosts = summary["left"].get("hosts")
    by_host = {str(host): left for host, value in (hosts or {}).items() if (left := Left.read(value)) is not None}
    return LeftFacts(told, by_host, Left.read(summary["left"].get("entities")), sitemaps)


def left_section(found: LeftFacts) -> str:
    if found.all is None and found.sitemaps is None:
        return ""
    lines = [section_heading("How much is left", CAPTION)]
    if found.all is not None:
        entities = f", with {found.entities.of('entity', 'entities')}" if found.entities else ""
        lines.append(f"<p>{escape(str(found.all))}{entities}.</p>")
    if found.sitemaps is not None:
        lines.append(f"<p>{escape(str(found.sitemaps))}.</p>")
    if len(found.hosts) > 1:
        rows = [
            [cut_text(host, host), *(f"{round(value):,}" for value in left)]
            for host, left in list(found.hosts.items())[:SHOWN]
            if round(left.high)
        ]
        lines += [html_table(COLUMNS, rows)] if rows else []
    return "<section>\n{}\n</section>".format("\n".join(lines))
