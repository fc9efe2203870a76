"""What strangers' names and narrow windows have broken: in a real browser."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.browser.served import Served
from tests.browser.steps import Watched
from tests.engines.live.webs import HOME, SmallWeb

NAMES = ("constructor", "toString", "__proto__")


@pytest.fixture(scope="module")
def awkward(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Things with properties that every object of JavaScript has, and things without them."""
    with SmallWeb() as web:
        things = [{"@context": "https://schema.org/", "@type": "Product", "name": "plain"}]
        things += [{**things[0], "name": f"with {name}", name: "mine"} for name in NAMES]
        script = f'<script type="application/ld+json">{json.dumps(things)}</script>'
        web.reply(HOME, f'<!doctype html><title>x</title>{script}<a href="/gone">gone</a>')
        with Served(tmp_path_factory.mktemp("awkward"), "--connect-to", web.connect_to) as served:
            yield served


def test_the_way_through_the_site(page: Watched, awkward: Served) -> None:
    shown = page.open(awkward, "/new")
    shown.set_viewport_size({"width": 390, "height": 800})
    preview, begin = shown.locator(".preview").bounding_box(), shown.locator("#begin").bounding_box()
    assert preview is not None
    assert begin is not None
    assert preview["y"] < begin["y"]
    shown.get_by_label("Seed addresses").fill(HOME)
    shown.locator("#example").fill("a.example/")
    shown.get_by_label("Seconds between requests").fill("0")
    shown.get_by_role("button", name="Begin the crawl").click()
    shown.wait_for_url("**/crawls/*")
    page.wait_for_state("finished")
    crawl = shown.url.rpartition("/")[2]
    shown.locator("#why-url").fill("a.example/gone")
    shown.get_by_role("button", name="Explain").click()
    page.see("dialog", "HTTP 404")
    page.open(awkward, f"/crawls/{crawl}/graph?page=0")
    shown.get_by_role("link", name="Why this URL?").click()
    page.see("dialog .parts", "Score")
    assert shown.locator("dialog .parts").evaluate("each => getComputedStyle(each).display") == "grid"
    page.open(awkward, f"/crawls/{crawl}/results#entities")
    page.see("#entity-table tbody", "plain")
