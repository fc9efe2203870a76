"""All policies on all families of webs: the table with which docs/policies.md opens.

Figures are kept in `bench-data/results.jsonl`, so a run that was stopped goes on. After a change of one policy,
have its figures measured `--again`; the others' are still there.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks import trials
from benchmarks.common import print_row, print_table
from benchmarks.families import demo_web, families
from benchmarks.trials import Estimate, Family, Kept, Row, Value, Variant, checked, estimate, values_of
from sundog.policies.presets import POLICIES

LEFT_OUT = ("steered-oracle",)  # the oracle with parameters


def main(
    data: str | None = None,
    *,
    policies: Sequence[str] = (),
    again: Sequence[str] = (),
    repeats: int | None = None,
    small: bool = False,
) -> None:
    variants = [variant(text) for text in policies] or [Variant(name) for name in POLICIES if name not in LEFT_OUT]
    kept = Kept(trials.RESULTS)
    kept.forget(again)
    print_table("Policies on all families of webs", ("", *(f"`{one}`" for one in variants)), [], open_end=True)
    for family in all_families(data, repeats=repeats or 3, small=small):
        begun = time.perf_counter()
        found = list(values_of(family, family.cells(), variants, kept, kept))
        for at, row in enumerate(family.rows):
            print_row(row_of(family, at, row, variants, found))
        took = time.perf_counter() - begun
        print(f"{family.name}: {len(found)} cells, {took:.0f} s", file=sys.stderr, flush=True)


def all_families(data: str | None, *, repeats: int, small: bool) -> Iterator[Family]:
    yield from families(Path(data) if data else None, repeats=repeats, small=small)
    yield from demo_web.families(small=small)


def variant(text: str) -> Variant:
    """
    >>> variant("q-learning:features=url+link:gamma=0")
    Variant(policy='q-learning', settings={'features': 'url+link', 'gamma': '0'})
    """
    policy, *settings = text.split(":")
    return checked(policy, settings)


def row_of(
    family: Family, at: int, row: Row, variants: Sequence[Variant], found: Sequence[dict[str, Value]]
) -> tuple[str, ...]:
    """The estimates of all variants; the best of those without foresight is bold."""
    estimates = [_estimate(family, at, row, str(one), found) for one in variants]
    sign = -1.0 if row.lower_is_better else 1.0
    fair = [
        sign * one.mean
        for one, variant in zip(estimates, variants, strict=True)
        if one and not POLICIES[variant.policy].foresees
    ]
    cells = [_text(one, row, is_best=bool(one and fair and sign * one.mean == max(fair))) for one in estimates]
    return f"{family.name}: {row.title}", *cells


def _estimate(family: Family, at: int, row: Row, name: str, found: Sequence[dict[str, Value]]) -> Estimate | None:
    values = [values[name] for values in found if name in values]
    if not values:
        return None
    figures = [value.rows[at] for value in values]
    if row.is_lowest:
        return Estimate(min(figures), math.nan)
    return estimate(figures, [value.cell.group for value in values], are_halves=family.are_halves)


def _text(one: Estimate | None, row: Row, *, is_best: bool) -> str:
    """
    >>> _text(Estimate(0.7316, 0.0213), Row("share"), is_best=True), _text(None, Row("share"), is_best=False)
    ('**.73** ±.02', '–')
    """
    if one is None:
        return "–"
    mean = math.exp(one.mean) if row.is_ratio else one.mean
    error = mean * one.error if row.is_ratio else one.error
    figure = f"**{_short(mean)}**" if is_best else _short(mean)
    return figure if math.isnan(error) else f"{figure} ±{_short(error)}"


def _short(number: float) -> str:
    return f"{number:.2f}".removeprefix("0") if number < 1 else f"{number:.2f}"
