"""A crawl that was stopped goes on as if nothing had happened."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest

from sundog.engines.live.crawl import LiveCrawl
from sundog.engines.live.run import crawl, resume
from sundog.errors import UsageError
from tests.engines.live.webs import HOME, Crawled, SmallWeb, crawled, spec_for, urls

HOSTS = ["a.example", "b.example", "c.example", "d.example"]
PAGES, LINKS = 40, 6


def fill(web: SmallWeb) -> None:
    """Four hosts of forty pages; a third of them are products, some are broken, some move."""
    chance = random.Random(5)
    every = [f"http://{host}/{number or ''}" for host in HOSTS for number in range(PAGES)]
    for url in every:
        links = chance.sample(every, LINKS)
        if url.endswith("7"):
            web.moves(url, chance.choice(every))
        elif not url.endswith("9"):
            (web.product if chance.random() < 0.3 else web.page)(url, *links)


@pytest.fixture
def stop_after(monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    """``stop_after(k)``: the next crawl is interrupted when k pages have landed."""

    def arrange(count: int) -> None:
        numbers = itertools.count(1)
        observe = LiveCrawl._observe

        def observe_and_stop(live: LiveCrawl, *arguments: object, **more: object) -> None:
            observe(live, *arguments, **more)  # type: ignore[arg-type]
            if next(numbers) == count:
                live.stop("interrupted")

        monkeypatch.setattr(LiveCrawl, "_observe", observe_and_stop)

    yield arrange
    monkeypatch.undo()


@pytest.mark.parametrize("policy", ["bfs", "sundog", "thompson"])
def test_the_same_choices_as_without_the_stop(web: SmallWeb, tmp_path: Path, policy: str, stop_after) -> None:  # type: ignore[no-untyped-def]
    fill(web)
    whole = crawled(web, tmp_path / "whole", policy=policy, seed=3, budget=80)
    assert whole.summary["stopped"] == "budget"
    first = list(web.log)
    web.log.clear()
    stop_after(29)
    parts = crawled(web, tmp_path / "parts", policy=policy, seed=3, budget=80)
    assert parts.summary["stopped"] == "interrupted"
    for further in (17, 1):
        stop_after(further)
        assert resume(tmp_path / "parts")["stopped"] == "interrupted"
    stop_after(0)
    summary = resume(tmp_path / "parts")
    assert parts.choices == whole.choices
    assert [asked[1:3] for asked in web.log if asked.target != "/robots.txt"] == [
        asked[1:3] for asked in first if asked.target != "/robots.txt"
    ]
    assert {**summary, "seconds": 0, "bytes": 0} == {**whole.summary, "seconds": 0, "bytes": 0}
    assert parts.rewards == whole.rewards
