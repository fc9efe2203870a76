"""The bounds of everything that a browser may ask of a crawl; on the command line only those of a spec hold."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from sundog.errors import UsageError
from sundog.spec import CrawlSpec
from sundog.spec.tables import numbers_of
from sundog.texts import short_number

LONGEST_LINE = 300  # characters of a title, a name, an address
LONGEST_DESCRIPTION = 10_000
MOST_SEEDS = 10_000
DAY, YEAR = 86_400, 365 * 86_400  # seconds

# The largest value of each number, by its key. Times are seconds, sizes bytes, memory megabytes.
MOST_BY_KEY: dict[str, float] = {
    "budget": 1_000_000_000,
    "seconds": YEAR,
    "bytes": 10**15,
    "seed": 2**53,
    "delay": DAY,
    "concurrency": 256,
    "workers": 4,
    "free_disk": 10**15,
    "explore.log": 1,
    "scope.max_depth": 10_000,
    "following.retries": 20,
    "following.patience": 7 * DAY,
    "following.worth_waiting": 1,
    "following.host_concurrency": 64,
    "following.address_concurrency": 64,
    "limits.connect": 120,
    "limits.first_byte": 300,
    "limits.total": 3_600,
    "limits.min_speed": 1_000_000,
    "limits.speed_grace": 3_600,
    "limits.max_bytes": 100_000_000,
    "limits.max_density": 10_000,
    "limits.max_redirects": 20,
    "limits.max_header_line": 65_536,
    "limits.max_headers": 1_000,
    "limits.max_url": 65_536,
    "limits.error_bytes": 1_000_000,
    "rendering.price": 1_000_000,
    "rendering.budget": 1_000_000_000,
    "rendering.at_once": 4,
    "rendering.quiet": 10,
    "rendering.scroll": 50,
    "rendering.seconds": 60,
    "rendering.requests": 500,
    "rendering.bytes": 100_000_000,
    "rendering.nodes": 500_000,
    "rendering.memory": 1_000_000_000,
    "cluster.cpus": 1_000,
    "cluster.memory": 10**15,
    "rdf.dump_bytes": 1_000_000_000,
    "rdf.dump_unpacked": 2_000_000_000,
    "rdf.dump_statements": 5_000_000,
    "rdf.dump_seconds": 600,
    "api.first_page": 1_000_000_000,
    "api.page_size": 1_000_000,
    "api.max_pages": 10_000,
    "api.requests": 1_000_000_000,
    "api.window": 31 * DAY,
    "form.first_page": 1_000_000_000,
    "form.max_pages": 10_000,
    "form.min_length": 100,
    "form.max_share": 1,
    "patterns.seconds": 10,
    "patterns.memory": 1_000,
    "patterns.link.depth": 10_000,
    "patterns.link.priority": 1_000_000,
    "patterns.stop.seconds": YEAR,
    "patterns.stop.pages": 1_000_000_000,
    "patterns.stop.items": 1_000_000_000,
    "patterns.stop.dry": 1_000_000_000,
    "patterns.result.limit": 1_000_000,
}
MOST_OTHERWISE = 1_000_000_000  # of a number that the table lacks
LONGEST_BY_KEY = {"title": LONGEST_LINE, "description": LONGEST_DESCRIPTION, "user_agent": LONGEST_LINE}
MOST_ENTRIES_BY_KEY = {"seeds": MOST_SEEDS}
MOST_ENTRIES = 1_000  # of any other list


def check_bounds(spec: CrawlSpec) -> None:
    """Raises UsageError for what is larger than a browser may ask for."""
    for name, number in numbers_of(spec):
        most = MOST_BY_KEY.get(name, MOST_OTHERWISE)
        if number > most:
            raise UsageError(f"{name} = {short_number(number)}: a number up to {most:,} is expected here")
    for name, longest in LONGEST_BY_KEY.items():
        if len(getattr(spec, name)) > longest:
            raise UsageError(f"{name}: {longest:,} characters at most are expected here")
    _check_lists(spec)


def _check_lists(table: Any, place: str = "") -> None:
    for field in fields(table):
        name, value = f"{place}{field.name}", getattr(table, field.name)
        if is_dataclass(value):
            _check_lists(value, f"{name}.")
        elif isinstance(value, tuple | frozenset):
            most = MOST_ENTRIES_BY_KEY.get(name, MOST_ENTRIES)
            if len(value) > most:
                raise UsageError(f"{name}: {most:,} entries at most are expected here")
