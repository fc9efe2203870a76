"""Every page, wide and narrow: it fits, its fields have names, and it can be used by keyboard."""

from __future__ import annotations

import pytest

from tests.browser.chromium import WIDTHS, overflow
from tests.browser.served import Served
from tests.browser.steps import LONG, Watched

PAGES = {
    "/": "#rows tr, #none:not([hidden])",
    "/new": "#form",
    "/new/expert": "#policy:has(option)",
    "/api-guide": ".operation",
    "/crawls/{id}": "#stream li",
    "/crawls/{id}/graph": "#graph a",
    "/crawls/{id}/results": "#entity-table table",
    "/crawls/{id}/results#pages": "#page-table table",
    "/crawls/{id}/results#sparql": "#query textarea",
    "/crawls/{id}/results#downloads": "[data-format]",
    "/crawls/{id}/log": "#output:not([hidden])",
    "/crawls/{id}/pages/1": "#links a",
}
NAMELESS = """() => [...document.querySelectorAll("input, select, textarea, button, a")]
  .filter((each) => each.checkVisibility() && each.type !== "hidden")
  .filter((each) => !(each.labels?.length || each.getAttribute("aria-label") || each.textContent.trim()))
  .map((each) => each.outerHTML)"""
UNSAFE = """() => [...document.querySelectorAll('a[href^="http"]')]
  .filter((each) => each.origin !== location.origin)
  .filter((each) => !["noopener", "nofollow"].every((word) => each.relList.contains(word)))
  .map((each) => each.outerHTML)"""


@pytest.mark.parametrize("path", PAGES)
def test_page(page: Watched, site: Served, finished: str, path: str) -> None:
    shown = page.open(site, path.format(id=finished))
    shown.wait_for_selector(PAGES[path], timeout=LONG)
    for width in WIDTHS:
        shown.set_viewport_size({"width": width, "height": 900})
        assert overflow(shown) <= 0, width
    assert shown.evaluate(NAMELESS) == []
    assert shown.evaluate(UNSAFE) == []
    assert shown.locator("h1").count() == 1
    assert "Sundog" in shown.title()


def test_tab_reaches_the_content(page: Watched, site: Served, finished: str) -> None:
    shown = page.open(site, "/")
    shown.wait_for_selector("#rows tr")
    seen = set()
    for _ in range(12):
        shown.keyboard.press("Tab")
        seen.add(shown.evaluate("document.activeElement.textContent.trim()"))
    assert {"To the content", "New crawl", "Copy", "Delete"} <= seen
