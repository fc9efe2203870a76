"""The first visit: nothing is there yet, and one click begins the demo."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import TimeoutError

from tests.browser.served import Served
from tests.browser.steps import LONG, Watched


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Served]:
    with Served(tmp_path) as served:
        yield served
    demo = tmp_path / ".web" / "demo.json"
    if demo.exists():  # the demo's web outlives the server
        os.kill(json.loads(demo.read_bytes())["pid"], signal.SIGTERM)


def test_the_demo_is_one_click_away(page: Watched, fresh: Served) -> None:
    shown = page.open(fresh, "/")
    page.see("#none", "Say where to begin")
    shown.get_by_role("button", name="Try the demo").click()
    shown.wait_for_url("**/crawls/*", timeout=LONG)
    shown.locator("#stream li").first.wait_for(timeout=LONG)
    page.see("#crawl-name", "Demo: recipes")
    with suppress(TimeoutError):  # it may just have ended by itself
        shown.get_by_role("button", name="Stop").click(timeout=5_000)
    page.wait_for_state("stopped", "finished")
    page.troubles.clear()  # if it had, the browser has logged the refusal
    shown.get_by_role("button", name="Delete").click()
    shown.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    shown.get_by_role("button", name="Delete").click()
    shown.get_by_role("dialog").get_by_role("button", name="Delete").click()
    shown.wait_for_url(fresh.at("/"))
    page.see("#none", "No crawl yet")
