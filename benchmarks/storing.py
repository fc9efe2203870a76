"""What the store costs per page (60 links, a third of them new, 30 statements); how quickly a log is replayed.

With a file of real ones: how large ``crawl.db`` is for these, also if SQLite's own pages are of other sizes.
"""

from __future__ import annotations

import gzip
import itertools
import json
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.common import print_table
from sundog.extract import Extraction, extract
from sundog.model import LinkBatch
from sundog.store import CrawlStore, Decided, Observed, PageRecord, Rested, Seeded, open_readonly
from sundog.syntaxes import STORED

PAGES, LINKS, NEW, ENTITIES = 6_000, 60, 20, 5
REAL_PAGES, A_COMMIT = 1_200, 32
PAGE_SIZES = (2_048, 4_096, 8_192, 16_384, 32_768)
SCHEMA = "http://schema.org/"
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"


def entity(page: int, number: int) -> Iterator[tuple[str, str, str]]:
    node, words = f"_:b{number}", " ".join(f"word{page * 7 + i}" for i in range(20))
    yield node, TYPE, f"<{SCHEMA}Product>"
    yield node, f"<{SCHEMA}name>", f'"Product {page} of kind {number}"@en'
    yield node, f"<{SCHEMA}description>", f'"{words}"'
    yield node, f"<{SCHEMA}price>", f'"{page + number}.99"'
    yield node, f"<{SCHEMA}url>", f"<http://host{page % 50}.example/p/{page}/{number}>"
    yield node, f"<{SCHEMA}sku>", f'"{page * 1_000_003 + number}"'


def pages(count: int) -> Iterator[list[tuple[Any, dict[str, Any]]]]:
    """The events of one page after the other, with what comes with them."""
    random = np.random.default_rng(1)
    known = 1
    for page in range(count):
        new = np.arange(known, known + NEW, dtype=np.int32)
        targets = np.concatenate([new, random.integers(0, known, LINKS - NEW, np.int32)])
        known += NEW
        links = LinkBatch(targets, targets % (NEW * (page + 1)), targets % (NEW * (page + 1)))
        record = PageRecord(
            status=200,
            content_type="text/html; charset=utf-8",
            size=40_000,
            seconds=0.1,
            content_hash=page.to_bytes(16, "big"),
            counts={"jsonld": 30},
            types=[f"{SCHEMA}Product"],
        )
        statements = {"jsonld": [triple for number in range(ENTITIES) for triple in entity(page, number)]}
        more = {
            "urls": [f"http://host{i % 50}.example/section/{i % 90}/article-{i}" for i in new.tolist()],
            "texts": [f"anchor text number {page} {i}" for i in range(NEW)],
            "statements": statements,
        }
        yield [
            (Decided(page, page / 10, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0, 1.0), {}),
            (Observed(page, page / 10 + 0.1, "fetched", 1.0, "", links, record), more),
            (Rested(page % 50, page / 10 + 1.1), {}),
        ]


def store_in_groups(directory: Path, size: int, prepared: list[Any]) -> tuple[float, float, float, float]:
    """Microseconds per page: of the crawl's own thread, of all threads, of the clock, and with the end of it."""
    begun, cpu, own = time.perf_counter(), time.process_time(), time.thread_time()
    with CrawlStore.create(directory, "") as store:
        store.append(Seeded(np.zeros(1, np.int32)), urls=["http://host0.example/"])
        for group in batched(prepared, size):
            for events in group:
                for event, more in events:
                    store.append(event, **more)
            store.commit()
        own, clock = time.thread_time() - own, time.perf_counter() - begun
    cpu, all_in = time.process_time() - cpu, time.perf_counter() - begun
    return tuple(1e6 * seconds / len(prepared) for seconds in (own, cpu, clock, all_in))  # type: ignore[return-value]


def batched(items: list[Any], size: int) -> Iterator[list[Any]]:
    for begin in range(0, len(items), size):
        yield items[begin : begin + size]


def replay(directory: Path) -> tuple[float, float]:
    """Microseconds of CPU per page: for the log, and for the strings."""
    with open_readonly(directory) as reader:
        begun = time.process_time()
        fetched = sum(isinstance(event, Observed) for event in reader.replay())
        log = time.process_time() - begun
        begun = time.process_time()
        for _ in itertools.chain(reader.urls(), reader.texts()):
            pass
        return 1e6 * log / fetched, 1e6 * (time.process_time() - begun) / fetched


