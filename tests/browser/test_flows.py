"""From a wish to a file: a crawl made by questions and one made by a spec, watched to their ends."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import SEEDS
from tests.browser.served import Served
from tests.browser.steps import LONG, Watched
from tests.engines.live.webs import HOME, SmallWeb
from tests.fetch.server import Client

SPEC = f"""seeds = ["{HOME}"]
objective = "type:schema:Product"
budget = 60
delay = 0
concurrency = 1
[limits]
first_byte = 300  # the shop's door may be shut
total = 300
"""


class Shop(SmallWeb):
    """Its door can be shut: whoever asks for an item then waits, so a crawl can be met on its way for certain."""

    def __init__(self) -> None:
        super().__init__()
        self.is_shut = False
        items = [f"{HOME}item/{number}" for number in range(200)]
        self.page(HOME, *items)
        for url in items:
            self.product(url, delay=0.02)

    async def _answer(self, client: Client) -> object:
        while self.is_shut and "/item/" in client.asked.target:
            await asyncio.sleep(0.05)
        return await super()._answer(client)


@pytest.fixture(scope="module")
def shop() -> Iterator[Shop]:
    with Shop() as web:
        yield web
        web.is_shut = False


@pytest.fixture(scope="module")
def slow(shop: Shop, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("slow"), "--connect-to", shop.connect_to) as served:
        yield served


def write_spec(shown: Page, text: str) -> None:
    shown.get_by_role("textbox", name="Spec").fill(text)


def begin_by_spec(page: Watched, site: Served, text: str, title: str) -> Page:
    shown = page.open(site, "/new/expert")
    shown.get_by_label("Title").fill(title)
    shown.get_by_label("Your name").fill("Ada")
    write_spec(shown, text)
    shown.get_by_role("button", name="Begin the crawl").click()
    shown.wait_for_url("**/crawls/*")
    return shown


def fetched(shown: Page) -> int:
    words = shown.locator("#budget-words").text_content() or "0"
    return int(words.partition(" ")[0].replace(",", ""))


def test_results_are_read_and_downloaded(page: Watched, site: Served, finished: str, tmp_path: Path) -> None:
    shown = page.open(site, f"/crawls/{finished}")
    page.see("#harvest", "After 120 pages")
    shown.get_by_role("link", name="Results").click()
    shown.locator("#entity-table tbody tr").first.wait_for()
    shown.locator("#type-list button").filter(has_text="Recipe").first.click()
    page.see("#type-name", "Recipe")
    shown.get_by_role("button", name="name", exact=True).click()
    shown.locator('th[aria-sort="ascending"]').wait_for()
    names = [each for each in shown.locator("#entity-table tbody tr td:first-child").all_text_contents() if each]
    assert names == sorted(names)
    total = shown.locator("#entity-count").text_content() or ""
    shown.get_by_label("Search all values").fill(names[-1])
    expect(shown.locator("#entity-count")).not_to_have_text(total)
    expect(shown.locator("#entity-table tbody")).to_contain_text(names[-1])
    shown.get_by_role("tab", name="Downloads").click()
    with shown.expect_download() as waiting:
        shown.locator('[data-format="jsonl"]').click()
    waiting.value.save_as(tmp_path / "export.jsonl")
    entities = [json.loads(line)["entity"] for line in (tmp_path / "export.jsonl").read_text().splitlines()]
    assert any(names[-1] in str(entity) for entity in entities)
    with shown.expect_download() as waiting:
        shown.locator('[data-format="csv"]').click()
    waiting.value.save_as(tmp_path / "export.zip")
    assert "pages.csv" in " ".join(zipfile.ZipFile(tmp_path / "export.zip").namelist())


def test_only_what_there_can_be_is_offered(page: Watched, site: Served, finished: str) -> None:
    shown = page.open(site, f"/crawls/{finished}/results#downloads")
    shown.locator('[data-format="nquads"]').wait_for(state="visible")
    for name in ("warc", "answers", "items", "result"):
        assert not shown.locator(f'[data-format="{name}"]').is_visible()


def test_questions_in_sparql(page: Watched, site: Served, finished: str) -> None:
    shown = page.open(site, f"/crawls/{finished}/results#sparql")
    shown.get_by_role("button", name="Things by type").click()
    page.see("#answer", "Recipe")
    with shown.expect_download() as waiting:
        shown.get_by_role("button", name="Download as CSV").click()
    assert Path(waiting.value.path()).read_text().startswith("type,number")
    shown.get_by_role("textbox", name="Query").fill("SELECT ?x {\n  ?x schema:name\n}")
    shown.get_by_role("button", name="Ask").click()
    page.see("#answer .note.bad", "")
    page.troubles.clear()


def test_a_preview_before_anything_starts(page: Watched, site: Served) -> None:
    shown = page.open(site, "/new")
    shown.get_by_label("Seed addresses").fill(SEEDS)
    shown.get_by_text("A keyword").click()
    shown.get_by_label("Words or phrases").fill("lumen, nowhere to be found")
    shown.get_by_role("button", name="Look").click()
    page.see("#preview", "This page is what you want")
    shown.get_by_role("button", name="Go on in expert mode").click()
    shown.wait_for_url("**/new/expert")
    expect(shown.get_by_role("textbox", name="Spec")).to_have_value(
        re.compile("objective = .*nowhere to be found")
    )


def test_what_was_filled_in_outlasts_a_reload(page: Watched, site: Served) -> None:
    shown = page.open(site, "/new")
    shown.get_by_label("Seed addresses").fill("lumen")
    shown.get_by_role("button", name="Begin the crawl").click()
    page.see("#trouble", "“lumen” is no address")
    shown.get_by_label("Seed addresses").fill(SEEDS)
    shown.get_by_text("A keyword").click()
    shown.get_by_label("Words or phrases").fill("lumen")
    shown.reload()
    expect(shown.get_by_label("Seed addresses")).to_have_value(SEEDS)
    expect(shown.get_by_label("Words or phrases")).to_have_value("lumen")


def test_mistakes_are_shown_where_they_are(page: Watched, slow: Served) -> None:
    shown = page.open(slow, "/new/expert")
    write_spec(shown, f'seeds = ["{HOME}"]\nbudgte = 5\n')
    shown.get_by_role("button", name="Check").click()
    page.see("#trouble", "line 2")
    page.see("#trouble", "budget")
    expect(shown.locator("#spec .lines .wrong")).to_have_text("2")
    write_spec(shown, f'seeds = ["{HOME}"]\nbudget = 5\n')
    shown.get_by_label("What is fetched first").select_option("bfs")
    assert 'policy = "bfs"' in shown.get_by_role("textbox", name="Spec").input_value()
    shown.get_by_role("button", name="Check").click()
    page.see("#checked", "It can begin")


def test_pause_resume_and_a_killed_server(page: Watched, slow: Served, shop: Shop) -> None:
    shop.is_shut = True
    shown = begin_by_spec(page, slow, SPEC, "Products")
    page.wait_for_state("running")
    shown.get_by_role("button", name="Pause").click()
    page.wait_for_state("pausing")  # what is in flight is waited for
    shop.is_shut = False
    page.wait_for_state("paused")
    held = fetched(shown)
    assert held < 60
    shop.is_shut = True
    shown.get_by_role("button", name="Resume").click()
    page.wait_for_state("running")
    slow.end(signal.SIGKILL)
    page.see("#crawl-link", "connection lost")
    slow.start()
    shop.is_shut = False
    page.wait_for_state("finished")  # the page that was open goes on by itself
    assert fetched(shown) == 60 > held
    urls = shown.locator("#stream a.cut").all_text_contents()
    assert len(urls) == len(set(urls)) == 60
    shown.goto(slow.at("/"))
    shown.get_by_role("link", name="Products").click()
    page.wait_for_state("finished")
    expect(shown.locator("#stream a.cut")).to_have_count(60)  # also for one who has seen none of them before
    page.see("#hosts", "a.example")
    page.see("#asked", "type:schema:Product")


@pytest.fixture(scope="module")
def few(slow: Served, browser: Browser) -> Iterator[str]:
    """A crawl of a few pages, made by its spec."""
    opened = browser.new_page()
    watched = Watched(opened)
    begin_by_spec(watched, slow, SPEC.replace("60", "8"), "Few")
    watched.wait_for_state("finished")
    yield opened.url.rpartition("/")[2]
    opened.close()


def test_why_this_url(page: Watched, slow: Served, few: str) -> None:
    shown = page.open(slow, f"/crawls/{few}")
    shown.locator("#stream a.cut").first.click()
    expect(shown.get_by_role("dialog")).to_contain_text("When it was chosen", timeout=LONG)
    shown.get_by_role("button", name="Close").click()
    shown.get_by_label("Any address, fetched or not").fill(f"{HOME}item/199")
    shown.get_by_role("button", name="Explain").click()
    expect(shown.get_by_role("dialog")).to_contain_text("waiting", timeout=LONG)


def test_a_copy_is_changed_and_begun(page: Watched, slow: Served, few: str) -> None:
    shown = page.open(slow, "/")
    shown.locator("tr").filter(has=shown.locator(f'a[href="/crawls/{few}"]')).get_by_role(
        "link", name="Copy"
    ).click()
    expect(shown.get_by_label("Title")).to_have_value("Few")
    expect(shown.get_by_label("Your name")).to_have_value("Ada")
    shown.get_by_label("Title").fill("A copy")
    shown.get_by_role("button", name="Begin the crawl").click()
    shown.wait_for_url("**/crawls/a-copy")
    page.wait_for_state("starting", "running", "finished")
    page.see("#crawl-name", "A copy")
