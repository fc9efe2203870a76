"""Crawled text is only ever text, whatever it looks like."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.browser.served import Served
from tests.browser.steps import Watched
from tests.engines.live.webs import HOME, SmallWeb

SCRIPT = "<script>window.hacked = 1</script>"
IMAGE = "\"'><img src=x onerror='window.hacked = 1'>"
QUOTED = f"{HOME}item/%22onmouseover=%22alert(1)%22'x'?a=%3Cb%3E&b='"
ITEM = {
    "@context": "https://schema.org",
    "@type": ["Product", "https://evil.example/\"'><svg onload=window.hacked=1>"],
    "name": SCRIPT,
    "description": IMAGE,
    "url": "javascript:window.hacked=1",
    "{{7*7}}": "{{7*7}}",
}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    data = json.dumps(ITEM).replace("</", "<\\/")
    with SmallWeb() as web:
        page = f'<!doctype html><title>{SCRIPT}</title><script type="application/ld+json">{data}</script>'
        link = QUOTED.replace("&", "&amp;")
        web.reply(HOME, f'{page}<a href="{link}">{IMAGE.replace("<", "&lt;")}</a>')
        web.reply(QUOTED, page + "second")
        with Served(tmp_path_factory.mktemp("hostile"), "--connect-to", web.connect_to) as served:
            yield served


def test_nothing_of_it_runs(page: Watched, hostile: Served) -> None:
    shown = page.open(hostile, "/new/expert")
    shown.get_by_label("Title").fill(SCRIPT)
    shown.get_by_label("Your name").fill(IMAGE)
    shown.get_by_role("textbox", name="Spec").fill(f'seeds = ["{HOME}"]\nbudget = 2\ndelay = 0\n')
    shown.get_by_role("button", name="Try").click()
    page.see("#preview", SCRIPT)
    shown.get_by_role("button", name="Begin the crawl").click()
    shown.wait_for_url("**/crawls/*")
    page.wait_for_state("finished")
    crawl = shown.url.rpartition("/")[2]
    page.see("#crawl-name", SCRIPT)
    page.see("#stream", "onmouseover")
    shown.locator("#stream a.cut").first.click()
    page.see("dialog", "When it was chosen")
    page.open(hostile, "/")
    page.see("#rows", IMAGE)
    page.open(hostile, f"/crawls/{crawl}/results")
    page.see("#entity-table tbody", SCRIPT)
    page.open(hostile, f"/crawls/{crawl}/graph")
    page.see("#graph", "onmouseover")
    page.open(hostile, f"/crawls/{crawl}/pages/0")
    page.see("#statements", IMAGE)
    assert shown.locator('a[href^="javascript:"]').count() == 0
    assert shown.locator("main script, main img, main [onerror], main [onmouseover]").count() == 0
    assert shown.evaluate("window.hacked") is None
