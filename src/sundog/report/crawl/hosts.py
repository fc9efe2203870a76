"""Hosts: their record, and whether their delays were kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sundog.report.crawl.fetches import Fetches
from sundog.report.document import Column, cut_text, html_table, section_heading
from sundog.results.politeness import Politeness, crawl_delays, is_too_soon, judge
from sundog.store import CrawlReader

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
SHOWN = 25
MOST_TOO_SOON = 10


class Host(NamedTuple):
    name: str
    fetched: int
    good: int
    failed: int
    statements: int
    delay: float  # what was to be kept
    gap: float | None  # the shortest between two requests; None: it was asked once

    @property
    def bad(self) -> int:
        return self.fetched - self.good

    @property
    def kept(self) -> bool:
        return self.gap is None or not is_too_soon(self.gap, self.delay)


@dataclass(frozen=True)
class Hosts:
    """The best of them, the worst of those that were asked too soon, and how many there are."""

    best: list[Host]
    asked_too_soon: list[Host]
    count: int
    politeness: Politeness


def hosts_of(reader: CrawlReader, fetches: Fetches, delay: float) -> Hosts:
    if not len(fetches):
        return Hosts([], [], 0, Politeness(0, 0))
    rows, names = fetches.rows, fetches.sites.hosts
    size = len(names)
    sums = [
        np.bincount(rows["host"], weight, size).astype(int)
        for weight in (None, fetches.relevant, rows["failed"], rows["statements"])
    ]
    delays = _delays(reader, names, delay)
    gaps = shortest_gaps(rows["host"], rows["decided_at"], size)

    def host(number: int) -> Host:
        fetched, good, failed, statements = (int(each[number]) for each in sums)
        gap = float(gaps[number]) if np.isfinite(gaps[number]) else None
        return Host(names[number], fetched, good, failed, statements, float(delays[number]), gap)

    politeness = judge(zip(gaps.tolist(), delays.tolist(), strict=True))
    worst = np.argsort(gaps - delays, kind="stable")[: min(MOST_TOO_SOON, politeness.too_soon)]
    best = np.lexsort((sums[0], -sums[1]))[:SHOWN]  # most good pages first, and of those the fewest fetches
    return Hosts([*map(host, best)], [*map(host, worst)], size, politeness)


def shortest_gaps(hosts: Any, moments: Any, size: int) -> Any:
    """Of each host; infinite if it was asked once.

    >>> shortest_gaps(np.array([0, 1, 0, 0]), np.array([1.0, 1.5, 4.0, 3.5]), 2).tolist()
    [0.5, inf]
    """
    order = np.lexsort((moments, hosts))
    same = hosts[order][1:] == hosts[order][:-1]
    shortest = np.full(size, np.inf)
    np.minimum.at(shortest, hosts[order][1:][same], np.diff(moments[order])[same])
    return shortest


def _delays(reader: CrawlReader, hosts: list[str], delay: float) -> Any:
    """Ours, or the host's own Crawl-delay if that is longer."""
    own = crawl_delays(reader)
    return np.array([max(delay, own.get(host, 0.0)) for host in hosts])


def hosts_section(hosts: Hosts) -> str:
    if not hosts.count:
        return ""
    more = hosts.count - len(hosts.best)
    caption = f"The best {len(hosts.best)} of {hosts.count:,}. " if more > 0 else ""
    parts = [
        section_heading("Hosts", caption + _delays_kept(hosts)),
        html_table(HOST_COLUMNS, [*map(_host_row, hosts.best)]),
    ]
    if hosts.asked_too_soon:
        parts += [
            section_heading("Asked sooner than their delay", "The worst first."),
            html_table(HOST_COLUMNS, [*map(_host_row, hosts.asked_too_soon)]),
        ]
    return "<section>\n{}\n</section>".format("\n".join(parts))


def _delays_kept(hosts: Hosts) -> str:
    asked_again, too_soon = hosts.politeness
    if not asked_again:
        return "No host was asked more than once with a delay to be kept."
    asked = f"of those with a delay, asked more than once: {asked_again:,}"
    if too_soon:
        return f"Asked again before their delay, by the log: {too_soon:,} ({asked})."
    return f"Delays were kept: by the log, no host was asked again before its delay ({asked})."


def _host_row(host: Host) -> list[str]:
    gap = "–" if host.gap is None else f"{host.gap:.2f} s"
    return [
        cut_text(host.name, host.name),
        *[f"{number:,}" for number in (host.fetched, host.good, host.bad, host.failed, host.statements)],
        f"{host.delay:g} s",
        gap if host.kept else f"<strong>{gap}</strong>",
    ]
