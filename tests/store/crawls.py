"""A small crawl that many tests of the store look at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from sundog.model import LinkBatch
from sundog.store import CrawlStore, Decided, Exchange, Observed, PageRecord, Rested, Seeded

SCHEMA = "http://schema.org/"
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
PRODUCT = [
    ("_:b1", TYPE, f"<{SCHEMA}Product>"),
    ("_:b1", f"<{SCHEMA}name>", '"Kettle \\"one\\""@en'),
    ("_:b1", f"<{SCHEMA}name>", '"Wasserkocher"@de'),
    ("_:b1", f"<{SCHEMA}offers>", "_:b2"),
    ("_:b2", TYPE, "<https://schema.org/Offer>"),
    ("_:b2", f"<{SCHEMA}price>", '"9.5"^^<http://www.w3.org/2001/XMLSchema#decimal>'),
]
PERSON = [
    ("<http://a.example/#ada>", TYPE, f"<{SCHEMA}Person>"),
    ("<http://a.example/#ada>", f"<{SCHEMA}name>", '"Ada"'),
]


def ids(*numbers: int) -> Any:
    return np.array(numbers, np.int32)


def decided(candidate: int, now: float = 0.0, score: float = 0.5) -> Decided:
    return Decided(candidate, now, score, 0.4, 0.3, 0.2, 0.1, 0.05, 1.0)


def exchange(url: str, body: bytes = b"<html></html>") -> Exchange:
    headers = [("Content-Type", "text/html"), ("Content-Encoding", "gzip"), ("Content-Length", "7")]
    return Exchange(url, 1e9, "GET", [("Host", "a.example")], 200, "OK", headers, body, {"depth": "0"})


def fill(store: CrawlStore) -> None:
    """Page 0 with data and links, 1 failed, 2 refused, 3 with data, 4 in flight."""
    store.append(Seeded(ids(0)), urls=["http://a.example/"])
    store.append(decided(0, 10.0, 0.75))
    record = PageRecord(
        status=200,
        content_type="text/html",
        size=13,
        seconds=0.2,
        content_hash=b"one",
        counts={"jsonld": 6, "microdata": 2},
        types=[f"{SCHEMA}Product", f"{SCHEMA}Person"],
        faults=[("rdfa", "nested too deeply"), ("jsonld", "no JSON")],
    )
    links = LinkBatch(ids(1, 2, 3, 4, 0), ids(0, 1, -1, 0, 2), ids(3, 3, 3, -1, 3))
    store.append(
        Observed(0, 11.0, "fetched", 2.0, "", links, record),
        urls=["http://b.example:8080/x?y=1", "http://b.example/no", "http://c.example?q", "http://ä.example/{}"],
        texts=["one", "zwei · 二", "three", "html/body/a"],
        statements={"jsonld": PRODUCT, "microdata": PERSON},
        exchange=exchange("http://a.example/"),
    )
    store.append(Rested(0, 12.0))
    store.append(decided(1, 12.0))
    store.append(Observed(1, 13.0, "failed", reason="no answer", record=PageRecord(status=503, trouble="status")))
    store.append(decided(2, 13.0))
    store.append(Observed(2, 13.0, "refused", reason="robots.txt"))
    store.append(decided(3, 14.0))
    record = PageRecord(status=200, content_hash=b"two", counts={"rdfa": 1}, types=[f"{SCHEMA}Person"])
    store.append(
        Observed(3, 15.0, "fetched", 0.0, record=record),
        statements={"rdfa": [("<http://c.example/me>", TYPE, f"<{SCHEMA}Person>")]},
        exchange=exchange("http://c.example?q", b"second"),
    )
    store.append(decided(4, 16.0))


def small_crawl(directory: Path) -> Path:
    with CrawlStore.create(directory, "budget = 5\n") as store:
        fill(store)
    return directory
