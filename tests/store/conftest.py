"""One finished crawl for all who only read it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.store.crawls import small_crawl


@pytest.fixture(scope="session")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_crawl(tmp_path_factory.mktemp("crawls") / "small")
