"""A crawl begins with what an earlier one has learned: on another site it tries first what was good before."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from sundog.cli.app import app
from sundog.engines.live.control.asynchronous import acrawl
from sundog.engines.live.run import crawl, resume
from sundog.errors import SundogError, UsageError
from sundog.store import Prepared, open_readonly
from sundog.store.directory import MODEL
from tests.engines.live.webs import HOME, Crawled, SmallWeb, spec_for, stop_after

OTHER = "http://b.example/"
PAGES = 12


def shop(web: SmallWeb, home: str) -> None:
    """Pages of three kinds, of which one has products; all are on the home page, the products last."""
    paths = [f"/{kind}/{number}" for kind in ("about", "news", "item") for number in range(PAGES)]
    web.page(home, *paths)
    for path in paths:
        (web.product if path.startswith("/item") else web.page)(home.rstrip("/") + path)


def first_crawl(web: SmallWeb, folder: Path) -> Path:
    shop(web, HOME)
    shop(web, OTHER)
    crawl(spec_for(web, policy="sundog", objective="jsonld", budget=30), folder / "first")
    return folder / "first"


def items_in(directory: Path, most: int) -> int:
    return sum("/item/" in url for url in Crawled(directory).choices[:most])


def test_another_site_begins_with_what_was_good_before(web: SmallWeb, tmp_path: Path) -> None:
    first = first_crawl(web, tmp_path)
    spec = spec_for(web, OTHER, policy="sundog", objective="jsonld", budget=9)
    crawl(spec, tmp_path / "cold")
    crawl(spec, tmp_path / "warm", learn_from=[first])
    assert items_in(tmp_path / "warm", 6) > items_in(tmp_path / "cold", 6)

    async def learn_from_both() -> None:
        await acrawl(spec, tmp_path / "both", learn_from=[first, tmp_path / "cold"])

    asyncio.run(learn_from_both())
    assert items_in(tmp_path / "both", 9) > items_in(tmp_path / "cold", 9)


def test_a_stop_changes_nothing(web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it began with is in its log: the earlier crawl is not needed any more."""
    first = first_crawl(web, tmp_path)
    spec = spec_for(web, OTHER, policy="sundog", objective="jsonld", budget=25)
    crawl(spec, tmp_path / "whole", learn_from=[first])
    with monkeypatch.context() as patch:
        stop_after(patch, 4)
        crawl(spec, tmp_path / "stopped", learn_from=[first])
    (first / MODEL).unlink()
    resume(tmp_path / "stopped")
    assert Crawled(tmp_path / "stopped").choices == Crawled(tmp_path / "whole").choices
    with open_readonly(tmp_path / "stopped") as reader:
        assert isinstance(next(iter(reader.replay())), Prepared)


def test_what_cannot_be_learned_from(web: SmallWeb, tmp_path: Path) -> None:
    first = first_crawl(web, tmp_path)
    spec = spec_for(web, OTHER, policy="sundog", objective="jsonld", budget=3)

    def refused(message: str, *directories: Path, **changes: object) -> None:
        changed = spec_for(web, OTHER, **{"policy": "sundog", "objective": "jsonld", "budget": 3, **changes})
        with pytest.raises(SundogError, match=message):
            crawl(changed, tmp_path / "new", learn_from=directories or [first])
        assert not (tmp_path / "new").exists()

    refused("was crawled for 'jsonld', not for 'microdata'", objective="microdata")
    refused("only the policy sundog begins with", policy="bfs")
    refused("only the policy sundog begins with", parameters={"local": False})
    refused("of another size: give the same hashes=", parameters={"hashes": 1024})
    refused("nothing", tmp_path / "nothing")
    crawl(spec_for(web, OTHER, objective="jsonld", budget=3), tmp_path / "other")
    refused("was crawled by bfs: only a crawl by sundog can be learned from", tmp_path / "other")
    model = (first / MODEL).read_bytes()
    (first / MODEL).write_bytes(model[:-40])
    refused("is no model of a crawl", first)
    (first / MODEL).write_bytes(model)
    _with_version(first / MODEL, "0.0.1")
    refused("was written by version 0.0.1 of Sundog", first)
    (first / MODEL).unlink()
    refused("has no model.npz: its crawl has not ended yet", first)
    assert crawl(spec, tmp_path / "new")["fetched"] == 3


def _with_version(path: Path, version: str) -> None:
    with np.load(path) as file:
        arrays = {name: file[name] for name in file}
    np.savez_compressed(path, **{**arrays, "version": np.array(version)})


def test_the_command(web: SmallWeb, tmp_path: Path) -> None:
    first = first_crawl(web, tmp_path)
    words = ["crawl", OTHER, "--for", "jsonld", "--budget", "9", "--connect-to", web.connect_to, "--delay", "0"]
    warm = ["--out", str(tmp_path / "warm"), "--learn-from", str(first), "--concurrency", "1", "--workers", "0"]
    done = CliRunner().invoke(app, [*words, *warm])
    assert done.exit_code == 0, done.output
    assert items_in(tmp_path / "warm", 9) >= 5
    done = CliRunner().invoke(
        app, [*words, "--out", str(tmp_path / "x"), "--learn-from", str(first), "--shards", "2"]
    )
    assert "--learn-from is not for a crawl in shards" in str(done.exception)


def test_other_policies_say_so() -> None:
    from sundog import CrawlSession
    from sundog.learn.prior import Prior

    prior = Prior(np.array([1], np.int32), np.array([0.5], np.float32))
    for policy in ("bfs", "success-rate", "hybrid", "ldcoc"):
        with pytest.raises(UsageError, match="cannot begin with what an earlier crawl has learned"):
            CrawlSession(policy=policy, budget=1).begin_with(prior)
    far = prior._replace(features=np.array([1 << 30], np.int32))
    with pytest.raises(UsageError, match="of another size"):
        CrawlSession(budget=1).begin_with(far)
