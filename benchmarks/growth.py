"""Whether a page costs more the more pages there are: CPU, memory and bytes on disk, from a thousand pages on.

Pages go the way of a live crawl from the moment they are read: session, log, SQLite, Oxigraph, checkpoints.
Nothing is fetched or parsed, which costs the same for each page. Medians of single calls tell which part grows,
and other work on the machine disturbs them less than sums. At each mark from 10,000 pages on, another process
restores the crawl from its checkpoint, and one explains a page that waits.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from array import array
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.common import print_row, print_table, scratch
from benchmarks.papers.plot import line_chart
from benchmarks.storing import entity
from sundog.engines.live.checkpoints import Checkpoints
from sundog.engines.live.journal import Journal
from sundog.engines.live.start import compile_kernels
from sundog.model import Decision, Fetched, Link
from sundog.processes.memory import peak_memory
from sundog.replay import restore
from sundog.results.explain import explain
from sundog.session import CrawlSession
from sundog.spec.crawl import CrawlSpec, parse_spec
from sundog.store import CrawlStore, PageRecord, open_readonly

MARKS = (1_000, 3_000, 10_000, 30_000, 50_000, 100_000, 200_000, 300_000, 500_000, 700_000, 1_000_000)
PLOT = Path(__file__).parent.parent / "docs" / "growth_live.svg"
LONG = 300_000  # pages from which on a plot says something
RESTORED_FROM = 10_000  # pages: shorter ones have no checkpoint
PARTS = {  # of a page's cost: whose method that is
    "links to ids": (CrawlSession, "intern"),
    "choice": (CrawlSession, "next_decision"),
    "learning": (CrawlSession, "observe"),
    "log": (CrawlStore, "append"),
    "commit": (CrawlStore, "commit"),
    "checkpoint": (Checkpoints, "keep"),
}
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
    parts: Mapping[str, float] = {}  # medians since the mark before, in µs
    restored: str = "–"  # seconds of CPU
    explained: str = "–"


@contextmanager
def timed_parts() -> Iterator[dict[str, array[float]]]:
    """The µs of each call, while this lasts."""
    times = {part: array("f") for part in PARTS}
    originals = {part: getattr(owner, name) for part, (owner, name) in PARTS.items()}
    for part, (owner, name) in PARTS.items():
        setattr(owner, name, _timed(originals[part], times[part]))
    try:
        yield times
    finally:
        for part, (owner, name) in PARTS.items():
            setattr(owner, name, originals[part])


def _timed(call: Callable[..., Any], times: array[float]) -> Callable[..., Any]:
    @wraps(call)
    def timed(*args: Any, **more: Any) -> Any:
        begun = time.perf_counter_ns()
        result = call(*args, **more)
        times.append((time.perf_counter_ns() - begun) / 1e3)
        return result

    return timed


def _medians(times: Mapping[str, array[float]], pages: int) -> dict[str, float]:
    """And forget them. A commit is shared by its pages; few calls write a checkpoint, so theirs is a mean."""
    found = {part: statistics.median(of_it) if of_it else 0.0 for part, of_it in times.items()}
    found["commit"] /= PAGES_A_COMMIT
    found["checkpoint"] = sum(times["checkpoint"]) / pages
    for of_it in times.values():
        del of_it[:]
    return found


def links_of(page: int, new: int) -> list[Link]:
    """Some that no page had before, and twenty to pages that are known."""
    first = page * new + 1
    known = [(page * 7_919 + number * 104_729) % first for number in range(KNOWN)]
    return [_link(number) for number in (*range(first, first + new), *known)]


def _link(number: int) -> Link:
    url = f"http://h{number % HOSTS}.example/section-{number % 20}/item-{number}.html"
    return Link(url if number else "http://h0.example/", f"item {number % 997}", "html body div.main ul li a")


def _alone(what: str, directory: Path) -> str:
    """What a process of its own takes for it, without the start of Python and of the kernels."""
    words = [sys.executable, "-m", "benchmarks.growth", what, str(directory)]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()


def crawl(
    directory: Path, spec: CrawlSpec, marks: list[int], new: int, times: Mapping[str, array[float]]
) -> Iterator[Mark]:
    store = CrawlStore.create(directory, SPEC.format(budget=spec.budget))
    journal = Journal.begin(spec, store)
    checkpoints = Checkpoints(journal, spec)
    journal.add([_link(0)])
    begun, page, mark = time.process_time(), 0, 0
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
            cpu = time.process_time() - begun
            found = Mark(page, cpu, peak_memory() / 1e6, *_sizes(directory), _medians(times, page - mark))
            if page >= RESTORED_FROM:
                checkpoints.keep()
                found = found._replace(
                    restored=_alone("restore", directory), explained=_alone(_link(page * new).url, directory)
                )
            yield found
            mark = page
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
        *(f"{mark.parts[part]:.0f}" for part in PARTS),
        mark.restored,
        mark.explained,
    )


def main(most: int, new: int) -> None:
    marks = [each for each in MARKS if each <= most]
    spec = parse_spec(SPEC.format(budget=10 * marks[-1]), "growth")
    compile_kernels(spec.policy, head_requests=True)
    columns = (
        "pages",
        "CPU ms a page",
        "MB",
        "crawl.db, kB a page",
        "statements/, kB",
        *PARTS,
        "restored, s",
        "explained, s",
    )
    print_table(f"Growth: {new + KNOWN} links a page, {new} of them new; parts in µs", columns, [], open_end=True)
    reached = [Mark(0, 0.0, 0.0, 0, 0)]
    with scratch() as folder:
        directory = folder / "crawl"
        with timed_parts() as times:
            for mark in crawl(directory, spec, marks, new, times):
                print_row(_row(reached[-1], mark))
                reached.append(mark)
    if marks[-1] >= LONG:
        curves = {part: [(mark.pages, mark.parts[part]) for mark in reached[1:]] for part in PARTS}
        PLOT.write_text(line_chart(curves, ("pages", "µs a page")))


def _restore_or_explain(what: str, directory: Path) -> None:
    with open_readonly(directory) as reader:
        spec = parse_spec(reader.spec_text, "growth")
        compile_kernels(spec.policy, head_requests=True)
        if what == "restore":
            print(_seconds(lambda: restore(reader, spec)))
        elif explain(directory, what).state == "waiting":
            print(_seconds(lambda: explain(directory, what)))


if __name__ == "__main__":
    _restore_or_explain(sys.argv[1], Path(sys.argv[2]))
