"""``python -m benchmarks papers [NAME …] [--small]``: tables and figures of the papers, ours beside theirs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from benchmarks.papers import anthelion, graphs, ldcoc, nc2
from benchmarks.papers.page import PaperPage

PAPERS: dict[str, Callable[[bool], PaperPage]] = {
    "anthelion": anthelion.page,
    "graphs": graphs.page,
    "ldcoc": ldcoc.page,
    "nc2": nc2.page,
}


def main(names: Sequence[str], *, small: bool) -> None:
    """Each paper's page is written when all of it is measured."""
    unknown = [name for name in names if name not in PAPERS]
    if unknown:
        sys.exit(f"there is no paper '{unknown[0]}': there are {', '.join(PAPERS)}")
    for name in names or PAPERS:
        print(PAPERS[name](small).write(), flush=True)
