"""Hosts: their record, and whether they were left the time that they or we asked for.

A request follows the choice of its page at once, so the time between two choices of pages of a host is taken for
the time between two requests. Requests for robots.txt and for redirects are not in the log: a server's own log
remains the judge.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sundog.report.crawl.fetches import Fetches
from sundog.report.document import Column, cut_text, html_table, section_heading
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
HURRIED = 10
TOLERANCE = 0.005  # seconds: clocks are read a moment before and after


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
        return self.gap is None or self.gap >= self.delay - TOLERANCE


@dataclass(frozen=True)
class Hosts:
    """The best of them, those that were asked too soon, and how many there are."""

    best: list[Host]
    hurried: list[Host]
    count: int
    asked_again: int  # more than once, and with a delay to be kept
    too_soon: int


def hosts_of(reader: CrawlReader, fetches: Fetches, delay: float) -> Hosts:
    if not len(fetches):
        return Hosts([], [], 0, 0, 0)
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

    too_soon = np.flatnonzero(gaps < delays - TOLERANCE)
    hurried = too_soon[np.argsort((gaps - delays)[too_soon], kind="stable")][:HURRIED]
    best = np.lexsort((sums[0], -sums[1]))[:SHOWN]  # most good pages first, and of those the fewest fetches
    asked_again = int((np.isfinite(gaps) & (delays > 0)).sum())
    return Hosts([*map(host, best)], [*map(host, hurried)], size, asked_again, len(too_soon))


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
    numbers = {host: number for number, host in enumerate(hosts)}
    delays = np.full(len(hosts), delay)
    for host, state in reader.host_states().items():
        if host in numbers:
            delays[numbers[host]] = max(delay, _crawl_delay(state))
    return delays


def _crawl_delay(state: Any) -> float:
    """Out of what politeness keeps of a host: host, address, crawl delay and more, as a list or by name."""
    if isinstance(state, list) and len(state) > 2:
        state = {"crawl_delay": state[2]}
    found = state.get("crawl_delay") if isinstance(state, dict) else None
    return float(found) if isinstance(found, int | float) else 0.0


def hosts_section(hosts: Hosts) -> str:
    if not hosts.count:
        return ""
    more = hosts.count - len(hosts.best)
    caption = f"The best {len(hosts.best)} of {hosts.count:,}. " if more > 0 else ""
    parts = [
        section_heading("Hosts", caption + _delays_kept(hosts)),
        html_table(HOST_COLUMNS, [*map(_host_row, hosts.best)]),
    ]
    if hosts.hurried:
        parts += [
            section_heading("Asked sooner than their delay", "The worst first."),
            html_table(HOST_COLUMNS, [*map(_host_row, hosts.hurried)]),
        ]
    return "<section>\n{}\n</section>".format("\n".join(parts))


def _delays_kept(hosts: Hosts) -> str:
    if not hosts.asked_again:
        return "No host was asked more than once with a delay to be kept."
    asked = f"of those with a delay, asked more than once: {hosts.asked_again:,}"
    if hosts.too_soon:
        return f"Asked again before their delay, by the log: {hosts.too_soon:,} ({asked})."
    return f"Delays were kept: by the log, no host was asked again before its delay ({asked})."


def _host_row(host: Host) -> list[str]:
    gap = "–" if host.gap is None else f"{host.gap:.2f} s"
    return [
        cut_text(host.name, host.name),
        *[f"{number:,}" for number in (host.fetched, host.good, host.bad, host.failed, host.statements)],
        f"{host.delay:g} s",
        gap if host.kept else f"<strong>{gap}</strong>",
    ]
