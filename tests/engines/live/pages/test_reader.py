"""Pages are read by other processes: the same comes of it, whatever happens to them."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from warcio.archiveiterator import ArchiveIterator

import sundog.engines.live.pages.reader as reader
import sundog.engines.live.pages.reader_pool as reader_pool
from sundog.engines.live.pages.reader import reader_count
from sundog.engines.live.run import crawl, resume
from sundog.processes.child import Child
from tests.engines.live.processes import start_crawl
from tests.engines.live.webs import HOME, Crawled, SmallWeb, crawled, spec_for, urls
from tests.processes.programs import until_gone

STATEMENTS = "SELECT url, syntax, triples FROM page_statements JOIN urls ON urls.id = page ORDER BY 1, 2"


def fill(web: SmallWeb) -> list[str]:
    pages = urls(*(f"{number}" for number in range(20)))
    web.page(HOME, *pages)
    for url in pages:
        web.product(url)
    return pages


def test_the_same_as_without(web: SmallWeb, tmp_path: Path) -> None:
    fill(web)
    before = children_of(os.getpid())  # of other tests
    here = crawled(web, tmp_path / "here", concurrency=8)
    there = crawled(web, tmp_path / "there", concurrency=8, workers=2)
    assert there.rows(STATEMENTS) == here.rows(STATEMENTS)
    assert there.rewards == here.rewards
    assert children_of(os.getpid()) == before


def test_a_process_is_light() -> None:
    """It starts quickly: it has neither kernels nor a session nor a store."""
    heavy = {"numba", "numpy", "aiohttp", "sundog.session", "sundog.store", "sundog.spec", "sundog.objectives"}
    program = f"import sys, sundog.engines.live.pages.reader_process; print(*{heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_one_for_each_core_but_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))
    assert reader_count(spec_for(None, workers=None)) == 7
    assert reader_count(spec_for(None, workers=3)) == 3
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {5})
    assert reader_count(spec_for(None, workers=None)) == 0, "two processes would share the core"


def test_a_process_that_is_killed(web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is lost: the page that it had in hand is read by another one."""
    pages = fill(web)
    killed: list[int] = []

    def kill_once(self: Any, job: Any) -> None:
        send(self, job)
        if self.is_ready and not killed:
            killed.append(self._process.pid)
            os.kill(killed[0], signal.SIGKILL)

    send = reader_pool._Process.send
    monkeypatch.setattr(reader_pool._Process, "send", kill_once)
    done = crawled(web, tmp_path / "crawl", concurrency=4, workers=2)
    assert killed, (done.summary, done.faults)
    assert done.faults == {}
    assert sum(done.rewards.values()) == len(pages)


def test_a_process_is_replaced(web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = fill(web)
    before = children_of(os.getpid())
    started: list[Any] = []
    start = reader_pool._Process.start

    async def count(*words: Any) -> Any:
        started.append(words)
        return await start(*words)

    monkeypatch.setattr(reader_pool._Process, "start", count)
    monkeypatch.setattr(reader_pool, "PAGES_A_PROCESS", 5)
    done = crawled(web, tmp_path / "crawl", concurrency=4, workers=1)
    assert len(started) >= (len(pages) + 1) // 6
    assert sum(done.rewards.values()) == len(pages)
    assert done.faults == {}
    assert children_of(os.getpid()) == before


def test_no_process_can_be_started(web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every page says so, and the crawl ends."""
    fill(web)
    monkeypatch.setattr(reader_pool, "Child", lambda **_: Child(module="sundog.no_such_program"))
    done = crawled(web, tmp_path / "crawl", workers=1)
    assert "no process that reads pages can be started" in done.faults[HOME]
    assert done.summary["internal"] == 1


@pytest.mark.parametrize("workers", [0, 1])
def test_a_wall_of_memory(web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int) -> None:
    """Too much memory costs a page its result, and no other page anything.

    No parser gives up by itself while brackets nest. Without workers, what is long is read in a process, too.
    """
    monkeypatch.setattr(reader, "MEMORY_TO_READ_PAGES", 300 << 20)
    monkeypatch.setattr(reader, "MEMORY_FOR_DUMPS", 300 << 20)
    monkeypatch.setattr(reader, "LONGEST_IN_LOOP", 20_000)
    links = " , ".join(f"<{url}>" for url in urls("nested.n3", "next"))
    web.reply(HOME, f"<{HOME}> <{HOME}#p> {links} .", type_="text/turtle")
    web.reply(urls("next")[0], f"<{HOME}#a> <{HOME}#p> 1 .", type_="text/turtle")
    nested = f"<{HOME}> <{HOME}#p> ".encode() + b"{ " * 2_400_000
    web.reply(urls("nested.n3")[0], nested, type_="text/n3")
    done = crawled(web, tmp_path / "crawl", objective="rdf", workers=workers)
    assert "killed the reader" in done.faults[urls("nested.n3")[0]]
    assert done.rewards[urls("next")[0]] == 1


def test_they_end_with_a_crawl_that_is_killed(web: SmallWeb, tmp_path: Path) -> None:
    fill(web)
    web.page(HOME, *urls("0", "slow"))
    web.page(*urls("slow"), delay=20.0)
    process = start_crawl(web, tmp_path / "crawl", "--workers=2")
    while urls("slow")[0] not in web.asked():
        assert process.poll() is None
        time.sleep(0.01)
    children = children_of(process.pid)
    assert children
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=30)
    until_gone(children)
    web.page(*urls("slow"))
    assert resume(tmp_path / "crawl")["stopped"] == "frontier empty"


def children_of(parent: int) -> list[int]:
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            after_name = entry.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(after_name[1]) == parent:
            found.append(int(entry.parent.name))
    return found


def test_warc(web: SmallWeb, tmp_path: Path) -> None:
    web.product(HOME, *urls("moves", "packed", "secret", "missing"))
    web.moves(urls("moves")[0], "/target")
    web.product(*urls("target"))
    web.product(*urls("packed"))
    plain = web.replies[urls("packed")[0]].body  # type: ignore[union-attr]
    web.reply(urls("packed")[0], gzip.compress(plain), "Content-Encoding: gzip")
    web.product(urls("secret")[0], head='<meta name="robots" content="noindex">')
    crawl(spec_for(web, warc=True), tmp_path / "crawl")
    with (tmp_path / "crawl" / "pages.warc.gz").open("rb") as file:
        found = {
            record.rec_headers.get_header("WARC-Target-URI"): record.content_stream().read()
            for record in ArchiveIterator(file)
            if record.rec_type == "response"
        }
    assert found[urls("packed")[0]] == plain
    assert sorted(found) == sorted([HOME, *urls("target", "packed")]), "what says noindex is not kept"
    done = Crawled(tmp_path / "crawl")
    assert len(done.rows("SELECT * FROM outcomes WHERE status = 200")) == len(found) + 1
