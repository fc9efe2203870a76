"""kill -9 at random moments: a child appends and commits numbered events at full speed until it is killed.

After each kill the database must pass its integrity check and hold a prefix of the events; once the crawl is
opened again, statements and WARC must hold those of the committed pages, once. ``python -m
benchmarks.kill_store [KILLS]``; the test suite does a few of them.
"""

from __future__ import annotations

import itertools
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyoxigraph

from benchmarks.common import ROOT
from sundog.errors import SundogError
from sundog.model import LinkBatch
from sundog.store import (
    CrawlStore,
    Decided,
    Event,
    Exchange,
    GivenBack,
    Observed,
    PageRecord,
    Rested,
    Seeded,
    index,
    open_readonly,
)
from sundog.store.warc import whole_members

NEW = 3  # URLs per page
KILLS_PER_CRAWL = 20


def url(candidate: int) -> str:
    return f"http://host{candidate % 17}.example/page/{candidate}"


def statements(page: int) -> dict[str, list[tuple[str, str, str]]]:
    triples = [("_:b", f"<http://p.example/{i}>", f'"{page} {i}"') for i in range(page % 6)]
    return {"jsonld": triples, "rdfa": [(f"<{url(page)}>", "<http://p.example/about>", "_:c")]}


def events() -> Iterator[tuple[Event, dict[str, Any]]]:
    """The one endless sequence. Each page is a function of its number."""
    yield Seeded(np.zeros(1, np.int32)), {"urls": [url(0)]}
    for page in itertools.count():
        now = page / 8
        if page % 13 == 0:
            yield Decided(page, now, 1.0, 0.5, 0.1, 0.2, 0.3, 0.4, 1.0), {}
            yield GivenBack(page), {}
        yield Decided(page, now, 1.0, 0.5, 0.1, 0.2, 0.3, 0.4, 1.0), {}
        yield outcome(page, now + 0.05)
        yield Rested(page % 17, now + 1), {}


