"""``sundog refresh``, ``keep`` and ``changes`` as commands."""

from __future__ import annotations

import gc
import json
import signal
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sundog.store.rounds import seconds_until_turn
from tests.cli.commands import Command
from tests.engines.live import processes
from tests.engines.live.webs import HOME, Crawled, SmallWeb, crawled, urls


@pytest.fixture
def web() -> Iterator[SmallWeb]:
    with SmallWeb() as running:
        yield running


@pytest.fixture
def shop(web: SmallWeb, tmp_path: Path) -> Path:
    web.page(HOME, *urls("1", "2"))
    for url in urls("1", "2"):
        web.product(url)
    crawled(web, tmp_path / "crawl")
    return tmp_path / "crawl"


def run(*words: object) -> tuple[int, str, str]:
    process = processes.start(*words)
    out, err = process.communicate(timeout=processes.PATIENCE)
    assert "Traceback" not in err, err
    return process.returncode, out, err


def test_refresh_and_changes(web: SmallWeb, shop: Path) -> None:
    web.product(urls("1")[0], name="another")
    code, out, err = run("refresh", shop, "--budget=9")
    assert code == 0
    assert "round 1: 0 new pages; 3 visited again: 1 changed, 0 gone, 0 failed" in out.splitlines()
    assert "go on: sundog resume" not in err, "all was visited"
    _, _, err = run("refresh", shop, "--budget=2")
    assert f"go on: sundog refresh {shop} --budget 2" in err.splitlines()
    code, out, _ = run("changes", shop, "--since", "1")
    assert code == 0
    (line,) = map(json.loads, out.splitlines())
    assert (line["change"], line["url"], line["round"]) == ("changed", urls("1")[0], 1)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["refresh"], "budget"),
        (["refresh", "--budget=0"], "budget"),
        (["refresh", "--budget=1", "--ray=auto"], "is no crawl in shards: leave out --ray"),
        (["keep", "--budget=1", "--every=1d", "--ray=auto"], "is no crawl in shards: leave out --ray"),
        (["changes", "--since", "soon"], "'soon' is no round, date or length of time"),
        (["changes", "--format", "jsonp"], "unknown format 'jsonp'; did you mean 'jsonl'?"),
        (["keep", "--every", "sometimes", "--budget=1"], "'sometimes' is no length of time: write it as"),
        (["export", "--format", "warc", "--as-of", "0"], "leave out --as-of"),
    ],
)
def test_wrong_usage(shop: Path, words: list[str], message: str) -> None:
    code, out, err = run(words[0], shop, *words[1:])
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.strip().splitlines()) == 1


def test_keep_makes_rounds_until_it_is_stopped(shop: Path) -> None:
    code, out, _ = run("keep", shop, "--every=1s", "--budget=3", "--rounds=2")
    assert code == 0
    assert [line[:8] for line in out.splitlines()] == ["round 1:", "round 2:"]
    (first, second) = Crawled(shop).column("SELECT began FROM rounds ORDER BY round")
    assert second - first >= 1.0
    (shop / "report.html").unlink()
    assert run("keep", shop, "--every=1s", "--budget=3", "--rounds=1", "--no-report")[0] == 0
    assert not (shop / "report.html").exists()
    process = processes.start("keep", shop, "--every=1h", "--budget=3")
    assert process.stderr is not None
    assert process.stderr.readline().startswith("next round: ")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=processes.PATIENCE)
    assert process.returncode != 0


def test_a_clock_that_was_set_back_delays_no_round(shop: Path) -> None:
    assert seconds_until_turn(shop, 60.0, 0.0) == 0.0  # there was none yet
    run("refresh", shop, "--budget=1")
    (began,) = Crawled(shop).column("SELECT began FROM rounds")
    assert seconds_until_turn(shop, 60.0, began + 20.0) == pytest.approx(40.0)
    assert seconds_until_turn(shop, 60.0, began - 1e6) == 60.0


def test_what_a_round_has_left_behind_does_not_stay(
    tmp_path: Path, sundog: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each round freezes what it is made of, and what is frozen is never collected."""
    left: list[weakref.ref[Any]] = []

    class Remains:
        def __init__(self) -> None:
            self.itself = self

    def round_(*_: object, **__: object) -> dict[str, Any]:
        assert all(each() is None for each in left)
        left.append(weakref.ref(Remains()))
        gc.freeze()
        counts = dict.fromkeys(("round", "new", "revisited", "changed", "gone", "failed"), 0)
        return {"rounds": [counts], "stopped": ""}

    monkeypatch.setattr("sundog.cli.crawls.refresh._round_of", lambda *_: round_)
    monkeypatch.setattr("sundog.cli.crawls.refresh._wait_for_turn", lambda *_: None)
    usual = gc.get_threshold()
    gc.set_threshold(0)  # nothing is collected by itself
    try:
        done = sundog("keep", tmp_path, "--every=1s", "--budget=1", "--rounds=3", "--no-report")
    finally:
        gc.set_threshold(*usual)
        gc.unfreeze()
    assert (done.code, len(left)) == (0, 3)
