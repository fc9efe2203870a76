"""The tables of a crawl's report."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from sundog.report.crawl.counts import Count, Counts
from sundog.report.crawl.hosts import Host, Hosts
from sundog.report.html_table import Column, html_table
from sundog.report.table import short_number
from sundog.sandbox.prefixes import shortened

LONGEST = 120  # characters of a name
HOST_COLUMNS = (
    Column("host"),
    Column("fetched", "pages asked for, also those that failed"),
    Column("good", "relevant pages"),
    Column("bad", "all others, also those that failed"),
    Column("failed"),
    Column("statements"),
    Column(
        "delay", "seconds to be kept between two requests: ours, or the host's own Crawl-delay if that is longer"
    ),
    Column("shortest gap", "seconds between two choices of its pages; a request follows at once"),
)


class Found(NamedTuple):
    """What was found and what went wrong."""

    types: Counts
    syntaxes: Counts
    troubles: Counts
    refusals: Counts
    faults: Counts
    not_kept: Counts
    statuses: Counts
    seconds: dict[str, float]


def hosts_section(hosts: Hosts) -> str:
    if not hosts.count:
        return ""
    more = hosts.count - len(hosts.best)
    caption = f"The best {len(hosts.best)} of {hosts.count:,}. " if more > 0 else ""
    parts = [_heading("Hosts", caption + _kept(hosts)), html_table(HOST_COLUMNS, [*map(_host, hosts.best)])]
    if hosts.hurried:
        parts += [
            _heading("Asked sooner than their delay", "The worst first."),
            html_table(HOST_COLUMNS, [*map(_host, hosts.hurried)]),
        ]
    return "<section>\n{}\n</section>".format("\n".join(parts))


def _kept(hosts: Hosts) -> str:
    if not hosts.asked_again:
        return "No host was asked more than once with a delay to be kept."
    asked = f"of those with a delay, asked more than once: {hosts.asked_again:,}"
    if hosts.too_soon:
        return f"Asked again before their delay, by the log: {hosts.too_soon:,} ({asked})."
    return f"Delays were kept: by the log, no host was asked again before its delay ({asked})."


def _host(host: Host) -> list[str]:
    gap = "–" if host.gap is None else f"{host.gap:.2f} s"
    return [
        _text(host.name, host.name),
        *[f"{number:,}" for number in (host.fetched, host.good, host.bad, host.failed, host.statements)],
        f"{host.delay:g} s",
        gap if host.kept else f"<strong>{gap}</strong>",
    ]


def found_section(found: Found) -> str:
    """Two columns of small tables; what did not occur has none."""
    cards = [
        _card("Types", "Pages with at least one entity of the type.", found.types, "pages", short=True),
        _card("Syntaxes", "Statements, and the pages that have some.", found.syntaxes, "statements", also="pages"),
        _seconds(found.seconds),
        _card("Answers", "Pages by HTTP status.", found.statuses, "pages"),
        _card("Troubles", "Fetches that brought no page.", found.troubles, "pages", also="for example"),
        _card(
            "Refusals",
            "Chosen, and then not asked for: they cost nothing.",
            found.refusals,
            "pages",
            also="for example",
        ),
        _card("Not kept", "Pages that came and of which nothing was kept.", found.not_kept, "pages"),
        _card(
            "Faults",
            "What could not be read, by syntax; the rest of the page is not touched by it.",
            found.faults,
            "pages",
        ),
    ]
    body = "\n".join(card for card in cards if card)
    return f'<section class="cards">\n{body}\n</section>' if body else ""


def _card(title: str, caption: str, counts: Counts, what: str, *, also: str = "", short: bool = False) -> str:
    if not counts.shown:
        return ""
    is_example = also == "for example"
    columns = [Column(title.lower()), Column(what), *([Column(also, is_text=is_example)] if also else [])]
    most = max(count.number for count in counts.shown)
    rows = [_row(count, most, also=also, short=short) for count in counts.shown]
    if counts.others:
        rows.append([f"<small>{counts.others:,} others</small>", f"{counts.in_others:,}", *([""] if also else [])])
    return f'<div class="card">\n{_heading(title, caption)}\n{html_table(columns, rows)}\n</div>'


def _row(count: Count, most: int, *, also: str, short: bool) -> list[str]:
    name = shortened(count.name) if short else count.name
    bar = f'<b class="bar" style="width: {100 * count.number / most:.1f}%"></b>'
    return [_text(name, count.name) + bar, f"{count.number:,}", *([_text(count.also, count.also)] if also else [])]


def _text(shown: str, whole: str) -> str:
    cut = shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}…"
    return f'<span title="{escape(whole[: 4 * LONGEST])}">{escape(cut) or "–"}</span>'


def _seconds(seconds: dict[str, float]) -> str:
    if not seconds:
        return ""
    rows = [[escape(name), f"{short_number(value)} s"] for name, value in seconds.items()]
    table = html_table([Column("percentile"), Column("seconds a page")], rows)
    heading = _heading("Seconds a page", "From a request to the last byte of the answer, over the whole crawl.")
    return f'<div class="card">\n{heading}\n{table}\n</div>'


def _heading(title: str, caption: str) -> str:
    return f"<h2>{escape(title)}</h2>\n<p>{escape(caption)}</p>"
