"""How right ``sundog replay`` is where the truth is known: 40 pairs of policies on each of five simulated worlds.

A crawl with the first policy of a pair draws a random page now and then (``explore.log``). Its log is asked about
the second, whose own crawl of the same world is the truth. The truth of "one step ahead" is what the pages that
the second would have chosen are worth in the world.

``python -m benchmarks.replaying choose|confirm [SITES …]``: three synthetic webs, and worlds of real sites if
their directories are named, each with two objectives.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean, median
from typing import Any, NamedTuple

import numpy as np

from benchmarks.common import print_table, world
from benchmarks.recording import crawled
from sundog import load_world, simulate
from sundog.engines.simulate import rewards_of
from sundog.replay.comparison import CANNOT_TELL, Answer, compare
from sundog.replay.one_step import choices_of
from sundog.replay.record import Record, Settings, read_record
from sundog.store import open_readonly
from sundog.worlds.static import StaticWorld

POLICIES = ("sundog", "bfs", "anthelion", "random", "success-rate", "thompson", "ftrl", "naive-bayes")
PARTNERS = 5  # of each policy
EXPLORE = 0.02
SEEDS = {"choose": 1, "confirm": 2}
BUDGETS = {"web2014": 1_000, "web2024": 1_000, "adverse": 1_000}
OBJECTIVES = {"jsonld>=20": 1_500, "microdata>=30": 600}  # of real sites
LARGE = 0.05  # a difference that should be seen
COLUMNS = ("world", "pairs", "covered", "named", "wrong", "cannot tell", "width", "one step: covered", "width")


class Cell(NamedTuple):
    logged: str  # the policy whose log was asked
    answer: Answer
    truth: float
    one_step_truth: float

    @property
    def is_covered(self) -> bool:
        return self.answer.curve.end.low <= self.truth <= self.answer.curve.end.high

    @property
    def relative_width(self) -> float:
        end = self.answer.curve.end
        return (end.high - end.low) / max(1.0, self.truth)

    @property
    def is_step_covered(self) -> bool:
        """But for rounding."""
        step = self.answer.one_step
        return step.low - 1e-9 <= self.one_step_truth <= step.high + 1e-9

    @property
    def difference(self) -> float:
        """As a share of the better one."""
        found = self.answer.found
        return abs(self.truth - found) / max(1.0, self.truth, found)

    @property
    def differs(self) -> bool:
        return self.difference > LARGE

    @property
    def is_named(self) -> bool:
        """The better policy of the two."""
        return self.answer.verdict.endswith("better" if self.truth > self.answer.found else "worse")


def worlds(half: str, sites: Sequence[str]) -> Iterator[tuple[str, StaticWorld, str, int]]:
    for profile, budget in BUDGETS.items():
        generated = world(profile, pages=20_000, hosts=1_500, seed=SEEDS[half])
        yield f"{profile}, seed {SEEDS[half]}", load_world(str(generated)), "any", budget
    for place in sites:
        loaded = load_world(place)
        for objective, budget in OBJECTIVES.items():
            yield f"{Path(place).name}, `{objective}`", loaded, objective, budget


def cells_of(loaded: StaticWorld, objective: str, budget: int) -> Iterator[Cell]:
    relevant = rewards_of(loaded, objective) > 0
    rows = {loaded.pages.urls[row]: row for row in range(loaded.size)}
    truth = {
        name: mean(
            simulate(loaded, name, budget=budget, objective=objective, seed=seed).relevant for seed in (0, 1)
        )
        for name in POLICIES
    }
    for place, logged in enumerate(POLICIES):
        partners = [POLICIES[(place + step) % len(POLICIES)] for step in range(1, PARTNERS + 1)]
        with tempfile.TemporaryDirectory() as folder:
            options = {"budget": budget, "objective": objective, "seed": 7, "explore_log": EXPLORE}
            directory = crawled(Path(folder) / "crawl", loaded, logged, **options)  # type: ignore[arg-type]
            answers = compare(directory, partners).answers
            for answer, worth in zip(answers, _worths(directory, partners, relevant, rows), strict=True):
                yield Cell(logged, answer, truth[answer.policy], worth)


def _worths(directory: Path, partners: Sequence[str], relevant: Any, rows: dict[str, int]) -> Iterator[float]:
    """What the choices of each are really worth."""
    with open_readonly(directory) as reader:
        settings = Settings.of(reader)
        record: Record = read_record(reader, settings)
        for name in partners:
            chosen = choices_of(reader, settings, name, record)
            pages = [rows[record.catalog.url(page)] for page in chosen[chosen >= 0].tolist()]
            yield float(np.mean(relevant[pages]))


def unnamed(cells: Sequence[Cell]) -> Iterator[str]:
    """Each pair that differs and was not named rightly."""
    for cell in cells:
        if cell.differs and not cell.is_named:
            answer, end = cell.answer, cell.answer.curve.end
            yield (
                f"  {cell.logged} found {answer.found}, {answer.policy} finds {cell.truth:.0f}: {answer.verdict}, "
                f"{end.likely:.0f} ({end.low:.0f} to {end.high:.0f})"
            )


def by_difference(cells: Sequence[Cell]) -> Iterator[tuple[str, ...]]:
    """How many pairs are named that differ by more than this share."""
    for least in (0.05, 0.1, 0.2):
        pairs = [cell for cell in cells if cell.difference > least]
        yield f"{least:.0%}", f"{len(pairs)}", f"{mean(cell.is_named for cell in pairs):.1%}"


def by_word(cells: Sequence[Cell]) -> Iterator[tuple[str, ...]]:
    """How often verdicts are right, of pairs that differ."""
    for word, is_sure in (("`better`, `worse`", True), ("`likely …`", False)):
        pairs = [
            cell
            for cell in cells
            if cell.differs
            and cell.answer.verdict != CANNOT_TELL
            and is_sure != cell.answer.verdict.startswith("likely")
        ]
        yield word, f"{len(pairs)}", f"{mean(cell.is_named for cell in pairs):.1%}" if pairs else "–"


def row_of(name: str, cells: Sequence[Cell]) -> tuple[str, ...]:
    large = [cell for cell in cells if cell.differs]
    return (
        name,
        f"{len(cells)}, {len(large)} differ",
        f"{mean(cell.is_covered for cell in cells):.1%}",
        f"{mean(cell.is_named for cell in large):.1%}",
        f"{mean(not cell.is_named and cell.answer.verdict != CANNOT_TELL for cell in large):.1%}",
        f"{mean(cell.answer.verdict == CANNOT_TELL for cell in large):.1%}",
        f"{median(cell.relative_width for cell in cells):.2f}",
        f"{mean(cell.is_step_covered for cell in cells):.1%}",
        f"{median(cell.answer.one_step.high - cell.answer.one_step.low for cell in cells):.3f}",
    )


def main(half: str, sites: Sequence[str]) -> None:
    rows, every = [], []
    for name, loaded, objective, budget in worlds(half, sites):
        cells = list(cells_of(loaded, objective, budget))
        every += cells
        rows.append(row_of(name, cells))
        print(" | ".join(rows[-1]), *unnamed(cells), sep="\n", file=sys.stderr, flush=True)
    print_table("What replays say, compared with the truth", COLUMNS, [*rows, row_of("all", every)])
    print_table("Pairs that differ by more", ("than", "pairs", "named"), list(by_difference(every)))
    print_table("Verdicts on pairs that differ", ("verdict", "pairs", "right"), list(by_word(every)))
    errors = [(cell.answer.curve.end.likely - cell.truth) / max(1.0, cell.truth) for cell in every]
    off, signed = median(map(abs, errors)), median(errors)
    print(f"The likely value is off by {off:.1%} in the median, by {signed:+.1%} with its sign")


if __name__ == "__main__":
    if sys.argv[1:2] not in (["choose"], ["confirm"]):
        sys.exit("python -m benchmarks.replaying choose|confirm [SITES …]")
    main(sys.argv[1], sys.argv[2:])
