"""The bounds of a spec's numbers, which also keep it writable: no file holds an infinity that all can read."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from sundog.errors import UsageError

MOST = 1e15
FROM_ONE = frozenset(
    "budget concurrency following.host_concurrency following.address_concurrency api.max_pages form.max_pages "
    "form.min_length patterns.memory patterns.stop.pages patterns.stop.items patterns.stop.dry "
    "patterns.result.limit".split()
)
ABOVE_ZERO = frozenset(
    "seconds limits.connect limits.first_byte limits.total limits.max_bytes limits.max_density "
    "limits.max_header_line limits.max_headers limits.max_url rdf.dump_bytes rdf.dump_unpacked "
    "rdf.dump_statements rdf.dump_seconds patterns.seconds".split()
)  # all others from 0 on


def check_numbers(table: Any, place: str = "") -> None:
    """Every number of a dataclass and of those within it."""
    for field in fields(table):
        name, value = f"{place}{field.name}", getattr(table, field.name)
        if is_dataclass(value):
            check_numbers(value, f"{name}.")
        elif isinstance(value, tuple) and value and is_dataclass(value[0]):
            for each in value:
                check_numbers(each, f"{name}.")
        elif isinstance(value, int | float) and not isinstance(value, bool):
            _check(name, value)


def _check(name: str, value: float) -> None:
    least = int(name in FROM_ONE)
    if name in ABOVE_ZERO and not value > 0:
        raise UsageError(f"{name} = {value:g}: a number above 0 is expected")
    if not value >= least:
        raise UsageError(f"{name} = {value:g}: a number from {least} on is expected")
    if value > MOST:
        raise UsageError(f"{name} = {value:g}: a number up to {MOST:g} is expected")