def outcome(page: int, now: float) -> tuple[Observed, dict[str, Any]]:
    if page and page % 7 == 0:
        kind: Any = "failed" if page % 2 else "refused"
        return Observed(page, now, kind, reason=f"reason {page}"), {}
    new = np.arange(1 + NEW * fetched_before(page), 1 + NEW * fetched_before(page + 1), dtype=np.int32)
    record = PageRecord(status=200, content_hash=page.to_bytes(16, "big"), counts={"jsonld": page % 6, "rdfa": 1})
    more = {
        "urls": [url(candidate) for candidate in new.tolist()],
        "texts": [f"text {page}"],
        "statements": statements(page),
        "exchange": Exchange(url(page), now, "GET", [("Host", "x")], 200, "OK", [], b"body %d" % page),
    }
    links = LinkBatch(new, new * 0 + page // 2, new * 0 - 1)
    return Observed(page, now, "fetched", float(page % 3), "", links, record), more


def fetched_before(page: int) -> int:
    """Every seventh page except the first has none."""
    return page - max(0, (page - 1) // 7)


def child(directory: Path, seed: int) -> None:
    """Continue from the last commit, until killed."""
    choose = random.Random(seed)
    index.GROUP, index.BULK, index.SECONDS = choose.choice([200, 2_000]), choose.choice([100, 1_000]), 0.05
    try:
        store = CrawlStore.open(directory)
    except SundogError:  # killed before there was a crawl
        store = CrawlStore.create(directory, "")
    print("ready", flush=True)
    size = choose.choice([1, 3, 30, 300])
    for number, (event, more) in enumerate(itertools.islice(events(), store.steps, None)):
        store.append(event, **more)
        if number % size == 0:
            store.save("number", number)
            store.commit()


def kill_one(directory: Path, seed: int) -> None:
    """Start a child and kill it: before it is ready, or up to a second after."""
    choose = random.Random(seed)
    command = [sys.executable, "-m", "benchmarks.kill_store", "--child", str(directory), str(seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout is not None
        if choose.random() < 0.9:
            assert process.stdout.readline() == b"ready\n", process.stderr and process.stderr.read().decode()
            time.sleep(choose.random() ** 2)
        else:
            time.sleep(choose.random())
        process.send_signal(signal.SIGKILL)


def check(directory: Path) -> int:
    """Raise AssertionError if anything is wrong; returns how many events are committed."""
    connection = sqlite3.connect(directory / "crawl.db")
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    with open_readonly(directory) as reader:
        steps = reader.steps
        assert reader.pages_to_index >= 0
    CrawlStore.open(directory).close()
    with open_readonly(directory) as reader:
        assert reader.steps == steps
        committed = list(itertools.islice(events(), steps))
        for found, (expected, _) in zip(reader.replay(), committed, strict=True):
            assert same(found, expected), (found, expected)
        appended = [more for _, more in committed]
        assert list(itertools.chain.from_iterable(reader.urls())) == [
            each for more in appended for each in more.get("urls", ())
        ]
        assert list(itertools.chain.from_iterable(reader.texts())) == [
            each for more in appended for each in more.get("texts", ())
        ]
        assert [event.candidate for event in reader.in_flight()] == in_flight(event for event, _ in committed)
        assert reader.indexed <= steps
        assert reader.pages_to_index == 0
        pages = reader.connection.execute("SELECT count(*), count(DISTINCT id) FROM pages").fetchone()
        assert pages == (sum(is_page(event) for event, _ in committed),) * 2
        warc_size = reader.state("warc", 0)
    check_statements(directory, [event for event, _ in committed])
    fetched = sum(isinstance(event, Observed) and event.kind == "fetched" for event, _ in committed)
    if fetched:
        assert (
            (directory / "pages.warc.gz").stat().st_size == warc_size == whole_members(directory / "pages.warc.gz")
        )
    return steps


def has_begun(directory: Path) -> bool:
    try:
        open_readonly(directory).close()
    except SundogError:
        return False
    return True


def is_page(event: Event) -> bool:
    return isinstance(event, Observed) and event.kind != "refused"


def in_flight(committed: Iterator[Event]) -> list[int]:
    open_decisions: dict[int, None] = {}
    for event in committed:
        if isinstance(event, Decided):
            open_decisions[event.candidate] = None
        elif isinstance(event, Observed | GivenBack):
            del open_decisions[event.candidate]
    return list(open_decisions)


def check_statements(directory: Path, committed: list[Event]) -> None:
    """Every graph with as many statements as its page had: none lost, none twice."""
    store = pyoxigraph.Store.read_only(str(directory / "statements"))
    found: dict[str, int] = {}
    for quad in store:
        found[quad.graph_name.value] = found.get(quad.graph_name.value, 0) + 1
    fetched = [event.candidate for event in committed if isinstance(event, Observed) and event.kind == "fetched"]
    assert found == {url(page): page % 6 + 1 for page in fetched}


def same(one: Event, other: Event) -> bool:
    """Equal except for the record, which a replay leaves out."""
    if type(one) is not type(other):
        return False
    if isinstance(one, Observed) and isinstance(other, Observed):
        links = all(np.array_equal(a, b) for a, b in zip(one.links, other.links, strict=True))
        return links and one[:5] == other[:5]
    if isinstance(one, Seeded) and isinstance(other, Seeded):
        return np.array_equal(one.candidates, other.candidates)
    return one == other


def main(kills: int = 200) -> None:
    done = 0
    begun = time.perf_counter()
    events_in_all = 0
    while done < kills:
        directory = Path(tempfile.mkdtemp()) / "crawl"
        for _ in range(min(KILLS_PER_CRAWL, kills - done)):
            kill_one(directory, done)
            done += 1
            if done % 2 and has_begun(directory):  # every other time the next child finds it as it was left
                try:
                    steps = check(directory)
                except Exception as error:
                    sys.exit(f"kill {done}, {directory}: {error!r}")
                print(f"{done} kills, {steps:,} events", file=sys.stderr, flush=True)
        events_in_all += check(directory) if has_begun(directory) else 0
        shutil.rmtree(directory.parent)
    seconds = time.perf_counter() - begun
    print(f"{done} kills, {events_in_all:,} committed events: nothing lost, nothing twice ({seconds:.0f} s)")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(Path(sys.argv[2]), int(sys.argv[3]))
    else:
        main(*map(int, sys.argv[1:]))
