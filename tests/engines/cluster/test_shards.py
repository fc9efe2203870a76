"""Shards on a real Ray, with real servers, real databases and real kills."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sundog.engines.cluster.ray_runtime import check_memory, check_reachable, check_room, load_ray
from sundog.engines.cluster.run import crawl_in_shards, resume_shards
from sundog.engines.live.progress import Snapshot
from sundog.engines.live.run import crawl, resume
from sundog.errors import SundogError, UsageError
from sundog.learn.sharing import LearningDelta
from sundog.patterns.definitions import DataPattern, Patterns, StopPattern
from sundog.replay import filled_catalog, new_session, replay
from sundog.report.crawl.page import write_crawl_report
from sundog.results.explain import explain
from sundog.results.export import export
from sundog.results.merge import as_one, merge
from sundog.session import CrawlSession
from sundog.sharding.ownership import Owners
from sundog.spec.cluster import Cluster
from sundog.spec.crawl import parse_spec
from sundog.store import CrawlReader, Taught, open_readonly
from sundog.store.shards import Layout, shard_directories, write_layout
from tests.engines.cluster.webs import fetched, linked_web, rows, url
from tests.engines.live.webs import SmallWeb, spec_for

LINKS = """SELECT s.url, d.url, l.anchor, l.tag_path FROM links l
  JOIN urls s ON s.id = l.src JOIN urls d ON d.id = l.dst"""
STATEMENTS = """SELECT u.url, syntax, length(triples) - length(replace(triples, char(10), ''))
  FROM page_statements JOIN urls u ON u.id = page"""
pytestmark = pytest.mark.usefixtures("ray")


@pytest.fixture
def web() -> Iterator[SmallWeb]:
    with SmallWeb() as web:
        yield web


def test_shards_fetch_what_one_process_does(web: SmallWeb, tmp_path: Path) -> None:
    """The same pages, each requested once, by the shard that owns its host; a redirect goes to its owner."""
    pages, owners = linked_web(web), Owners(3)
    names = (f"http://www.e{each}.example/" for each in range(100))
    elsewhere = next(name for name in names if owners.of(name) != owners.of(url(0)))
    web.page(url(0), *(url(domain) for domain in range(1, 4)), "http://www.d0.example/moved")
    web.moves("http://www.d0.example/moved", elsewhere)
    web.page(elsewhere)
    spec = spec_for(web, url(0), budget=1_000, concurrency=8)
    alone = crawl(spec, tmp_path / "one")
    web.log.clear()
    summary = crawl_in_shards(spec, tmp_path / "many", shards=3)
    found = fetched(tmp_path / "many")
    assert set(found) == pages | {"http://www.d0.example/moved", elsewhere}
    assert max(found.values()) == 1
    assert not web.asked_twice()
    assert summary["fetched"] == alone["fetched"] + 1  # a redirect to another shard is a fetch of its own
    assert (summary["relevant"], summary["stopped"]) == (alone["relevant"], "frontier empty")
    assert json.loads((tmp_path / "many" / "summary.json").read_bytes()) == summary
    assert summary["left"] == {"estimate": 0, "low": 0, "high": 0, "hosts": {}}
    assert sum(each["fetched"] for each in summary["shards"]) == summary["fetched"]
    for number, shard in enumerate(shard_directories(tmp_path / "many")):
        of_shard = fetched_by(shard)
        assert {owners.of(each) for each in of_shard} == {number}
    check_merged(tmp_path / "one", tmp_path / "many", elsewhere)


def check_merged(one: Path, many: Path, elsewhere: str) -> None:
    """Merged, it is the crawl that one process would have made, and can be resumed by one."""
    merged = as_one(many)
    assert as_one(many) == merged  # nothing has happened since
    for query in (LINKS, STATEMENTS):
        assert set(read(merged, query)) - set(read(one, query)) == set()
    assert len(read(merged, LINKS)) == len(read(one, LINKS))
    again = resume(merge(many, many.parent / "again"))
    assert (again["fetched"], again["stopped"]) == (sum(fetched(many).values()), "frontier empty")
    explained = explain(many, elsewhere)
    assert (explained.state, explained.shard) == ("fetched", Owners(3).of(elsewhere))
    assert explained.found["page"] == "http://www.d0.example/moved", "another shard has found it"
    assert explain(many, url(0)).found["page"] is None
    assert len(export(many, "nquads").read_text().splitlines()) == len(
        export(one, "nquads").read_text().splitlines()
    )
    assert export(many, "nquads").parent == many
    assert "Pages fetched by each shard" in write_crawl_report(many).read_text()


def read(directory: Path, query: str) -> list[tuple[object, ...]]:
    with open_readonly(directory) as reader:
        return reader.connection.execute(query).fetchall()


def fetched_by(shard: Path) -> list[str]:
    connection = sqlite3.connect(shard / "crawl.db")
    try:
        return [each for (each,) in connection.execute("SELECT url FROM pages")]
    finally:
        connection.close()


def test_killed_shards_lose_nothing(web: SmallWeb, tmp_path: Path) -> None:
    """Every shard is killed once; in the end the budget is spent exactly, and each page is logged once.

    Pages are slow until both were taught and killed, however long that takes."""
    pages = linked_web(web, delay=0.4)
    wanted = {"policy": "sundog", "objective": "type:schema:Product"}
    spec = spec_for(web, url(0), budget=len(pages) - 1, concurrency=1, **wanted)
    killed: set[int] = set()

    def kill(snapshot: Snapshot) -> None:
        for line in snapshot.shards:
            if line.fetched > 3 and line.lessons and line.shard not in killed and line.state != "ended":
                killed.add(line.shard)
                os.kill(line.pid, signal.SIGKILL)
        if len(killed) == 2:
            linked_web(web)

    summary = crawl_in_shards(spec, tmp_path / "crawl", shards=2, watch=kill)
    assert len(killed) == 2
    found = fetched(tmp_path / "crawl")
    assert (summary["fetched"], summary["stopped"]) == (len(pages) - 1, "budget")
    assert (sum(found.values()), max(found.values())) == (len(pages) - 1, 1)
    assert set(found) <= pages
    leases = rows(tmp_path / "crawl", "SELECT value FROM states WHERE name = 'lease'")
    assert len(leases) == 2
    assert sum(json.loads(value)[2] for (value,) in leases) == len(pages) - 1
    check_learning(*shard_directories(tmp_path / "crawl"))


def check_learning(one: Path, other: Path) -> None:
    """What each has taken in is just what the other had learned by itself at some moment, kills or not."""
    for here, there in ((one, other), (other, one)):
        with open_readonly(here) as reader, open_readonly(there) as source:
            assert any(isinstance(event, Taught) for event in reader.replay())
            session = replayed(reader)
            taken, known = session.learned_by_others(), list[LearningDelta]()
            replayed(source, lambda session, known=known: known.append(session.learned().since(None)))
        assert any(same(taken, each) for each in known)


def replayed(reader: CrawlReader, each: Callable[[CrawlSession], None] = lambda _: None) -> CrawlSession:
    session = new_session(parse_spec(reader.spec_text), filled_catalog(reader), is_shard=True)
    replay(reader, session, lambda _: each(session))
    return session


def same(one: LearningDelta, other: LearningDelta) -> bool:
    return all(np.array_equal(*pair) for pair in zip(one[:3], other[:3], strict=True))


def test_another_number_of_shards(web: SmallWeb, tmp_path: Path) -> None:
    """Whatever moves: nothing is lost, nothing is requested twice, and the results are of all."""
    pages = linked_web(web)
    spec = spec_for(web, url(0), budget=len(pages) // 2, concurrency=4)
    crawl_in_shards(spec, tmp_path / "crawl", shards=2)
    edited = tmp_path / "crawl" / "spec.toml"
    edited.write_text(edited.read_text().replace("concurrency = 4", "concurrency = 5"))
    summary = resume_shards(tmp_path / "crawl", shards=3, budget=10 * len(pages))
    assert all(
        "concurrency = 5" in (shard / "spec.toml").read_text() for shard in shard_directories(edited.parent)
    )
    found = fetched(tmp_path / "crawl")
    assert (set(found), max(found.values())) == (pages, 1)
    assert Counter(web.asked()).most_common(1)[0][1] == 1
    assert (summary["fetched"], summary["stopped"]) == (len(pages), "frontier empty")
    assert len(read(as_one(tmp_path / "crawl"), "SELECT url FROM pages")) == len(pages)


def test_a_shard_that_cannot_write_is_named(tmp_path: Path) -> None:
    write_layout(tmp_path, Layout(1))
    (tmp_path / "spec.toml").write_text('seeds = ["http://a.example/"]')
    (tmp_path / "shard-000").write_text("somebody's file")
    with pytest.raises(SundogError, match=r"shard 0 on .*: .*shard-000 is a file"):
        resume_shards(tmp_path)
    assert (tmp_path / "shard-000").read_text() == "somebody's file"


def test_a_lost_disk(web: SmallWeb, tmp_path: Path) -> None:
    """A shard whose directory is gone with its process begins again, and gets again what others have sent it."""
    pages = linked_web(web, delay=0.1)
    spec = spec_for(web, url(0), budget=1_000, concurrency=1)
    lost: list[int] = []

    def lose(snapshot: Snapshot) -> None:
        for line in snapshot.shards:
            if not lost and line.fetched > 5 and line.received > 0 and line.state != "ended":
                lost.append(line.shard)
                os.kill(line.pid, signal.SIGKILL)
                shutil.rmtree(tmp_path / "crawl" / f"shard-{line.shard:03}")

    summary = crawl_in_shards(spec, tmp_path / "crawl", shards=2, watch=lose)
    assert lost
    found = fetched(tmp_path / "crawl")
    assert (set(found), max(found.values())) == (pages, 1)
    assert (summary["fetched"], summary["stopped"]) == (len(pages), "frontier empty")


def test_hosts_are_asked_at_their_addresses(web: SmallWeb, tmp_path: Path) -> None:
    """Slices of time for an address come from the shard that owns it, also before there is a first page."""
    home = f"http://{web.connect_to}/"
    web.page(home, f"{home}1", f"{home}2")
    web.page(f"{home}1")
    web.page(f"{home}2")
    spec = spec_for(web, home, connect_to="", allow_private=True, delay=0.1)
    summary = crawl_in_shards(spec, tmp_path / "crawl", shards=2)
    assert (summary["fetched"], summary["failed"], summary["stopped"]) == (3, 0, "frontier empty")


def test_a_stop_pattern_that_counts_is_of_the_whole_crawl(web: SmallWeb, tmp_path: Path) -> None:
    linked_web(web, delay=0.15)
    patterns = Patterns(stop=(StopPattern(name="enough", pages=24),))
    spec = spec_for(web, url(0), budget=1_000, concurrency=1, patterns=patterns)
    summary = crawl_in_shards(spec, tmp_path / "crawl", shards=2)
    assert summary["stopped"] == "stop pattern enough"
    assert summary["fetched"] >= 24
    assert max(each["fetched"] for each in summary["shards"]) < summary["fetched"]
    left = summary["left"]
    assert 0 <= left["low"] < left["estimate"] < left["high"]
    assert {Owners(2).of(host) for host in left["hosts"]} == {0, 1}


def test_a_shard_that_dies_again_and_again(web: SmallWeb, tmp_path: Path) -> None:
    web.page(url(0), delay=60.0)
    killed: set[int] = set()

    def kill(snapshot: Snapshot) -> None:
        for line in snapshot.shards:
            if line.pid not in killed:
                killed.add(line.pid)
                os.kill(line.pid, signal.SIGKILL)

    with pytest.raises(SundogError, match=r"shard 0 on .* died 3 times without fetching a page: .*sundog resume"):
        crawl_in_shards(spec_for(web, url(0)), tmp_path / "crawl", shards=1, watch=kill)
    assert len(killed) >= 3


def test_nodes_of_another_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sundog.engines.cluster.driver.installed_version", lambda: "99.9")
    with pytest.raises(SundogError, match=r"shard 0 on .* has Sundog .*, not 99\.9: install the same version"):
        crawl_in_shards(spec_for(None), tmp_path / "crawl", shards=1)


def test_too_few_cpus(ray: Any) -> None:
    with pytest.raises(SundogError, match=r"99 shards need 99 CPUs, and the cluster has .*: use fewer shards"):
        check_room(ray, 99, Cluster())


def test_ray_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(SundogError, match=r"not installed: pip install 'sundog\[cluster\]'"):
        load_ray()


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("127.0.0.1:1", "127.0.0.1:1 cannot be reached: Connection refused"),
        ("here", "HOST:PORT is expected"),
        ("ray://127.0.0.1:1", "run the command on a node of the cluster, and give --ray auto"),
    ],
)
def test_a_cluster_that_cannot_be_reached(address: str, message: str) -> None:
    with pytest.raises(SundogError, match=message):
        check_reachable(address)


def test_more_shards_than_this_machine_has_memory_for() -> None:
    check_memory(2)
    with pytest.raises(SundogError, match=r"1,000,000 shards need at least 315000 GB of memory, .* use fewer"):
        check_memory(1_000_000)


def test_no_seed_can_be_reached(tmp_path: Path) -> None:
    spec = spec_for(None, "http://127.0.0.1:1/", connect_to="")
    with pytest.raises(SundogError, match="private address"):
        crawl_in_shards(spec, tmp_path / "crawl", shards=2)


def test_shards_are_for_the_web(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="0 shards: a crawl has at least 1"):
        crawl_in_shards(spec_for(None), tmp_path / "crawl", shards=0)
    country = DataPattern(name="country", find="//h1")
    patterns = Patterns(data=(country, DataPattern(name="city", find="//h1", linked_from="country")))
    with pytest.raises(UsageError, match=r"pattern 'city' has linked_from, .* does not work with --shards"):
        crawl_in_shards(spec_for(None, patterns=patterns), tmp_path / "crawl", shards=2)
    (tmp_path / "cluster.json").write_text("{}")
    with pytest.raises(SundogError, match="holds a crawl already"):
        crawl_in_shards(spec_for(None), tmp_path, shards=2)
    with pytest.raises(SundogError, match="holds a crawl already"):
        crawl(spec_for(None), tmp_path)
