"""``python -m benchmarks papers [NAME …] [--small] [--out DIR]``: tables and figures of the papers, ours beside
theirs. Of graphs: ``--rounds N``, so many sets of seeds; ``--nodes N``, no graph is larger."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from benchmarks.papers import anthelion, graphs, ldcoc, nc2
from benchmarks.papers.page import FOLDER, PaperPage

PAPERS: dict[str, Callable[[bool], PaperPage]] = {
    "anthelion": anthelion.page,
    "graphs": graphs.page,
    "ldcoc": ldcoc.page,
    "nc2": nc2.page,
}


def main(
    names: Sequence[str],
    *,
    small: bool,
    sets: int | None = None,
    nodes: int | None = None,
    out: Path | None = None,
) -> None:
    """Each paper's page is written when all of it is measured."""
    unknown = [name for name in names if name not in PAPERS]
    if unknown:
        sys.exit(f"there is no paper '{unknown[0]}': there are {', '.join(PAPERS)}")
    made_by = PAPERS | {"graphs": partial(graphs.page, sets=sets, nodes=nodes)}
    for name in names or PAPERS:
        print(made_by[name](small).write(out or FOLDER), flush=True)
