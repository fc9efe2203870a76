"""The report of a live crawl: safe, self-contained, and there whatever the crawl came to."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import vl_convert
from benchmarks.recording import stored

from sundog import simulate
from sundog.errors import SundogError
from sundog.model import LinkBatch
from sundog.report.crawl import write_crawl_report
from sundog.report.crawl.page import facts_of
from sundog.spec import CrawlSpec
from sundog.store import CrawlStore, Decided, Observed, PageRecord, Seeded, open_readonly
from sundog.store.directory import WARC
from sundog.worlds.static import StaticWorld
from tests.report.test_report import Reader
from tests.store.crawls import small_crawl

EVIL = "</script><script>alert(1)</script><!-- \" ' & <b>"
NONE = np.empty(0, np.int32)
SPEC = """
objective = "type:schema:Product"
budget = 500
seeds = ["http://seed.example/"]
[parameters]
x = true
"""


def ids(*numbers: int) -> Any:
    return np.array(numbers, np.int32)


def decided(candidate: int, now: float) -> Decided:
    return Decided(candidate, now, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 1.0)


def report(directory: Path, out: Path) -> str:
    assert write_crawl_report(directory, out) == out
    return out.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def crawl(small_world: StaticWorld, tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = simulate(small_world, "sundog", budget=400)
    return stored(tmp_path_factory.mktemp("crawls") / "live", small_world, run, spec=SPEC)


def test_what_was_run_and_what_came_of_it(crawl: Path, tmp_path: Path) -> None:
    text = report(crawl, tmp_path / "r.html")
    for part in (
        "400 <small>of 500</small>",
        "<code>type:schema:Product</code>",
        "<code>sundog x=true</code>",
        "<code>http://seed.example/</code>",
        "<dt>stopped</dt><dd>budget</dd>",
        "times what it would have found (",
        "Delays were kept",
        "schema:Product",
        "jsonld: block #: not JSON",
        "The specification as it was run",
    ):
        assert part in text
    data = json.loads(Reader(text).scripts[0])
    names = "harvest share hosts speed seconds reliability depth".split()
    assert list(data["charts"]) == names
    last = [row for row in data["datasets"]["curve"] if row["at"] == 400]
    assert len(last) == 2
    assert last[1]["relevant_lo"] <= last[1]["relevant"] <= last[1]["relevant_hi"]


def test_every_chart_compiles(crawl: Path, tmp_path: Path) -> None:
    data = json.loads(Reader(report(crawl, tmp_path / "r.html")).scripts[0])
    config = {"customFormatTypes": True, "range": {"outcomes": ["#111"] * 3, "levels": ["#222"] * 3}}
    for spec in data["charts"].values():
        name = spec["data"]["name"]
        whole = {**spec, "datasets": {name: data["datasets"][name]}, "width": 300, "config": config}
        assert "picked" in json.dumps(vl_convert.vegalite_to_vega(whole))


def test_nothing_is_loaded_from_anywhere(crawl: Path, tmp_path: Path) -> None:
    read = Reader(report(crawl, tmp_path / "r.html"))
    assert read.addresses == []
    assert set(read.tags) & {"link", "img", "iframe", "object"} == set()
    assert "@import" not in read.texts["style"]


def test_strangers_texts_are_texts(tmp_path: Path) -> None:
    words = f"objective = '''{EVIL}'''\npolicy = '''{EVIL}'''\ntitle = '''{EVIL}'''\nseeds = ['''{EVIL}''']\n"
    with CrawlStore.create(tmp_path / "evil", words) as store:
        store.append(Seeded(ids(0)), urls=[f"http://{EVIL}/"])
        store.append(decided(0, 1e9))
        faults = [("jsonld", EVIL), ("kept", EVIL)]
        record = PageRecord(status=200, types=[EVIL, EVIL * 100], faults=faults, counts={"rdf": 1}, seconds=0.1)
        links = LinkBatch(ids(1, 2), NONE, NONE)
        store.append(Observed(0, 1e9, "fetched", 1.0, "", links, record), urls=[EVIL, f"http://b.example/{EVIL}"])
        store.append(decided(1, 1e9 + 1))
        store.append(Observed(1, 1e9 + 1, "failed", reason=EVIL, record=PageRecord(trouble=EVIL)))
        store.append(decided(2, 1e9 + 2))
        store.append(Observed(2, 1e9 + 2, "refused", reason=EVIL))
        store.save_host(EVIL, {"crawl_delay": EVIL})
        store.write_summary({"stopped": EVIL})
    text = report(tmp_path / "evil", tmp_path / "r.html")
    read = Reader(text)
    assert read.tags.count("script") == 3
    assert read.tags.count("b") == text.count('<b class="bar"')
    assert text.count("alert(1)</script>") == 0
    assert "&lt;/script&gt;&lt;script&gt;alert(1)" in text


def test_small_crawls_do_not_break_it(tmp_path: Path) -> None:
    CrawlStore.create(tmp_path / "none", "").close()
    text = report(tmp_path / "none", tmp_path / "none.html")
    assert "nothing to draw" in text
    with CrawlStore.create(tmp_path / "one", "no = toml [") as store:
        store.append(Seeded(ids(0)), urls=["http://a.example/"])
        store.append(Decided(0, 1e9, *[float("nan")] * 7))
        store.append(Observed(0, 1e9, "fetched", 0.0))
    assert "No host was asked more than once with a delay" in report(tmp_path / "one", tmp_path / "one.html")
    assert "robots.txt" in report(small_crawl(tmp_path / "small"), tmp_path / "small.html")


def test_a_running_crawl_has_one_too(tmp_path: Path) -> None:
    with CrawlStore.create(tmp_path / "crawl", "") as store:
        store.append(Seeded(ids(0)), urls=["http://a.example/"])
        store.append(decided(0, 1e9))
        store.commit()
        assert "not yet, or nobody could write down why" in report(tmp_path / "crawl", tmp_path / "r.html")


@pytest.mark.parametrize(
    ("gap", "delay", "kept"), [(5.0, "delay = 5", True), (5.0, "delay = 6.5", False), (0.9, "", False)]
)
def test_delays(tmp_path: Path, gap: float, delay: str, kept: bool) -> None:
    with CrawlStore.create(tmp_path / "crawl", delay) as store:
        store.append(Seeded(ids(0, 1, 2)), urls=["http://a.example/", "http://a.example/b", "http://b.example/"])
        for candidate, at in ((0, 1e9), (2, 1e9 + 0.1), (1, 1e9 + gap)):
            store.append(decided(candidate, at))
            store.append(Observed(candidate, at + 0.2, "fetched", 0.0))
    with open_readonly(tmp_path / "crawl") as reader:
        hosts = facts_of(reader).hosts
    assert hosts.politeness == (1, int(not kept))
    assert [host.gap for host in hosts.best if host.gap is not None] == [pytest.approx(gap)]
    assert bool(hosts.asked_too_soon) == (not kept)


@pytest.mark.parametrize("state", [["a.example", "", 9.0, 0, 0, 1, 0, 0, 0], {"crawl_delay": 9.0}])
def test_a_hosts_own_delay_wins(tmp_path: Path, state: Any) -> None:
    with CrawlStore.create(tmp_path / "crawl", "delay = 2") as store:
        store.append(Seeded(ids(0)), urls=["http://a.example/"])
        store.append(decided(0, 1e9))
        store.append(Observed(0, 1e9, "fetched", 0.0))
        store.save_host("a.example", state)
        store.save_host("b.example", state)
    with open_readonly(tmp_path / "crawl") as reader:
        assert [host.delay for host in facts_of(reader).hosts.best] == [9.0]


def test_the_report_stands_in_the_directory_by_default(tmp_path: Path) -> None:
    crawl = small_crawl(tmp_path / "crawl")
    assert write_crawl_report(crawl) == crawl / "report.html"
    CrawlStore.open(crawl).close()  # and is in nobody's way


def test_a_report_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    crawl = small_crawl(tmp_path / "crawl")
    for out, message in {
        crawl: "is a directory: name a file",
        crawl / "no" / "r.html": "cannot be written",
        Path("/dev/null"): "is no regular file",
        crawl / "crawl.db": "is a part of the crawl itself",
    }.items():
        with pytest.raises(SundogError, match=message):
            write_crawl_report(crawl, out)
    with pytest.raises(SundogError, match="there is no directory"):
        write_crawl_report(tmp_path / "nowhere", tmp_path / "r.html")
    assert {name for name in os.listdir(crawl) if ".db" not in name} == {
        "lock",
        "spec.toml",
        "statements",
        WARC,
    }


@pytest.mark.parametrize("text", ["", "no = toml [", "x = " + "[" * 5_000, "delay = 'long'\nbudget = []"])
def test_what_a_spec_leaves_out_is_as_usual(tmp_path: Path, text: str) -> None:
    usual = CrawlSpec(seeds=("http://a.example/",))
    with CrawlStore.create(tmp_path / "crawl", text) as store:
        about = facts_of(store).about
    assert (about.objective, about.budget, about.policy) == (usual.objective, usual.fetches, usual.policy)
    assert (about.delay, about.seeds, about.spec_text) == (usual.delay, [], text)


def test_a_spec_that_is_lost_costs_the_rest_of_the_report_nothing(tmp_path: Path) -> None:
    crawl = small_crawl(tmp_path / "crawl")
    (crawl / "spec.toml").unlink()
    assert "Kettle" not in report(crawl, tmp_path / "r.html")
