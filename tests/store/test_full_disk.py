"""A disk that is full for a moment costs nothing: the commit is made again, and every file is whole."""

from __future__ import annotations

import random
import resource
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from sundog.errors import SundogError
from sundog.store import CrawlStore, Observed, open_readonly
from sundog.store.warc import whole_members
from tests.store.crawls import decided, exchange, fill
from tests.store.test_warc import read

LARGE = random.Random(7).randbytes(300_000)  # more than one write buffers, and not to be compressed


def pages_of(warc: Path) -> list[tuple[str, int]]:
    """URLs and sizes of the pages. Digests are checked, and nothing is between or behind the records."""
    assert whole_members(warc) == warc.stat().st_size
    return [(url, len(body)) for kind, url, _, body in read(warc) if kind == "response"]


@contextmanager
def warc_cannot_grow(store: CrawlStore) -> Iterator[None]:
    """The system writes a part of the next page, and then no more."""
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    size = (store.directory / "pages.warc.gz").stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100_000, usual[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)


@contextmanager
def database_cannot_grow(store: CrawlStore) -> Iterator[None]:
    usual = store.connection.execute("PRAGMA max_page_count").fetchone()[0]
    store.connection.execute("PRAGMA max_page_count = 1")  # SQLite takes the present size instead
    try:
        yield
    finally:
        store.connection.execute(f"PRAGMA max_page_count = {usual}")


@pytest.mark.parametrize("full_disk", [warc_cannot_grow, database_cannot_grow])
@pytest.mark.parametrize("attempts", [1, 3])
def test_a_commit_after_a_full_disk(
    tmp_path: Path, full_disk: Callable[[CrawlStore], AbstractContextManager[None]], attempts: int
) -> None:
    crawl = tmp_path / "crawl"
    with CrawlStore.create(crawl, "") as store:
        fill(store)
        store.commit()
        statement = ("<a:a>", "<a:b>", f'"{"x" * 100_000}"')
        store.append(
            Observed(4, 17.0, "fetched", 1.0),
            urls=["http://e.example/"],
            statements={"rdf": [statement]},
            exchange=exchange("http://d.example/", LARGE),
        )
        with full_disk(store):
            for _ in range(attempts):
                with pytest.raises(SundogError, match="cannot be written"):
                    store.commit()
        store.commit()
        store.append(decided(5))
        store.append(Observed(5, 18.0, "fetched", 1.0), exchange=exchange("http://e.example/", b"last"))
    expected = [("http://a.example/", 13), ("http://c.example?q", 6), ("http://d.example/", 300_000)]
    assert pages_of(crawl / "pages.warc.gz") == [*expected, ("http://e.example/", 4)]
    with CrawlStore.open(crawl), open_readonly(crawl) as reader:
        assert reader.totals()["fetched"] == 5
    assert pages_of(crawl / "pages.warc.gz") == [*expected, ("http://e.example/", 4)], "nothing was cut off"


def test_a_crawl_that_ends_on_a_full_disk_leaves_what_was_committed(tmp_path: Path) -> None:
    crawl = tmp_path / "crawl"
    store = CrawlStore.create(crawl, "")
    fill(store)
    store.commit()
    whole = (crawl / "pages.warc.gz").read_bytes()
    store.append(Observed(4, 17.0, "fetched", 1.0), exchange=exchange("http://d.example/", LARGE))
    with warc_cannot_grow(store), pytest.raises(SundogError, match=r"pages\.warc\.gz cannot be written"):
        store.close()
    with CrawlStore.open(crawl) as store:  # it is not locked any more
        assert (crawl / "pages.warc.gz").read_bytes() == whole
        store.append(Observed(4, 17.0, "fetched", 1.0), exchange=exchange("http://d.example/", LARGE))
    assert len(pages_of(crawl / "pages.warc.gz")) == 3
