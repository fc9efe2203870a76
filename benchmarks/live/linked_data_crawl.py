"""A live crawl of Linked Data: is every triple there, each once? ``python -m benchmarks linked_data_live``."""

from __future__ import annotations

import tempfile
from pathlib import Path

from examples.linked_data_web import Served, serving
from examples.linked_data_web.checking import compare

from benchmarks.common import print_table
from sundog import CrawlSpec, crawl
from sundog.policies.presets import POLICIES
from sundog.results.export import export

THINGS = 2_000  # in each dataset
CHOSEN = ("bfs", "sundog", "ldcoc", "ldspider")
COLUMNS = (
    "policy",
    "documents",
    "triples",
    "documents that differ",
    "triples twice",
    "fetched",
    "failed",
    "seconds",
)


def main() -> None:
    with serving(THINGS) as served:
        rows = [_row(served, policy) for policy in CHOSEN if policy in POLICIES]
    print_table(
        f"Linked Data, live: {THINGS:,} things in each of {len(served.web.datasets)} datasets", COLUMNS, rows
    )


def _row(served: Served, policy: str) -> tuple[str, ...]:
    web = served.web
    with tempfile.TemporaryDirectory() as scratch:
        spec = CrawlSpec(
            seeds=tuple(web.seeds),
            objective="rdf",
            policy=policy,
            budget=100 * THINGS,
            delay=0.0,
            connect_to=served.connect_to,
        )
        summary = crawl(spec, Path(scratch) / "crawl")
        difference = compare(web, export(Path(scratch) / "crawl", "nquads", Path(scratch) / "all.nq"))
    return (
        policy,
        f"{len(web.documents):,}",
        f"{difference.triples:,}",
        str(len(difference.documents)),
        str(difference.lines_twice),
        f"{summary['fetched']:,}",
        f"{summary['failed']:,}",
        f"{summary['seconds']:.0f}",
    )


if __name__ == "__main__":
    main()
