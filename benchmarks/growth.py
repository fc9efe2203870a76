"""Whether a page costs more the more pages there are: CPU, memory and bytes on disk, from a thousand pages on.

Pages go the way of a live crawl from the moment they are read: session, log, SQLite, Oxigraph, checkpoints.
Nothing is fetched or parsed, which costs the same for each page. At the end the crawl is restored from its
checkpoint, and a page that waits is explained.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from benchmarks.common import print_table, scratch
from benchmarks.storing import entity
from sundog.engines.live.checkpoints import Checkpoints
from sundog.engines.live.journal import Journal
from sundog.engines.live.start import compile_kernels
from sundog.model import Decision, Fetched, Link
from sundog.processes.memory import peak_memory
from sundog.replay import restore
from sundog.results.explain import explain
from sundog.spec.crawl import CrawlSpec, parse_spec
from sundog.store import CrawlStore, PageRecord, open_readonly

MARKS = (1_000, 3_000, 10_000, 30_000, 50_000, 100_000, 300_000, 1_000_000)
HOSTS, NEW, KNOWN = 2_000, 10, 20  # and links of each page to new pages and to known ones
PAGES_A_COMMIT = 32
SPEC = 'seeds = ["http://h0.example/"]\nbudget = {budget}\n'


class Mark(NamedTuple):
    """What a crawl had cost when it had so many pages."""

    pages: int
    cpu: float
    megabytes: float
    database: int
    statements: int


def links_of(page: int, new: int) -> list[Link]:
    """Some that no page had before, and twenty to pages that are known."""
    first = page * new + 1
    known = [(page * 7_919 + number * 104_729) % first for number in range(KNOWN)]
    return [_link(number) for number in (*range(first, first + new), *known)]


def _link(number: int) -> Link:
    url = f"http://h{number % HOSTS}.example/section-{number % 20}/item-{number}.html"
    return Link(url if number else "http://h0.example/", f"item {number % 997}", "html body div.main ul li a")


def crawl(directory: Path, spec: CrawlSpec, marks: list[int], new: int = NEW) -> Iterator[Mark]:
    store = CrawlStore.create(directory, SPEC.format(budget=spec.budget))
    journal = Journal.begin(spec, store)
    checkpoints = Checkpoints(journal, spec)
    journal.add([_link(0)])
    begun, page = time.process_time(), 0
    while page < marks[-1]:
        decision = journal.next_decision(float(page))
        assert isinstance(decision, Decision)
        number = int(decision.url.rpartition("-")[2].partition(".")[0] or 0) if page else 0
        is_wanted = number % 3 == 0
        triples = [triple for item in range(2) for triple in entity(number, item)] if is_wanted else []
        record = PageRecord(status=200, content_type="text/html", size=10_000, counts={"jsonld": len(triples)})
        outcome = Fetched(float(is_wanted), links_of(page, new))
        journal.observe(decision, outcome, float(page), record, statements={"jsonld": triples})
        journal.open_decisions.pop(decision.candidate, None)
        page += 1
        if page % PAGES_A_COMMIT == 0 or page in marks:
            store.commit()
            checkpoints.committed()
        if page in marks:
            yield Mark(page, time.process_time() - begun, peak_memory() / 1e6, *_sizes(directory))
    checkpoints.keep()
    store.close()


def _sizes(directory: Path) -> tuple[int, int]:
    """Bytes of the database with its journal, and of the index for SPARQL."""
    database = sum(each.stat().st_size for each in directory.glob("crawl.db*"))
    return database, sum(each.stat().st_size for each in (directory / "statements").iterdir())


def _seconds(act: Callable[[], object]) -> str:
    begun = time.process_time()
    act()
    return f"{time.process_time() - begun:.1f}"


def _row(before: Mark, mark: Mark) -> tuple[str, ...]:
    pages = mark.pages - before.pages
    return (
        f"{before.pages:,} – {mark.pages:,}",
        f"{(mark.cpu - before.cpu) / pages * 1e3:.2f}",
        f"{mark.megabytes:.0f}",
        f"{(mark.database - before.database) / pages / 1e3:.1f}",
        f"{(mark.statements - before.statements) / pages / 1e3:.1f}",
    )


def main(most: int, new: int) -> None:
    marks = [each for each in MARKS if each <= most]
    spec = parse_spec(SPEC.format(budget=10 * marks[-1]), "growth")
    compile_kernels(spec.policy, head_requests=True)
    with scratch() as folder:
        directory = folder / "crawl"
        reached = list(crawl(directory, spec, marks, new))
        with open_readonly(directory) as reader:
            restored = _seconds(lambda: restore(reader, spec))
        waiting = _link(marks[-1] * new).url
        explained = _seconds(lambda: explain(directory, waiting))
        assert explain(directory, waiting).state == "waiting"
    columns = ("pages", "CPU ms a page", "MB at the end", "crawl.db, kB a page", "statements/, kB a page")
    rows = [_row(*pair) for pair in pairwise([Mark(0, 0.0, 0.0, 0, 0), *reached])]
    print_table(f"Growth: {new + KNOWN} links a page, {new} of them new", columns, rows)
    print(f"{marks[-1]:,} pages restored in {restored} s of CPU, a waiting one explained in {explained} s.\n")
