"""The report of a crawl: from its directory to one HTML file.

It says what the crawl was to do, what came of it, what was found and what went wrong. Nothing in ``spec.toml`` is
taken for granted. URLs, hosts, types and reasons are strangers' texts: all of them are escaped, long ones cut.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sundog.errors import SundogError
from sundog.files import write_whole
from sundog.report.crawl.charts import ShardTotals, charts_of_crawl
from sundog.report.crawl.fetches import Fetches, read_fetches
from sundog.report.crawl.findings import Found, PatternLine, found_section, patterns_of, patterns_section
from sundog.report.crawl.health import health_section
from sundog.report.crawl.hosts import Hosts, hosts_of, hosts_section
from sundog.report.crawl.left import LeftFacts, left_of, left_section
from sundog.report.crawl.rendering import rendering_section
from sundog.report.document import ChartSet, chart_section, document, facts, figures, short_number
from sundog.results.health.health import health
from sundog.results.merge import as_one
from sundog.spec.crawl import read_leniently
from sundog.store import ActionLine, CrawlReader, open_readonly
from sundog.store.database import plain_errors
from sundog.store.directory import DATABASE, REPORT, check_target
from sundog.store.rounds import rounds_of
from sundog.store.shards import is_sharded, shard_directories, shard_number
from sundog.texts import utc_moment

if TYPE_CHECKING:
    from sundog.replay.curve import Curve

SEEDS_SHOWN = 5
BREADTH_FIRST = "bfs"  # what every crawl is compared with
LONGEST = 300  # characters of a text that is shown


def write_crawl_report(
    directory: Path | str, out: Path | str | None = None, *, beside: Sequence[str] = (BREADTH_FIRST,)
) -> Path:
    """Write a crawl, finished or running, as one HTML file that needs nothing else; returns where.

    ``beside``: policies that are replayed, and drawn beside the crawl.
    """
    directory = Path(directory)
    path = Path(out) if out is not None else directory / REPORT
    check_target(path, directory)
    whole = as_one(directory)
    with open_readonly(whole) as reader, plain_errors(whole / DATABASE):
        reader.connection.execute("BEGIN")  # all of it as of one commit
        crawl = facts_of(reader, beside)
    charts = charts_of_crawl(crawl.fetches, crawl.replayed, crawl.about.policy, shards_of(directory))
    write_whole(path, crawl_page(crawl, charts).encode("utf-8", "replace"))
    return path


def shards_of(directory: Path) -> list[ShardTotals]:
    """What each has fetched; none if the crawl has no shards."""
    found: list[ShardTotals] = []
    for path in shard_directories(directory) if is_sharded(directory) else ():
        with open_readonly(path) as reader:
            totals = reader.totals()
            names = ("fetched", "relevant", "failed")
            found.append(ShardTotals(shard_number(path), *(int(totals[name]) for name in names)))
    return found


@dataclass(frozen=True)
class About:
    """``stopped`` is empty if nobody wrote it down."""

    title: str
    objective: str
    policy: str
    parameters: dict[str, str]
    budget: int
    seeds: list[str]
    delay: float
    patterns: Sequence[str]  # their names
    stopped: str
    spec_text: str


@dataclass(frozen=True)
class CrawlFacts:
    about: About
    fetches: Fetches
    replayed: Mapping[str, Curve]  # by policy
    hosts: Hosts
    found: Found
    head_requests: int
    internal: int
    known: int  # URLs
    patterns: list[PatternLine] = field(default_factory=list)
    rendered: list[ActionLine] = field(default_factory=list)
    health: dict[str, Any] = field(default_factory=dict)
    left: LeftFacts = field(default_factory=LeftFacts)
    revisited: int = 0  # visits of known pages, in rounds


def facts_of(reader: CrawlReader, beside: Sequence[str] = (BREADTH_FIRST,)) -> CrawlFacts:
    about_crawl, fetches = about(reader), read_fetches(reader)
    found = Found.of(reader, fetches)
    (known,) = reader.connection.execute("SELECT count(*) FROM urls").fetchone()
    (head_requests,) = reader.connection.execute("SELECT count(*) FROM log WHERE event = 'looked'").fetchone()
    hosts = hosts_of(reader, fetches, about_crawl.delay)
    replayed, patterns = replays_of(reader, beside), patterns_of(reader, about_crawl.patterns)
    return CrawlFacts(
        *(about_crawl, fetches, replayed, hosts, found, head_requests, reader.internal, known, patterns),
        rendered=reader.render_actions(),
        health=health(reader),
        left=left_of(reader),
        revisited=sum(each["revisited"] for each in rounds_of(reader)),
    )


def about(reader: CrawlReader) -> About:
    text = spec_text(reader)
    spec = read_leniently(text)
    return About(
        title=spec["title"] or f"Crawl of {reader.directory.resolve().name}",
        objective=spec["objective"],
        policy=spec["policy"],
        parameters={name: _as_text(value) for name, value in spec["parameters"].items()},
        budget=reader.last_budget or spec["budget"],
        seeds=list(spec["seeds"]),
        delay=spec["delay"],
        patterns=spec["patterns"].names_on_pages,
        stopped=str(reader.summary.get("stopped") or ""),
        spec_text=text,
    )


def spec_text(reader: CrawlReader) -> str:
    """Empty if it cannot be read: whoever lost it still has the crawl."""
    try:
        return reader.spec_text
    except SundogError:
        return ""


def _as_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def crawl_page(crawl: CrawlFacts, charts: ChartSet) -> str:
    header = f"{_figures(crawl)}\n{_facts(crawl)}"
    sections = [
        health_section(crawl.health),
        chart_section(charts),
        left_section(crawl.left),
        hosts_section(crawl.hosts),
        patterns_section(crawl.patterns),
        rendering_section(crawl.rendered),
        found_section(crawl.found),
        _spec(crawl.about),
    ]
    return document(crawl.about.title[:LONGEST], header, "\n".join(sections), charts)


def _figures(crawl: CrawlFacts) -> str:
    fetches, relevant = crawl.fetches, int(crawl.fetches.relevant.sum())
    rendered = sum(each.rendered for each in crawl.rendered)
    rate = f" <small>{relevant / len(fetches):.1%}</small>" if len(fetches) else ""
    return figures(
        [
            ("fetched", f"{len(fetches):,} <small>of {crawl.about.budget - crawl.revisited:,}</small>"),
            *([("visited again", f"{crawl.revisited:,}")] if crawl.revisited else []),
            ("relevant", f"{relevant:,}{rate}"),
            ("reward", short_number(float(fetches.rows["reward"].sum()))),
            ("statements", f"{int(fetches.rows['statements'].sum()):,}"),
            ("hosts", f"{crawl.hosts.count:,}"),
            ("failed", f"{int(fetches.rows['failed'].sum()):,}"),
            ("refused", f"{crawl.found.refusals.total:,}"),
            *([("internal errors", f"{crawl.internal:,}")] if crawl.internal else []),
            *([("HEAD requests", f"{crawl.head_requests:,}")] if crawl.head_requests else []),
            *(
                [("rendered", f"{rendered:,}")]
                if (rendered := sum(each.rendered for each in crawl.rendered))
                else []
            ),
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
        *((f"beside {name}", escape(comparison(crawl.fetches, curve))) for name, curve in crawl.replayed.items()),
    ]
    return facts((name, value) for name, value in lines if value)


def replays_of(reader: CrawlReader, policies: Sequence[str]) -> dict[str, Curve]:
    """None if the spec was edited so that its policy cannot be made any more: the crawl is there all the same."""
    from sundog.replay.comparison import check_policies, curves_of  # loads kernels

    check_policies(policies)
    try:
        return curves_of(reader, policies)
    except SundogError:
        return {}


def comparison(fetches: Fetches, curve: Curve) -> str:
    """How many times what the policy would have found, as one line."""
    found, end = float(fetches.relevant.sum()), curve.end
    if not found or end.likely < 0.5:
        return ""
    times = f"about {found / end.likely:.1f} times what it would have found"
    high = f"{found / end.low:.1f}" if end.low >= 0.5 else "any number"
    return f"{times} ({found / end.high:.1f} to {high})"


def _seeds(about: About) -> str:
    shown = "<br>".join(_code(url) for url in about.seeds[:SEEDS_SHOWN])
    more = len(about.seeds) - SEEDS_SHOWN
    return f"{shown}<br>and {more:,} more" if more > 0 else shown


def _when(fetches: Fetches) -> str:
    if not len(fetches):
        return ""
    first, last = float(fetches.rows["decided_at"].min()), float(fetches.rows["at"].max())
    return f"{utc_moment(first)} to {utc_moment(last)} (UTC)"


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
