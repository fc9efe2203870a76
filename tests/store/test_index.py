"""The index for SPARQL never ends a crawl: what it refuses is set aside, and the database has it still."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from sundog.store import CrawlStore, Observed, PageRecord, Seeded, index, open_readonly
from sundog.store.index import Indexer, PageStatements, StatementIndex
from sundog.store.loading_mark import LoadingMark
from sundog.store.query import query
from tests.store.crawls import decided, fill, ids

COUNT = "SELECT (count(*) AS ?n) { ?s ?p ?o }"
POISON = '"poison"'
PAGES = 6


class Panic(BaseException):
    """Like a panic in Rust, which is no Exception."""


@pytest.fixture
def poisoned(monkeypatch: pytest.MonkeyPatch) -> list[BaseException]:
    """Oxigraph raises these, one after the other, for whatever holds the poison; the last one again and again."""
    errors: list[BaseException] = []
    load = StatementIndex._load

    def load_or_raise(index: StatementIndex, quads: str) -> None:
        if POISON in quads:
            raise errors.pop(0) if len(errors) > 1 else errors[0]
        load(index, quads)

    monkeypatch.setattr(StatementIndex, "_load", load_or_raise)
    return errors


def observe(store: CrawlStore, number: int, value: str, **more: Any) -> None:
    store.append(decided(number))
    record = PageRecord(status=200, counts={"rdf": 1}, **more)
    observed = Observed(number, 1.0 + number, "fetched", 1.0, record=record)
    store.append(observed, statements={"rdf": [("<a:a>", "<a:b>", value)]})


def faults(crawl: Path) -> list[tuple[int, str, str]]:
    with open_readonly(crawl) as reader:
        return reader.connection.execute("SELECT page, syntax, reason FROM faults ORDER BY page").fetchall()


def crawl_with(poison: int, crawl: Path, groups: int = 1) -> None:
    with CrawlStore.create(crawl, "") as store:
        store.append(Seeded(ids(*range(PAGES))), urls=[f"http://a.example/{number}" for number in range(PAGES)])
        for number in range(PAGES):
            known = [("rdf", "cut")] if number == poison else []
            observe(store, number, POISON if number == poison else f'"{number}"', faults=known)
            if groups > 1:
                store.index()
        assert store.index_fault == ""


@pytest.mark.parametrize("error", [RuntimeError("no"), TypeError(""), Panic("no"), MemoryError("no")], ids=repr)
@pytest.mark.parametrize("groups", [1, PAGES])
def test_a_page_that_is_refused_costs_nobody_else(
    tmp_path: Path, poisoned: list[BaseException], error: BaseException, groups: int
) -> None:
    crawl = tmp_path / "crawl"
    poisoned.append(error)
    crawl_with(3, crawl, groups)
    assert faults(crawl) == [(3, "rdf", "cut"), (3, "index", str(error) or type(error).__name__)]
    assert query(crawl, COUNT).texts() == [[str(PAGES - 1)]]
    with open_readonly(crawl) as reader:
        assert (reader.pages_to_index, reader.pages_not_indexed) == (0, 1)
        kept = reader.connection.execute("SELECT triples FROM page_statements WHERE page = 3").fetchone()[0]
        assert POISON in kept
    CrawlStore.open(crawl).close()
    assert len(faults(crawl)) == 2, "it is set aside, and not tried again"


def test_an_index_that_is_made_anew_tries_again(
    tmp_path: Path, poisoned: list[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    crawl = tmp_path / "crawl"
    poisoned.append(RuntimeError("no"))
    crawl_with(0, crawl)
    shutil.rmtree(crawl / "statements")
    CrawlStore.open(crawl).close()
    assert faults(crawl) == [(0, "rdf", "cut"), (0, "index", "no")]
    shutil.rmtree(crawl / "statements")
    monkeypatch.undo()
    CrawlStore.open(crawl).close()
    assert faults(crawl) == [(0, "rdf", "cut")]
    assert query(crawl, COUNT).texts() == [[str(PAGES)]]


def test_an_index_that_fails_as_a_whole_ends_no_crawl_and_loses_nothing(
    tmp_path: Path, poisoned: list[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a full disk, say: nobody is refused, and it is completed when it can be."""
    crawl = tmp_path / "crawl"
    poisoned.append(OSError("no space left"))
    with CrawlStore.create(crawl, "") as store:
        fill(store)
        more = {"rdf": [("<a:a>", "<a:b>", POISON)]}
        store.append(Observed(4, 17.0, "fetched", 1.0), statements=more, urls=["http://e.example/"])
        store.index()
        assert store.index_fault == "no space left"
        observe(store, 5, '"5"')
        store.commit()
        assert (store.steps, store.indexed) == (14, 0)
    assert query(crawl, COUNT).behind == 4
    with CrawlStore.open(crawl) as store:
        assert store.index_fault == "no space left"
        monkeypatch.undo()
    answer = query(crawl, COUNT)
    assert (answer.texts(), answer.behind) == ([["11"]], 0)
    assert [syntax for _, syntax, _ in faults(crawl)] == ["rdfa", "jsonld"], "those that the pages had"


def test_an_index_that_is_broken_refuses_no_page(
    tmp_path: Path, poisoned: list[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(index: StatementIndex) -> None:
        raise RuntimeError("damaged")

    crawl = tmp_path / "crawl"
    poisoned.append(RuntimeError("damaged"))
    monkeypatch.setattr(StatementIndex, "_check_works", broken)
    with CrawlStore.create(crawl, "") as store:
        store.append(Seeded(ids(0)), urls=["http://a.example/"])
        observe(store, 0, POISON)
        store.index()
        assert store.index_fault == "damaged"
    assert faults(crawl) == []


def test_a_bad_line_costs_no_literal_with_other_ends_of_lines(tmp_path: Path) -> None:
    crawl = tmp_path / "crawl"
    with CrawlStore.create(crawl, "") as store:
        store.append(Seeded(ids(0, 1)), urls=["http://a.example/0", "http://a.example/1"])
        observe(store, 0, '"un"closed')
        observe(store, 1, '"one\u2028two\x0cthree\x85"')
    assert query(crawl, "SELECT ?o { ?s ?p ?o }").texts() == [["one\u2028two\x0cthree\x85"]]


@pytest.mark.parametrize(("statements", "moments"), [(10, [2.0, 4.0]), (index.MANY, [8.0])])
def test_a_fast_crawl_gathers_more_before_the_index_gets_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, statements: int, moments: list[float]
) -> None:
    clock = 0.0
    monkeypatch.setattr(index.time, "monotonic", lambda: clock)
    loaded: list[float] = []
    monkeypatch.setattr(StatementIndex, "replace", lambda *_: loaded.append(clock) or [])
    indexer = Indexer(StatementIndex(tmp_path / "index"), 0, LoadingMark(tmp_path / "mark", 0))
    for step in range(1, 17):
        clock = step / 2
        indexer.add(PageStatements(step, "http://a.example/", "<a:a> <a:b> <a:c> .\n" * statements))
        indexer.advance()
        if indexer._running:
            indexer._running.result()
    indexer.close()
    assert loaded[: len(moments)] == moments