def real_pages(site: str) -> None:
    directory = Path(tempfile.mkdtemp()) / "crawl"
    store_real(directory, site)
    connection = sqlite3.connect(directory / "crawl.db")
    connection.execute("PRAGMA journal_mode = DELETE")  # in WAL mode the size of pages is fixed
    rows = []
    for size in PAGE_SIZES:
        connection.execute(f"PRAGMA page_size = {size}")
        connection.execute("VACUUM")
        rows.append((f"{size:,}", f"{_bytes(directory / 'crawl.db') / REAL_PAGES:,.0f}"))
    ((text,),) = connection.execute("SELECT sum(length(CAST(triples AS BLOB))) FROM statements")
    connection.close()
    shutil.rmtree(directory.parent)
    title = f"{REAL_PAGES:,} real pages, of whose statements each has {text / REAL_PAGES:,.0f} bytes of text"
    print_table(title, ["bytes of SQLite's pages", "crawl.db, bytes per page"], rows)


def store_real(directory: Path, site: str) -> None:
    """Pages of a file, evenly chosen, as a crawl that has asked for them one after the other."""
    with gzip.open(site, "rt", encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines]
    found = found[:: len(found) // REAL_PAGES][:REAL_PAGES]
    urls, texts = Numbers(), Numbers()
    with CrawlStore.create(directory, "") as store:
        seeds = urls.of(page["url"] for page in found)
        store.append(Seeded(seeds), urls=urls.new())
        for page, read in enumerate(found):
            extraction = extract(read["body"].encode(), base=read["url"])
            links = LinkBatch(
                urls.of(link.url for link in extraction.links),
                texts.of(link.anchor for link in extraction.links),
                texts.of(link.tag_path for link in extraction.links),
            )
            store.append(Decided(int(seeds[page]), page / 10, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0, 1.0))
            store.append(
                Observed(int(seeds[page]), page / 10 + 0.1, "fetched", 1.0, "", links, _record(page, extraction)),
                urls=urls.new(),
                texts=texts.new(),
                statements={name: extraction.by_syntax.get(name, []) for name in STORED},
            )
            if page % A_COMMIT == 0:
                store.commit()


class Numbers:
    """Strings by their ids, and those that nobody has asked for yet."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self._told = 0

    def of(self, strings: Iterable[str]) -> Any:
        return np.array([self._ids.setdefault(each, len(self._ids)) for each in strings], np.int32)

    def new(self) -> list[str]:
        told, self._told = self._told, len(self._ids)
        return list(itertools.islice(self._ids, told, None))


def _record(page: int, extraction: Extraction) -> PageRecord:
    return PageRecord(
        status=200,
        content_type="text/html; charset=utf-8",
        size=40_000,
        seconds=0.1,
        content_hash=page.to_bytes(16, "big"),
        counts={name: len(extraction.by_syntax.get(name, [])) for name in STORED},
        types=sorted(extraction.types),
    )


def main(site: str | None = None) -> None:
    if site:
        real_pages(site)
    prepared = list(pages(PAGES))
    rows, scratch = [], Path(tempfile.mkdtemp())
    for size in (1, 10, 100):
        directory = scratch / str(size)
        costs = store_in_groups(directory, size, prepared)
        rows.append([str(size), *(f"{cost:.0f}" for cost in costs)])
    log, strings = replay(directory)
    on_disk = {name: _bytes(directory / name) / PAGES for name in ("crawl.db", "statements")}
    shutil.rmtree(scratch)
    columns = [
        "pages per commit",
        "µs per page, crawl's thread",
        "µs CPU, all threads",
        "µs of the clock",
        "with closing",
    ]
    print_table("Storing", columns, rows)
    print_table(
        "Replay",
        [
            "log, pages per second of CPU",
            "strings, pages per second of CPU",
            "crawl.db, bytes per page",
            "statements/, bytes per page",
        ],
        [[f"{1e6 / log:,.0f}", f"{1e6 / strings:,.0f}", *(f"{size:,.0f}" for size in on_disk.values())]],
    )


def _bytes(path: Path) -> int:
    return sum(each.stat().st_size for each in [path, *path.rglob("*")] if each.is_file())


if __name__ == "__main__":
    main()
