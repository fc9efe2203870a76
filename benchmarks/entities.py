"""Entities: what making them costs, what a page of a table costs, and how much memory an export takes."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.common import print_table
from sundog.entities.database import open_entities
from sundog.entities.filters import parse_filter
from sundog.entities.view import TableView
from sundog.model import LinkBatch
from sundog.store import CrawlStore, Decided, Observed, PageRecord, Seeded

ENTITIES, A_PAGE, HOSTS = 1_000_000, 5, 2_000
SCHEMA = "http://schema.org/"
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
BRANDS = [f"Brand {number}" for number in range(300)]
NO_LINKS = LinkBatch(*[np.array([], np.int32)] * 3)
QUESTIONS: dict[str, Callable[[Any], Any]] = {
    "first rows": lambda database: _rows(database),
    "sorted by price": lambda database: _rows(database, sort="offers.price"),
    "sorted by name, backwards": lambda database: _rows(database, sort="name", descending=True),
    "the last rows, sorted by name": lambda database: _rows(database, sort="name", offset=999_950),
    "price < 20": lambda database: _rows(database, "price < 20"),
    "price < 20, sorted by date": lambda database: _rows(database, "price < 20", sort="releaseDate"),
    "price > 20, sorted by name": lambda database: _rows(database, "price > 20", sort="name"),
    "name contains 4711": lambda database: _rows(database, "name contains 4711"),
    "name contains 4712, sorted by price": lambda database: _rows(
        database, "name contains 4712", sort="offers.price"
    ),
    "4711 in any column": lambda database: TableView(database, "Product", search="4711").total,
    "facet of brands": lambda database: _view(database).facet("brand.name"),
    "facet of brands, price < 20": lambda database: _view(database, "price < 20").facet("brand.name"),
    "facet of brands, price > 20": lambda database: _view(database, "price > 20").facet("brand.name"),
    "facet of brands, price > 30": lambda database: _view(database, "price > 30").facet("brand.name"),
    "facet of names, price > 30": lambda database: _view(database, "price > 30").facet("name"),
    "histogram of prices": lambda database: _view(database).histogram("offers.price"),
    "histogram of dates, price > 30": lambda database: _view(database, "price > 30").histogram("releaseDate"),
}


def main(count: int = ENTITIES) -> None:
    with tempfile.TemporaryDirectory() as folder:
        crawl = Path(folder) / "crawl"
        _make_crawl(crawl, count // A_PAGE)
        measure(crawl)


def measure(crawl: Path) -> None:
    made = _in_process(MAKE, str(crawl))
    with open_entities(crawl) as (database, _):
        number = database.tables.find("Product").number
        rows = [[name, *_timed(partial(ask, database))] for name, ask in QUESTIONS.items()]
    each = 1e6 * made.cpu / number
    print(f"\n{number:,} entities: made in {made.wall:.0f} s ({each:.0f} µs of CPU each), {made.peak:.0f} MB\n")
    print_table("Tables", ["a page of 50 rows, or counts", "first, s", "then, s"], rows)
    exports = []
    for name in ("jsonl", "csv", "parquet"):
        took = _in_process(EXPORT, str(crawl), name, str(crawl.parent / f"out.{name}"))
        exports.append([name, f"{took.wall:.0f}", f"{took.peak:.0f}"])
    print_table("Exports", ["export", "s", "MB"], exports)


def _make_crawl(directory: Path, pages: int) -> None:
    random = np.random.default_rng(1)
    with CrawlStore.create(directory, "budget = 1\n") as store:
        for page in range(pages):
            url = f"http://host{page % HOSTS}.example/list/{page}"
            triples = [triple for place in range(A_PAGE) for triple in _product(page, place, random)]
            store.append(Seeded(np.array([page], np.int32)), urls=[url])
            store.append(Decided(page, page / 10, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0, 1.0))
            record = PageRecord(status=200, counts={"jsonld": len(triples)}, types=[f"{SCHEMA}Product"])
            store.append(
                Observed(page, page / 10 + 0.1, "fetched", 1.0, "", NO_LINKS, record),
                statements={"jsonld": triples},
            )
            if page % 500 == 0:
                store.commit()


def _product(page: int, place: int, random: Any) -> Iterator[tuple[str, str, str]]:
    node, offer, brand = f"_:p{place}", f"_:o{place}", f"_:b{place}"
    number = page * A_PAGE + place
    yield node, TYPE, f"<{SCHEMA}Product>"
    yield node, f"<{SCHEMA}name>", f'"Kettle {number * 2_654_435_761 % 100_000_007} of a kind"'
    yield node, f"<{SCHEMA}url>", f"<http://host{page % HOSTS}.example/p/{number}>"
    yield node, f"<{SCHEMA}sku>", f'"{number:08}"'
    yield node, f"<{SCHEMA}releaseDate>", f'"{2000 + number % 26}-{1 + number % 12:02}-{1 + number % 28:02}"'
    yield node, f"<{SCHEMA}offers>", offer
    yield offer, TYPE, f"<{SCHEMA}Offer>"
    yield offer, f"<{SCHEMA}price>", f'"{random.integers(1, 200_000) / 100}"'
    yield offer, f"<{SCHEMA}priceCurrency>", '"EUR"'
    yield node, f"<{SCHEMA}brand>", brand
    yield brand, f"<{SCHEMA}name>", f'"{BRANDS[number % len(BRANDS)]}"'


def _view(database: Any, where: str = "") -> TableView:
    return TableView(database, "Product", parse_filter(where) if where else [])


def _rows(database: Any, where: str = "", **more: Any) -> Any:
    view = _view(database, where)
    return view.total, view.rows(view.table.shown(), limit=50, **more)


def _timed(ask: Callable[[], Any]) -> list[str]:
    """The first time may make an index and arrays."""
    found = []
    for _ in range(2):
        began = time.perf_counter()
        ask()
        found.append(f"{time.perf_counter() - began:.2f}")
    return found


class Took(NamedTuple):
    """Seconds, and megabytes."""

    wall: float
    cpu: float
    peak: float


MAKE = """from sundog.entities.database import open_entities
with open_entities(sys.argv[1]):
    pass"""
EXPORT = """from sundog import export; from sundog.store.formats.format import Selection
export(sys.argv[1], sys.argv[2], sys.argv[3], selection=Selection(type="Product"))"""
AROUND = """import resource, sys, time
{}
print(time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)"""


def _in_process(program: str, *words: str) -> Took:
    """In a process of its own, whose memory is its own."""
    began = time.perf_counter()
    command = [sys.executable, "-c", AROUND.format(program), *words]
    cpu, peak = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    return Took(time.perf_counter() - began, float(cpu), float(peak))
