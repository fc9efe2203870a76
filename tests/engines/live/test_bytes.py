"""A budget of bytes is never overshot, whatever the pages have, and is used as far as it can be."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sundog.engines.live.run import crawl, resume
from sundog.errors import UsageError
from sundog.fetch.values import Limits
from tests.engines.live.webs import HOME, SmallWeb, spec_for

LARGEST = 4_000


@pytest.fixture
def web() -> Iterator[SmallWeb]:
    with SmallWeb() as web:
        names = [f"{HOME}{number}" for number in range(60)]
        web.page(HOME, *names)
        for number, name in enumerate(names):
            web.page(name, *names[: number % 20])
        yield web


def test_bytes_are_not_overshot(web: SmallWeb, tmp_path: Path) -> None:
    spec = spec_for(web, budget=1_000, concurrency=8, bytes=3 * LARGEST, limits=Limits(max_bytes=LARGEST))
    summary = crawl(spec, tmp_path / "crawl")
    assert summary["stopped"] == "bytes"
    assert 2 * LARGEST < summary["bytes"] <= 3 * LARGEST
    again = resume(tmp_path / "crawl")
    assert (again["stopped"], again["bytes"], again["fetched"]) == ("bytes", summary["bytes"], summary["fetched"])


def test_bytes_for_no_page(tmp_path: Path) -> None:
    spec = spec_for(None, bytes=3_999, limits=Limits(max_bytes=LARGEST))
    with pytest.raises(UsageError, match=r"bytes = 3,999: a page may have 4,000"):
        crawl(spec, tmp_path / "crawl")
    assert not (tmp_path / "crawl").exists()
