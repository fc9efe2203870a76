"""Hostile pages beside good ones: a crawl gets all good pages, and says of each hostile one what became of it.

``python -m benchmarks hostile`` does the same with larger pages.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.hostile.attacks import ATTACKS
from tests.hostile.webs import GOOD, HostileCrawl, HostileWeb, check

SIZE = 40_000  # bytes of each hostile page
MOST_CPU_TO_END = 2.0  # seconds


@pytest.fixture(scope="module")
def good_pages(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """As a crawl has them that meets nothing else."""
    with HostileWeb() as web:
        crawl = HostileCrawl(web, tmp_path_factory.mktemp("good") / "crawl", "--workers=0")
        crawl.run()
        pages = crawl.good_pages()
    assert len(pages[0]) == len(GOOD)
    return pages


@pytest.fixture(scope="module")
def web() -> Iterator[HostileWeb]:
    with HostileWeb(ATTACKS.values(), SIZE) as web:
        yield web


def test_there_are_many_attacks() -> None:
    assert len(ATTACKS) > 200
    assert all(attack.about.endswith(".") for attack in ATTACKS.values())


@pytest.mark.parametrize("workers", [0, 1])
def test_hostile_pages_cost_nothing_but_themselves(
    web: HostileWeb, good_pages: list[Any], workers: int, tmp_path: Path
) -> None:
    crawl = HostileCrawl(web, tmp_path / "crawl", f"--workers={workers}")
    crawl.run()
    check(crawl, good_pages)


def test_it_is_stopped_and_killed_in_the_middle(web: HostileWeb, good_pages: list[Any], tmp_path: Path) -> None:
    crawl = HostileCrawl(web, tmp_path / "crawl", "--workers=0")
    web.log.clear()
    crawl.run(signal.SIGKILL, after=80)
    web.log.clear()
    assert crawl.run(signal.SIGTERM, after=60) < MOST_CPU_TO_END
    crawl.run()
    check(crawl, good_pages)
