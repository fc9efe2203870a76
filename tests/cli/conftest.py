"""The command for all tests of the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.commands import Command
from tests.store.crawls import small_crawl


@pytest.fixture
def sundog(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    monkeypatch.setenv("COLUMNS", "200")
    return Command(monkeypatch, capsys)


@pytest.fixture(scope="session")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_crawl(tmp_path_factory.mktemp("crawls") / "small")
