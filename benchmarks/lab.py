"""``python -m benchmarks.lab [POLICY] [--set KEY=VALUE …]``: is this variant better than the default policy?

Runs both on the development families, cell by cell, and prints the paired difference with its standard error.
POLICY is a name, or ``module:NAME`` of a Policy or of a class of one. Choose with ``--half a``; look at half b
once, at the end. To compare two states of the code, ``--save`` the figures of one and name them with ``--against``
in the other.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from benchmarks import trials
from benchmarks.common import machine, print_table
from benchmarks.families import families
from benchmarks.trials import Estimate, Family, Kept, Row, Value, Variant, checked, estimate, values_of
from sundog.policies import DEFAULT
from sundog.policies.policy import Policy
from sundog.policies.presets import POLICIES

SURE = 2.0  # standard errors


def plug_in(name: str) -> str:
    """The name of a policy; one given as ``module:NAME`` is registered first."""
    module, colon, attribute = name.partition(":")
    if colon:
        try:
            found = getattr(import_module(module), attribute)
        except (ImportError, AttributeError) as error:
            sys.exit(f"{name}: {error}")
        policy: Policy = found() if isinstance(found, type) else found
        POLICIES[policy.name] = policy
        return policy.name
    return name


def compared(family: Family, pairs: Sequence[tuple[Value, Value]]) -> list[tuple[str, ...]]:
    return [_row(family, at, row, pairs) for at, row in enumerate(family.rows)]


def _row(family: Family, at: int, row: Row, pairs: Sequence[tuple[Value, Value]]) -> tuple[str, ...]:
    title = f"{family.name}: {row.title}"
    columns = [[pair[side].rows[at] for pair in pairs] for side in (0, 1)]
    if row.is_lowest:
        cells = [pair[1].cell.name for pair in pairs]
        lowest = min(zip(columns[1], cells, strict=True))
        return title, f"{min(columns[0]):.3f}", f"{lowest[0]:.3f}", "", lowest[1], ""
    groups = [pair[0].cell.group for pair in pairs]
    before, after = (estimate(column, groups, are_halves=family.are_halves).mean for column in columns)
    gains = [new - old for old, new in zip(*columns, strict=True)]
    gain = estimate(gains, groups, are_halves=family.are_halves)
    if row.is_ratio:
        figures = f"{math.exp(before):.3f}", f"{math.exp(after):.3f}", f"{math.expm1(gain.mean):+.1%}"
        spread = f"± {gain.error:.1%}"
    else:
        figures = f"{before:.3f}", f"{after:.3f}", f"{gain.mean:+.3f}"
        spread = f"± {gain.error:.3f}"
    return title, *figures, spread, _verdict(row, gain)


def _verdict(row: Row, gain: Estimate) -> str:
    if not abs(gain.mean) > SURE * gain.error:
        return ""
    return "**better**" if (gain.mean < 0) == row.lower_is_better else "**worse**"


def compare(
    chosen: Sequence[Family], default: Variant, variant: Variant, old: Kept, new: Kept, references: Kept
) -> list[tuple[str, ...]]:
    rows = []
    for family in chosen:
        begun, pairs = time.perf_counter(), []
        cells = list(family.cells())
        before = values_of(family, cells, [default], references, old)
        after = values_of(family, cells, [variant], references, new)
        for one, other in zip(before, after, strict=True):
            pairs.append((one[str(default)], other[str(variant)]))
        if pairs:
            rows += compared(family, pairs)
        print(
            f"{family.name}: {len(pairs)} cells, {time.perf_counter() - begun:.0f} s", file=sys.stderr, flush=True
        )
    return rows


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lab", description=__doc__)
    parser.add_argument("policy", nargs="?", default=DEFAULT, help="a name, or module:NAME")
    parser.add_argument("--set", nargs="+", action="extend", default=[], metavar="KEY=VALUE")
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="sites, sites-small, sites2, wiki-france, site.jsonl.gz"
    )
    parser.add_argument("--half", choices=("a", "b", "ab"), default="a", help="of the development data")
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD", help="families whose names contain one")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--small", action="store_true", help="fewer and smaller worlds: a first look")
    parser.add_argument("--save", type=Path, metavar="FILE", help="keep the variant's figures")
    parser.add_argument(
        "--against", type=Path, metavar="FILE", help="figures kept by --save instead of the default's"
    )
    given = parser.parse_args(words)
    variant = checked(plug_in(given.policy), given.set)
    chosen = [
        family
        for family in families(given.data, given.half, repeats=given.repeats, small=given.small)
        if not given.only or any(word in family.name for word in given.only)
    ]
    print(f"_{machine()}; `python -m benchmarks.lab {' '.join(words or sys.argv[1:])}`_\n")
    old, new = Kept(given.against, complete=bool(given.against)), Kept(given.save)
    default = Variant(DEFAULT)
    new = new if given.save or given.against else old
    rows = compare(chosen, default, variant, old, new, Kept(trials.RESULTS))
    columns = ("figure", f"`{default}`", f"`{variant}`", "difference", "", "")
    print_table(f"`{variant}` against `{default}`, half {given.half}", columns, rows)


if __name__ == "__main__":
    main()
