"""A crawl that runs, as its owner meets it: budget, title of the tab, notices, log, code; and the way out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.served import Served
from tests.browser.steps import LONG, Watched
from tests.browser.test_flows import SPEC, Shop

BEGINS = """async (spec) => {
  const csrf = document.querySelector("meta[name=csrf]").content;
  const headers = { "Content-Type": "application/json", "X-CSRF-Token": csrf };
  const body = JSON.stringify({ spec, title: "Tea" });
  return (await (await fetch("/api/crawls", { method: "POST", body, headers })).json()).id;
}"""
NOTES = """window.told = [];
  window.Notification = class { static permission = "default"; static asked = 0;
    static async requestPermission() { this.asked += 1; return (this.permission = "granted"); }
    constructor(title, { body }) { window.told.push([title, body]); } };"""


@pytest.fixture(scope="module")
def shop() -> Iterator[Shop]:
    with Shop() as web:
        yield web
        web.is_shut = False


@pytest.fixture(scope="module")
def slow(shop: Shop, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("runs"), "--connect-to", shop.connect_to) as served:
        yield served


def test_a_running_crawl(page: Watched, slow: Served, shop: Shop) -> None:
    """Its items wait at the door until the budget is changed, so that it is met on its way."""
    page.page.add_init_script(NOTES)
    shown = page.open(slow, "/")
    shop.is_shut = True
    name = shown.evaluate(BEGINS, SPEC)
    shown.goto(slow.at(f"/crawls/{name}"))
    page.wait_for_state("running")
    expect(shown).to_have_title(re.compile(r"^\d+% · \d+ found · Tea · Sundog$"))

    assert shown.evaluate("Notification.asked") == 0, "nobody is asked before a click"
    shown.get_by_role("button", name="Notify me").click()
    expect(shown.get_by_role("button", name="Notifies you")).to_be_visible()

    shown.get_by_role("button", name="Budget Tea").click()
    shown.get_by_label("Pages in all").fill("20")
    shown.get_by_role("button", name="Change").click()
    page.see("#budget-words", "of 20 pages")
    shop.is_shut = False
    page.wait_for_state("finished")
    expect(shown).to_have_title("Tea · Sundog")
    shown.wait_for_function("window.told.length === 1")
    ((title, body),) = shown.evaluate("window.told")
    assert title == "Tea: finished"
    assert body.endswith("of 20 pages · budget spent")

    shown.get_by_role("link", name="Log").click()
    page.see("#output", "stopped: budget")
    with shown.expect_download() as download:
        shown.locator("#output-file").click()
    assert "stopped: budget" in Path(download.value.path()).read_text()

    shown.context.grant_permissions(["clipboard-read", "clipboard-write"])
    shown.get_by_role("button", name="As code").click()
    for kind in ("Spec", "curl, begin", "curl, read", "Python", "Command"):
        shown.get_by_role("button", name=kind, exact=True).click()
        assert shown.locator("#code").text_content()
    shown.locator("dialog").get_by_role("button", name="Copy", exact=True).click()
    expect(shown.get_by_role("button", name="Copied")).to_be_visible()
    assert "sundog crawl" in shown.evaluate("navigator.clipboard.readText()")


def test_from_expert_to_guided_mode_and_on(page: Watched, slow: Served) -> None:
    shown = page.open(slow, "/new/expert")
    shown.get_by_label("Spec", exact=True).fill(
        'seeds = ["http://a.example/"]\nbudget = 33\nwarc = true\npolicy = "bfs"\n'
    )
    shown.get_by_label("Data patterns").fill('[[patterns.data]]\nname = "tea"\nfind = "//h1"\n')
    shown.get_by_role("tab", name="Stop").click()
    shown.get_by_label("Stop patterns").fill('[[patterns.stop]]\nname = "enough"\nitems = 4\n')
    shown.get_by_role("button", name="Go on in guided mode").click()
    page.see("dialog", "has no questions for policy.")
    shown.get_by_role("button", name="Leave it out").click()
    shown.wait_for_url("**/new")
    expect(shown.get_by_label("Seed addresses")).to_have_value("http://a.example/")
    expect(shown.get_by_label("Pages at most")).to_have_value("33")
    expect(shown.get_by_label("Items that are enough")).to_have_value("4")
    expect(shown.get_by_label("Keep the pages themselves")).to_be_checked()
    page.see("#kept-patterns", "used as they are (1 data)")
    shown.get_by_role("button", name="Go on in expert mode").click()
    shown.wait_for_url("**/new/expert")
    expect(shown.get_by_label("Data patterns")).to_have_value(re.compile('name = "tea"'))
    expect(shown.get_by_label("Spec", exact=True)).to_have_value(re.compile("budget = 33"))


def test_logging_out(page: Watched, slow: Served) -> None:
    shown = page.open(slow, "/")
    cookies = shown.context.cookies()
    shown.get_by_role("button", name="Log out").click()
    shown.wait_for_url("**/login", timeout=LONG)
    shown.context.add_cookies(cookies)  # somebody has kept them
    shown.goto(slow.at("/"))
    assert shown.url.endswith("/login")
