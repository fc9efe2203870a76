"""What `lab` and `policies` share: cells of families of webs, results that are kept, means and their errors."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.common import DATA
from sundog.errors import UsageError
from sundog.policies.presets import check_parameters, find_policy

RESULTS = DATA / "results.jsonl"  # of references, and of all columns of `policies`
DRAWS = 1000  # of the bootstrap


class Variant(NamedTuple):
    """A policy and what is set of its parameters.

    >>> str(Variant("nh-n", {"aggregate": "avg"}))
    'nh-n aggregate=avg'
    """

    policy: str
    settings: Mapping[str, Any] = {}

    def __str__(self) -> str:
        return " ".join([self.policy, *(f"{name}={value}" for name, value in self.settings.items())])


def checked(policy: str, settings: Iterable[str]) -> Variant:
    """Of settings as KEY=VALUE; exits if there is no such policy, or if it does not have them."""
    variant = Variant(policy, dict(text.partition("=")[::2] for text in settings))
    try:
        check_parameters(variant.settings, [find_policy(policy)])
    except UsageError as error:
        sys.exit(str(error))
    return variant


@dataclass(frozen=True)
class Cell:
    """One crawl to repeat, of the family of this name; those of one ``group``, such as a host, are alike."""

    family: str
    name: str
    group: str
    measure: Callable[[Variant, int], list[float]] = field(repr=False)  # of a variant and a repeat: raw figures


class Row(NamedTuple):
    """A figure of a family. ``is_ratio``: its logarithms are averaged and compared."""

    title: str
    is_ratio: bool = False
    lower_is_better: bool = False
    is_lowest: bool = False  # not the mean of the cells, but the worst of them


Results = dict[str, list[float]]  # raw figures of a cell, by variant


@dataclass(frozen=True)
class Family:
    """``rows_of`` turns a variant's raw figures, means of the repeats, into a value per row; None if the cell does
    not count.

    Of a family of random halves of a world, the spread of their means is the error of the whole (a delete-half
    jackknife)."""

    name: str
    rows: tuple[Row, ...]
    cells: Callable[[], Iterable[Cell]]
    repeats: int = 1
    references: tuple[Variant, ...] = ()  # what others are compared with; they never change
    rows_of: Callable[[list[float], Results], list[float] | None] = lambda figures, references: figures
    are_halves: bool = False
    is_live: bool = False  # policies with foresight cannot take part

    def takes(self, variant: Variant) -> bool:
        return not (self.is_live and find_policy(variant.policy).foresees)


class Kept:
    """Raw figures by variant, cell and repeat; with a file, they outlive the process. What is ``complete`` gets no
    more of them."""

    def __init__(self, path: Path | None = None, *, complete: bool = False) -> None:
        self._path, self._complete = path, complete
        self._known: dict[tuple[Any, ...], list[float]] = {}
        if path and path.exists():
            for line in path.read_text().splitlines():
                *key, figures = json.loads(line)
                self._known[tuple(key)] = figures

    def forget(self, policies: Sequence[str]) -> None:
        self._known = {key: value for key, value in self._known.items() if key[0].split()[0] not in policies}
        if self._path and self._path.exists():
            self._path.write_text("".join(json.dumps([*key, value]) + "\n" for key, value in self._known.items()))

    def get(self, cell: Cell, variant: Variant, repeat: int) -> list[float]:
        key = (str(variant), cell.family, cell.name, repeat)
        if key not in self._known and self._complete:
            sys.exit(f"{self._path} has no figures of {', '.join(map(str, key))}: save them with the same options")
        if key not in self._known:
            self._known[key] = cell.measure(variant, repeat)
            if self._path:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                with self._path.open("a") as file:
                    file.write(json.dumps([*key, self._known[key]]) + "\n")
        return self._known[key]

    def mean(self, cell: Cell, variant: Variant, repeats: int) -> list[float]:
        figures: list[float] = np.mean([self.get(cell, variant, one) for one in range(repeats)], axis=0).tolist()
        return figures


class Value(NamedTuple):
    """What a variant has reached in a cell, one number per row."""

    cell: Cell
    rows: list[float]


def values_of(
    family: Family, cells: Iterable[Cell], variants: Sequence[Variant], references: Kept, own: Kept
) -> Iterator[dict[str, Value]]:
    """The values of all variants, cell after cell; cells that do not count are left out."""
    for cell in cells:
        others = {str(other): references.mean(cell, other, family.repeats) for other in family.references}
        found = {}
        for variant in filter(family.takes, variants):
            figures = others.get(str(variant)) or own.mean(cell, variant, family.repeats)
            rows = family.rows_of(figures, others)
            if rows is not None:
                found[str(variant)] = Value(cell, _logarithms(family, rows))
        if found:
            yield found


def _logarithms(family: Family, values: list[float]) -> list[float]:
    return [math.log(one) if row.is_ratio else one for row, one in zip(family.rows, values, strict=True)]


class Estimate(NamedTuple):
    mean: float
    error: float


def estimate(values: Sequence[float], groups: Sequence[str], *, are_halves: bool = False) -> Estimate:
    """The mean, and its standard error by a bootstrap over groups; of halves, the spread of their means.

    >>> estimate([1.0, 1.0, 3.0, 3.0], ["a", "a", "b", "b"], are_halves=True)
    Estimate(mean=2.0, error=1.4142135623730951)
    """
    names = sorted(set(groups))
    sums = np.array([sum(v for v, g in zip(values, groups, strict=True) if g == name) for name in names])
    counts = np.array([list(groups).count(name) for name in names])
    if are_halves:
        means = sums / counts
        return Estimate(float(means.mean()), float(means.std(ddof=1)) if len(means) > 1 else math.nan)
    mean = float(sums.sum() / counts.sum())
    if len(names) == 1:
        return Estimate(mean, math.nan)
    drawn = np.random.default_rng(0).integers(0, len(names), (DRAWS, len(names)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    return Estimate(mean, float(means.std() * math.sqrt(len(names) / (len(names) - 1))))  # few groups spread less
