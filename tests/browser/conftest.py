"""A browser, a web to crawl, a site that crawls it, and one crawl that is finished.

They end with this package's tests: while Playwright runs, this thread has an event loop, and others need theirs.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.chromium import chromium
from tests.browser.served import Served
from tests.browser.steps import Watched

ROOT = Path(__file__).parent.parent.parent
SEEDS = "http://lumen-forge.example/\nhttp://m.opal-lane.example/"


@contextmanager
def web_of(module: str, *options: str) -> Iterator[str]:
    """A web of the examples, served as they are served by hand; gives its address."""
    process = subprocess.Popen(
        [sys.executable, "-m", module, *options], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert process.stdout is not None
    try:
        yield f"127.0.0.1:{int(process.stdout.readline())}"
    finally:
        process.terminate()
        process.wait(20)
        process.stdout.close()


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """With the demo's web behind it, and nothing crawled yet."""
    with (
        web_of("sundog.demo_web", "--pages", "2000") as address,
        Served(tmp_path_factory.mktemp("crawls"), "--connect-to", address) as served,
    ):
        yield served


@pytest.fixture
def page(browser: Browser) -> Iterator[Watched]:
    """Any error on a page fails the test: scripts, the content security policy, missing files."""
    opened: Page = browser.new_page(viewport={"width": 1400, "height": 900})
    watched = Watched(opened)
    yield watched
    opened.close()
    assert not watched.troubles


@pytest.fixture(scope="package")
def finished(site: Served, browser: Browser) -> str:
    """The id of a crawl that was made in guided mode and has ended."""
    opened = browser.new_page()
    watched = Watched(opened)
    try:
        return watched.begin_guided(site, SEEDS, "Recipe", budget=120)
    finally:
        opened.close()
