"""The page of a crawl: what it was told, what came of it, and tables of what was found and what went wrong.

URLs, hosts, types and reasons are strangers' texts: all of them are escaped, and long ones are cut.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from html import escape

from sundog.report.crawl.about import About
from sundog.report.crawl.bfs import Estimate
from sundog.report.crawl.fetches import Fetches
from sundog.report.crawl.hosts import Hosts
from sundog.report.crawl.patterns import PatternLine, patterns_section
from sundog.report.crawl.tables import Found, found_section, hosts_section
from sundog.report.document import Contents, chart_section, document, facts, figures
from sundog.report.table import short_number

SEEDS_SHOWN = 5
LONGEST = 300  # characters of a text that is shown


@dataclass(frozen=True)
class CrawlFacts:
    about: About
    fetches: Fetches
    estimate: Estimate
    hosts: Hosts
    found: Found
    refused: int
    looked_at: int
    known: int  # URLs
    patterns: list[PatternLine] = field(default_factory=list)


def crawl_page(crawl: CrawlFacts, contents: Contents) -> str:
    header = f"{_figures(crawl)}\n{_facts(crawl)}"
    sections = [
        chart_section(contents),
        hosts_section(crawl.hosts),
        patterns_section(crawl.patterns),
        found_section(crawl.found),
        _spec(crawl.about),
    ]
    return document(crawl.about.title[:LONGEST], header, "\n".join(sections), contents)


def _figures(crawl: CrawlFacts) -> str:
    fetches, relevant = crawl.fetches, int(crawl.fetches.relevant.sum())
    rate = f" <small>{relevant / len(fetches):.1%}</small>" if len(fetches) else ""
    budget = f" <small>of {crawl.about.budget:,}</small>" if crawl.about.budget else ""
    return figures(
        [
            ("fetched", f"{len(fetches):,}{budget}"),
            ("relevant", f"{relevant:,}{rate}"),
            ("reward", short_number(float(fetches.rows["reward"].sum()))),
            ("statements", f"{int(fetches.rows['statements'].sum()):,}"),
            ("hosts", f"{crawl.hosts.count:,}"),
            ("failed", f"{int(fetches.rows['failed'].sum()):,}"),
            ("refused", f"{crawl.refused:,}"),
            *([("looked at by HEAD", f"{crawl.looked_at:,}")] if crawl.looked_at else []),
            ("URLs known", f"{crawl.known:,}"),
            ("time", duration(fetches.seconds)),
        ]
    )


def _facts(crawl: CrawlFacts) -> str:
    about = crawl.about
    parameters = " ".join(f"{name}={value}" for name, value in about.parameters.items())
    lines = [
        ("objective", _code(about.objective)),
        ("policy", _code(f"{about.policy} {parameters}".strip())),
        ("seeds", _seeds(about)),
        ("when", escape(_when(crawl.fetches))),
        ("stopped", escape(about.stopped[:LONGEST]) or "not yet, or nobody could write down why"),
        ("beside bfs", escape(comparison(crawl.fetches, crawl.estimate))),
    ]
    return facts((name, value) for name, value in lines if value)


def comparison(fetches: Fetches, estimate: Estimate) -> str:
    """How many times what breadth-first order would have found, as one line."""
    found, likely = float(fetches.relevant.sum()), float(estimate.likely.sum())
    least, most = float(estimate.least.sum()), float(estimate.most.sum())
    if not found or likely < 0.5:
        return ""
    times = f"about {found / likely:.1f} times what breadth-first order would have found"
    high = f"{found / least:.1f}" if least >= 0.5 else "any number"
    return f"{times} (an estimate: {found / most:.1f} to {high}, by what is assumed of pages not fetched)"


def _seeds(about: About) -> str:
    shown = "<br>".join(_code(url) for url in about.seeds[:SEEDS_SHOWN])
    more = len(about.seeds) - SEEDS_SHOWN
    return f"{shown}<br>and {more:,} more" if more > 0 else shown


def _when(fetches: Fetches) -> str:
    if not len(fetches):
        return ""
    return f"{moment(float(fetches.rows['decided_at'].min()))} to {moment(float(fetches.rows['at'].max()))} (UTC)"


def moment(seconds: float) -> str:
    """
    >>> moment(0), moment(1e30)
    ('1970-01-01 00:00:00', '?')
    """
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S}"
    except (OverflowError, ValueError, OSError):
        return "?"


def duration(seconds: float) -> str:
    """
    >>> duration(9.72), duration(125), duration(7_500), duration(200_000)
    ('9.7 s', '2 min 5 s', '2 h 5 min', '55 h 33 min')
    """
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes = int(seconds) // 60
    return f"{minutes} min {int(seconds) % 60} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def _code(text: str) -> str:
    return f"<code>{escape(text[:LONGEST])}</code>"


def _spec(about: About) -> str:
    if not about.spec_text.strip():
        return ""
    text = escape(about.spec_text[:20_000])
    return f"<details>\n<summary>The specification as it was run</summary>\n<pre>{text}</pre>\n</details>"
