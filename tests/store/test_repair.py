"""A damaged crawl is made whole again with what can be read of it, and nothing that was readable is lost."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest
from warcio.archiveiterator import ArchiveIterator

from sundog.errors import SundogError
from sundog.model import LinkBatch
from sundog.replay import Replayed
from sundog.results.export import FORMATS, export
from sundog.spec import CrawlSpec
from sundog.store import CrawlStore, Observed, PageRecord, Seeded, open_readonly
from sundog.store.database import VERSION
from sundog.store.query import query
from sundog.store.repair import repair as module
from sundog.store.repair.repair import repair
from sundog.texts import counted
from tests.store.crawls import PRODUCT, SCHEMA, decided, exchange, ids

PAGES = 300
PAGE = 4096
SPEC = CrawlSpec(seeds=("http://a.example/0",), policy="bfs", budget=PAGES)


def url(number: int) -> str:
    return f"http://{'abcdef'[number % 6]}.example/{number}"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Each page links to two new ones; every tenth fails. It was killed: SQLite has left its write-ahead log."""
    directory = tmp_path_factory.mktemp("whole") / "crawl"
    store = CrawlStore.create(directory, 'seeds = ["http://a.example/0"]\npolicy = "bfs"\n')
    store.append(Seeded(ids(0)), urls=[url(0)])
    known = 1
    for number in range(PAGES):
        store.append(decided(number, 10.0 * number))
        if number % 10 == 9:
            store.append(
                Observed(
                    number, 10.0 * number + 1, "failed", reason="status 500", record=PageRecord(trouble="status")
                )
            )
            continue
        new = [url(known), url(known + 1)]
        record = PageRecord(
            status=200, content_hash=b"%d" % number, counts={"jsonld": 6}, types=[f"{SCHEMA}Product"], size=100
        )
        links = LinkBatch(ids(known, known + 1, number // 2), ids(number, number, -1), ids(-1, -1, -1))
        store.append(
            Observed(number, 10.0 * number + 1, "fetched", 1.0, "", links, record),
            urls=new,
            texts=[f"link {number}"],
            statements={"jsonld": PRODUCT},
            exchange=exchange(url(number), b"<p>%d" % number + random.Random(number).randbytes(500)),
        )
        known += 2
        if number % 100 == 50:
            store.commit()
        if number == 250:
            store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    store.commit()
    store.index()
    copy = directory.with_name("killed")
    shutil.copytree(directory, copy)
    store.close()
    assert (copy / "crawl.db-wal").stat().st_size > PAGE
    (copy / "crawl.db-shm").unlink()
    return copy


@pytest.fixture
def crawl(whole: Path, tmp_path: Path) -> Path:
    shutil.copytree(whole, tmp_path / "crawl")
    return tmp_path / "crawl"


def told(crawl: Path) -> list[str]:
    sentences: list[str] = []
    assert repair(crawl, sentences.append)
    return sentences


def rows(crawl: Path, sql: str) -> list[Any]:
    with open_readonly(crawl) as reader:
        return reader.connection.execute(sql).fetchall()


def check_works(crawl: Path) -> None:
    """All that can be done with a crawl; and what is whole is left alone."""
    before = (crawl / "crawl.db").read_bytes()
    assert not repair(crawl, pytest.fail)
    assert (crawl / "crawl.db").read_bytes() == before
    with open_readonly(crawl) as reader:
        Replayed(reader, SPEC)
        fetched = reader.connection.execute("SELECT DISTINCT page FROM page_statements").fetchall()
    for name in set(FORMATS) - {"result"}:
        export(crawl, name, crawl.parent / f"out-{name}")
    answer = query(crawl, "SELECT (count(DISTINCT ?g) AS ?n) { GRAPH ?g { ?s ?p ?o } }")
    assert answer.texts() == [[str(len(fetched))]]
    with CrawlStore.open(crawl) as store:
        assert store.pages_to_index == 0


@pytest.fixture
def closed(crawl: Path) -> Path:
    """A crawl that has ended: there is no log of SQLite any more."""
    CrawlStore.open(crawl).close()
    assert not (crawl / "crawl.db-wal").exists()
    return crawl


def overwrite(crawl: Path, pages: list[int], fill: Callable[[], bytes]) -> None:
    with (crawl / "crawl.db").open("r+b") as file:
        for page in pages:
            file.seek(page * PAGE)
            file.write(fill())


FILLS: dict[str, Callable[[], bytes]] = {
    "zeros": lambda: bytes(PAGE),
    "random bytes": lambda: random.Random(5).randbytes(PAGE),
    "text": lambda: (b"lorem ipsum dolor sit amet, " * 200)[:PAGE],
}


@pytest.mark.parametrize("fill", FILLS)
@pytest.mark.parametrize("chosen", range(2))
def test_overwritten_pages(crawl: Path, fill: str, chosen: int) -> None:
    count = (crawl / "crawl.db").stat().st_size // PAGE
    pages = random.Random(chosen).sample(range(1, count), 4)
    overwrite(crawl, pages, FILLS[fill])
    damaged = (crawl / "crawl.db").read_bytes()
    sentences = told(crawl)
    assert (crawl / "crawl.db.damaged").read_bytes() == damaged
    assert sentences[0].startswith("crawl.db is damaged: ")
    assert rows(crawl, "SELECT count(*) FROM pages")[0][0] >= PAGES - 50
    check_works(crawl)


@pytest.mark.parametrize("share", [0.5, 0.6, 0.8, 0.99])
def test_truncated(closed: Path, share: float) -> None:
    with (closed / "crawl.db").open("r+b") as file:
        file.truncate(int(share * (closed / "crawl.db").stat().st_size))
    told(closed)
    assert rows(closed, "SELECT count(*) FROM pages")[0][0] > 0
    check_works(closed)


def test_a_part_of_a_page_is_missing(closed: Path) -> None:
    """SQLite takes it for a whole one, which ends in zeros."""
    with (closed / "crawl.db").open("r+b") as file:
        file.truncate((closed / "crawl.db").stat().st_size - 1)
    for attempt in (lambda: export(closed, "jsonl"), lambda: CrawlStore.open(closed)):
        with pytest.raises(
            SundogError, match=r"crawl\.db is damaged \(1 bytes of it are missing\); sundog repair"
        ):
            attempt()
    assert told(closed)[0] == "crawl.db is damaged: 1 bytes of it are missing"
    check_works(closed)


@pytest.mark.parametrize("size", [16, 100, PAGE])
def test_a_lost_header_costs_nothing(closed: Path, size: int) -> None:
    with (closed / "crawl.db").open("r+b") as file:
        file.write(bytes(size))
    sentences = told(closed)
    assert any(line.startswith("saved: 300 pages") for line in sentences)
    assert len(rows(closed, "SELECT * FROM log")) == 2 * PAGES + 1
    check_works(closed)


def test_a_lost_index_of_a_table_costs_nothing(closed: Path) -> None:
    ((root,),) = rows(closed, "SELECT rootpage FROM sqlite_master WHERE name = 'outcomes_by_candidate'")
    before = rows(closed, "SELECT * FROM outcomes")
    overwrite(closed, [root - 1], FILLS["zeros"])
    told(closed)
    assert rows(closed, "SELECT * FROM outcomes") == before
    check_works(closed)


def test_the_write_ahead_log_is_read_around_what_is_bad(crawl: Path) -> None:
    """SQLite itself stops at the first bad frame."""
    with (crawl / "crawl.db-wal").open("r+b") as file:
        file.seek(32 + 24 + 100)
        file.write(b"junk" * 100)
    with (crawl / "crawl.db").open("r+b") as file:
        file.write(bytes(100))
    told(crawl)
    assert rows(crawl, "SELECT max(candidate) FROM outcomes") == [(PAGES - 1,)]
    check_works(crawl)


def test_rows_with_junk_in_an_intact_tree(crawl: Path) -> None:
    with CrawlStore.open(crawl) as store:
        store.connection.execute("UPDATE log SET data = '[[1,2' WHERE step = 103")
        store.connection.execute(
            "UPDATE statements SET triples = 'no statement' WHERE id = (SELECT max(id) FROM statements)"
        )
    assert told(crawl)[0] == "crawl.db is damaged: its table log has 1 row that no crawl has written"
    check_works(crawl)


def test_what_else_is_known_of_a_lost_event(crawl: Path) -> None:
    with CrawlStore.open(crawl) as store:
        store.connection.execute("DELETE FROM log WHERE step BETWEEN 40 AND 61")
        store.connection.execute("DELETE FROM outcomes WHERE step IN (101, 103)")
        store.connection.execute("DELETE FROM urls WHERE id = 77")
    (lost,) = [line for line in told(crawl) if line.startswith("lost")]
    assert lost == "lost: 1 URLs, 22 events of the log, 11 rewards and links of pages, 2 records of pages"
    assert rows(crawl, "SELECT count(*) FROM pages") == [(PAGES,)]
    assert rows(crawl, "SELECT url FROM urls WHERE id = 77") == [("http://lost.invalid/77",)]
    assert rows(crawl, "SELECT jsonld, types FROM outcomes WHERE step = 103") == [
        (6, f'["{SCHEMA}Product","https://schema.org/Offer"]')
    ]
    check_works(crawl)


def test_what_was_lost_may_be_fetched_again(crawl: Path) -> None:
    with CrawlStore.open(crawl) as store:
        store.connection.execute("DELETE FROM log WHERE step BETWEEN 40 AND 61")
        store.connection.execute("DELETE FROM outcomes WHERE step BETWEEN 40 AND 61")
    told(crawl)
    with CrawlStore.open(crawl) as store:
        assert store.seen_content(b"25") is None, "it would be a copy of itself"
        assert store.seen_content(b"100") == 100
    assert rows(crawl, "SELECT count(*) FROM pages") == [(PAGES - 11,)]
    check_works(crawl)


def test_nothing_to_repair(crawl: Path) -> None:
    assert not repair(crawl, pytest.fail)
    assert not list(crawl.glob("*.damaged*"))
    check_works(crawl)


def test_a_running_crawl_is_left_alone(crawl: Path) -> None:
    with CrawlStore.open(crawl), pytest.raises(SundogError, match="in use by another process"):
        repair(crawl)


def test_what_is_no_crawl_is_left_alone(tmp_path: Path) -> None:
    with pytest.raises(SundogError, match="there is no directory"):
        repair(tmp_path / "nowhere")
    with pytest.raises(SundogError, match="holds no crawl"):
        repair(tmp_path)
    connection = sqlite3.connect(tmp_path / "crawl.db")
    connection.execute("CREATE TABLE people(name)")
    connection.close()
    before = (tmp_path / "crawl.db").read_bytes()
    with pytest.raises(SundogError, match="no database of a crawl"):
        repair(tmp_path)
    (tmp_path / "crawl.db").write_bytes(b"no database " * 1000)
    with pytest.raises(SundogError, match="damaged or no database"):
        repair(tmp_path)
    (tmp_path / "crawl.db").write_bytes(before)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["crawl.db", "lock"]


def test_a_newer_version_is_left_alone(crawl: Path) -> None:
    with CrawlStore.open(crawl) as store:
        store.connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    with pytest.raises(SundogError, match="newer Sundog"):
        repair(crawl)


class Death(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("call", range(7))
def test_it_can_end_at_each_step_and_run_again(closed: Path, monkeypatch: pytest.MonkeyPatch, call: int) -> None:
    overwrite(closed, [7, 9], FILLS["zeros"])
    shutil.copytree(closed, closed.with_name("other"))
    corrupt_warc(closed)
    repair(closed.with_name("other"), str)
    calls = 0

    def deadly(usual: Callable[..., Any]) -> Callable[..., Any]:
        def run(*words: Any, **more: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == call + 1:
                raise Death
            return usual(*words, **more)

        return run

    with monkeypatch.context() as patched:
        for name in ("replace", "link"):
            patched.setattr(os, name, deadly(getattr(os, name)))
        patched.setattr(Path, "rename", deadly(Path.rename))
        patched.setattr(module, "remove", lambda path: None)  # a process that is killed removes nothing
        try:
            repair(closed, str)
        except Death:
            if (closed / "crawl.db.repaired").exists():
                with pytest.raises(SundogError, match="was interrupted: run it again"):
                    open_readonly(closed)
    repair(closed, str)
    assert rows(closed, "SELECT * FROM log") == rows(closed.with_name("other"), "SELECT * FROM log")
    assert (closed / "crawl.db.damaged").stat().st_size == (
        closed.with_name("other") / "crawl.db.damaged"
    ).stat().st_size
    assert not [path.name for path in closed.iterdir() if path.name.endswith(".tmp")]
    check_works(closed)


def test_killed_while_it_repairs(closed: Path) -> None:
    overwrite(closed, [7, 9], FILLS["zeros"])
    corrupt_warc(closed)
    command = [
        sys.executable,
        "-c",
        "import sys; from sundog.store.repair.repair import repair; repair(sys.argv[1])",
    ]
    choose = random.Random(3)
    for _ in range(4):
        with subprocess.Popen([*command, closed], stdout=subprocess.DEVNULL) as process:
            time.sleep(choose.random())
            process.send_signal(signal.SIGKILL)
    repair(closed, str)
    assert rows(closed, "SELECT count(*) FROM pages")[0][0] > PAGES - 50
    check_works(closed)


# -- the WARC file -----------------------------------------------------------------------------------


def corrupt_warc(crawl: Path) -> None:
    with (crawl / "pages.warc.gz").open("r+b") as file:
        file.seek(30_000)
        file.write(b"\0" * 2_000)


def responses(path: Path) -> list[str]:
    """As another reader of WARC files sees them, which checks every record."""
    with path.open("rb") as file:
        found = []
        for record in ArchiveIterator(file, check_digests="raise"):
            body = record.content_stream().read()
            if record.rec_type == "response":
                assert body.startswith(b"<p>")
                found.append(record.rec_headers.get_header("WARC-Target-URI"))
        return found


def test_an_overwritten_part_of_the_warc(crawl: Path) -> None:
    before = responses(crawl / "pages.warc.gz")
    corrupt_warc(crawl)
    damaged = (crawl / "pages.warc.gz").read_bytes()
    with pytest.raises(SundogError, match=r"pages\.warc\.gz is damaged"):
        export(crawl, "warc", crawl.parent / "out.warc.gz")
    what, which, kept = told(crawl)
    assert what.startswith("pages.warc.gz is damaged: 1 place cannot be read; ")
    after = responses(crawl / "pages.warc.gz")
    lost = [url for url in before if url not in after]
    assert 0 < len(lost) < 10
    named = ", ".join(lost[:5]) + " …" * (len(lost) > 5)
    assert which == f"not in it any more: {counted(len(lost), 'page')} of crawl.db ({named})"
    assert kept == f"the damaged file is kept: {crawl / 'pages.warc.gz.damaged'}"
    assert (crawl / "pages.warc.gz.damaged").read_bytes() == damaged
    assert after == [url for url in before if url not in lost]
    check_works(crawl)
    with CrawlStore.open(crawl) as store:
        store.append(decided(PAGES))
        store.append(Observed(PAGES, 1e6, "fetched", 1.0), exchange=exchange(url(PAGES), b"<p>last"))
    assert responses(crawl / "pages.warc.gz") == [*after, url(PAGES)]


@pytest.mark.parametrize("share", [0.0, 0.3, 0.999])
def test_a_truncated_warc(crawl: Path, share: float) -> None:
    path = crawl / "pages.warc.gz"
    with path.open("r+b") as file:
        file.truncate(int(share * path.stat().st_size))
    with pytest.raises(SundogError, match=r"pages\.warc\.gz is damaged"):
        export(crawl, "warc", crawl.parent / "out.warc.gz")
    assert "bytes are lost" in told(crawl)[0]
    assert len(responses(path)) == round(share * PAGES * 0.9) or share == 0.999
    if share:
        check_works(crawl)


# -- the index ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("damage", ["gone", "cut", "emptied", "of another crawl"])
def test_the_index_is_made_anew(crawl: Path, damage: str) -> None:
    CrawlStore.open(crawl).close()
    index = crawl / "statements"
    if damage == "gone":
        shutil.rmtree(index)
    elif damage == "cut":
        for path in index.glob("*.sst"):
            os.truncate(path, path.stat().st_size // 2)
    elif damage == "emptied":
        pyoxigraph.Store(str(index)).clear()
    else:
        shutil.rmtree(index)
        pyoxigraph.Store(str(index)).flush()
    if damage == "cut":
        with pytest.raises(SundogError, match=r"statements is damaged; sundog repair .* makes it anew"):
            query(crawl, "ASK { ?s ?p ?o }")
    assert told(crawl)[0].startswith("statements/ is made anew from crawl.db: ")
    check_works(crawl)
