"""Crawls as if fetched: pages or statements go straight into a store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from sundog import extract
from sundog.model import LinkBatch
from sundog.store import CrawlStore, Decided, Observed, PageRecord, Seeded
from sundog.syntaxes import STORED

NO_LINKS = LinkBatch(*[np.array([], np.int32)] * 3)
Statements = Mapping[str, Sequence[tuple[str, ...]]]


def crawl_of_pages(directory: Path, pages: Iterable[tuple[str, bytes, str]]) -> Path:
    """``pages``: URL, body, content type."""
    return crawl_of_statements(directory, ((url, statements_of(body, url, kind)) for url, body, kind in pages))


def crawl_of_html(directory: Path, **pages: str) -> Path:
    """Pages of http://a.example/ by their names."""
    return crawl_of_pages(
        directory, ((f"http://a.example/{name}", body.encode(), "text/html") for name, body in pages.items())
    )


def statements_of(body: bytes, url: str, kind: str) -> Statements:
    found = extract(body, base=url, content_type=kind).by_syntax
    return {name: list(triples) for name, triples in found.items() if triples and name in STORED}


def crawl_of_statements(directory: Path, pages: Iterable[tuple[str, Statements]]) -> Path:
    with CrawlStore.create(directory, "budget = 5\n") as store:
        add_pages(store, pages)
    return directory


def add_pages(store: CrawlStore, pages: Iterable[tuple[str, Statements]], first: int = 0) -> None:
    """Also those of known numbers, which are fetched again."""
    for number, (url, statements) in enumerate(pages, first):
        known = list(store.urls())
        is_new = number >= sum(map(len, known)) if number < 50 else True
        if is_new:
            store.append(Seeded(np.array([number], np.int32)), urls=[url])
        store.append(Decided(number, 10.0 + number, 0.5, 0.5, 0.0, 0.0, 0.0, 0.0, 1.0))
        record = PageRecord(status=200, counts={name: len(found) for name, found in statements.items()})
        store.append(
            Observed(number, 11.0 + number, "fetched", 1.0, links=NO_LINKS, record=record), statements=statements
        )
        if number % 100 == 0:
            store.commit()
    store.commit()
