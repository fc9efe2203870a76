"""The page of entities as somebody uses it: facets, ranges, orders, all rows, the map, downloads; and "back"."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote_plus

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from sundog.entities.database import open_entities
from tests.browser.served import Served
from tests.browser.steps import Watched
from tests.entities.shop import shop

PATH = "/crawls/shop/results#entities/type=Product"
PIXEL = bytes.fromhex("47494638396101000100800000ffffff00000021f90401000000002c00000000010001000002024401003b")


@pytest.fixture(scope="module")
def shops(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    root = tmp_path_factory.mktemp("shops")
    with open_entities(shop(root / "shop", 600)):  # else the page goes on reading while it is used
        pass
    with Served(root) as served:
        yield served


CLICK_AT_ONCE = """(place, choices) => {  // so that the second one comes before the first one is drawn
  for (const each of choices) place.querySelector(`[data-does="${each}"]`).click();
}"""


def facet(shown: Page, name: str) -> Locator:
    return shown.get_by_role("region", name=name, exact=True)


def count_is(shown: Page, words: str) -> None:
    expect(shown.locator("#entity-count")).to_have_text(words)


def total_of(shown: Page) -> str:
    """Once the answers are there."""
    shown.locator("#entity-part:not([aria-busy])").wait_for()
    return shown.locator("#entity-count").text_content() or ""


def state(shown: Page) -> str:
    return unquote_plus(shown.url.partition("#")[2])


def test_filters_orders_columns_and_back(page: Watched, shops: Served, tmp_path: Path) -> None:
    shown = page.open(shops, PATH)
    count_is(shown, "600 entities")
    facet(shown, "color").get_by_role("checkbox", name="black, white").wait_for()
    facet(shown, "color").evaluate(CLICK_AT_ONCE, ["color it's green", "color black, white"])
    expect(shown.locator("#entity-filters")).to_contain_text("color in 'black, white', 'it''s green'")
    chosen = total_of(shown)
    assert re.fullmatch(r"\d+ of 600 entities", chosen)
    bars = facet(shown, "offers.price").locator("svg")
    bars.scroll_into_view_if_needed()
    box = bars.bounding_box()
    assert box is not None
    shown.mouse.move(box["x"] + 2, box["y"] + 20)
    shown.mouse.down()
    shown.mouse.move(box["x"] + box["width"] / 2, box["y"] + 20)
    shown.mouse.up()
    expect(shown.locator("#entity-filters .filter")).to_have_count(2)
    expect(shown.locator("#entity-count")).not_to_have_text(chosen)
    shown.get_by_role("button", name="offers.price", exact=True).click()
    shown.locator('th[aria-sort="descending"]').wait_for()
    shown.get_by_role("button", name="Columns").click()
    shown.get_by_role("button", name="None").click()
    for name in ("name", "offers.price", "color", "host"):
        shown.get_by_role("dialog").get_by_role("checkbox", name=name, exact=True).check()
    shown.get_by_role("button", name="Show these").click()
    expect(shown.locator("#entity-table th")).to_have_count(4)
    address, total = shown.url, total_of(shown)
    assert "sort=offers.price&descending=1" in state(shown)

    shown.locator(".menu summary").click()
    with shown.expect_download() as waiting:
        shown.locator('[data-take="csv"]').click()
    waiting.value.save_as(tmp_path / "seen.csv")
    rows = list(csv.DictReader((tmp_path / "seen.csv").read_text().splitlines(keepends=True)))
    assert total.startswith(f"{len(rows)} of")
    names = shown.locator("#entity-table tbody td:first-child").all_text_contents()
    assert names == [row["name"] for row in rows][: len(names)]

    for _ in range(2):
        shown.go_back()
    shown.locator('th[aria-sort="descending"]').wait_for(state="detached")
    shown.go_back()
    count_is(shown, chosen)
    page.open(shops, PATH)  # and a link that somebody was sent
    shown.goto(address)
    count_is(shown, total)
    expect(shown.locator("#entity-table th")).to_have_count(4)


def test_what_is_wrong_is_said_and_can_be_mended(page: Watched, shops: Served) -> None:
    shown = page.open(shops, PATH)
    count_is(shown, "600 entities")
    shown.get_by_text("Add a filter").click()
    shown.get_by_label("Filter in words").fill("price < cheap")
    page.troubles.clear()
    shown.get_by_label("Filter in words").press("Enter")
    page.see(
        "#entity-problem", "offers.price is a column of numbers, and 'cheap' is none: write offers.price < 20"
    )
    shown.get_by_role("button", name="Take away price < cheap").click()
    count_is(shown, "600 entities")
    shown.get_by_label("Column to filter").select_option("brand.name")
    shown.get_by_label("Comparison").select_option("is empty")
    shown.locator("#filter-by-column").get_by_role("button", name="Add").click()
    count_is(shown, "150 of 600 entities")
    assert all("400" in each for each in page.troubles)  # the browser tells of the answer
    page.troubles.clear()


def test_all_rows_are_there_and_few_are_drawn(page: Watched, shops: Served) -> None:
    shown = page.open(shops, f"{PATH}&rows=all&sort=page")
    rows = shown.locator("#entity-table tbody tr:not(.space)")
    rows.first.wait_for()
    shown.locator(".grid").evaluate("grid => grid.scrollTop = grid.scrollHeight")
    expect(shown.locator(".grid")).to_have_attribute("aria-label", re.compile("to 600 of 600"))
    expect(rows.last).to_contain_text("shop2.example")
    assert rows.count() < 80
    head, first = shown.locator("#entity-table th").first, shown.locator(".grid")
    assert abs((head.bounding_box() or {})["y"] - (first.bounding_box() or {})["y"]) < 3


def test_the_map_leads_to_an_entity_and_its_sources(page: Watched, shops: Served) -> None:
    shown = page.open(shops, f"{PATH}&view=map")
    page.see("#entity-map", "600 entities here, of 600")
    shown.locator(".spot.many").first.click()
    expect(shown.locator("#entity-map")).not_to_contain_text("600 entities here")
    shown.get_by_role("button", name="Only this area").click()
    expect(shown.locator("#entity-filters .filter")).to_have_count(2)
    shown.get_by_role("button", name="Merged").click()
    shown.locator(".merges tbody a").first.click()
    page.see("#source-list", "same URL")
    page.see("#entity-tree", "Kettle")
    shown.get_by_role("link", name="Product", exact=True).click()
    count_is(shown, "600 entities")


def test_images_are_loaded_after_somebody_chose_so(page: Watched, shops: Served) -> None:
    asked = []

    def picture(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(body=PIXEL, content_type="image/gif")

    shown = page.page
    shown.route(re.compile(r"https://shop\d\.example/"), picture)
    page.open(shops, f"{PATH}&images=1")
    page.see("#image-note", "This view has images")
    assert not asked
    shown.get_by_role("button", name="Load images").click()
    shown.get_by_role("dialog").get_by_role("button", name="Load images").click()
    shown.locator("img.thumbnail").first.wait_for()
    expect(shown.locator("img.thumbnail").first).to_have_js_property("naturalWidth", 1)
    assert asked


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_fits_a_phone(page: Watched, shops: Served, theme: str) -> None:
    shown = page.page
    shown.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    shown.set_viewport_size({"width": 390, "height": 800})
    for rest in ("", "&view=map", "&view=merged", "&where=color+%3D+red&rows=all"):
        page.open(shops, PATH + rest)
        shown.reload()
        shown.locator("#entity-part:not([aria-busy]) #entity-count:not(:empty)").wait_for()
        shown.locator("#facet-part summary").click()
        assert shown.evaluate("() => document.documentElement.scrollWidth") <= 390


def test_a_map_without_places_is_a_table_and_the_type_is_in_sight(
    page: Watched, site: Served, finished: str
) -> None:
    page.page.set_viewport_size({"width": 390, "height": 900})
    shown = page.open(site, f"/crawls/{finished}/results#entities/type=Organization&view=map")
    expect(shown.get_by_role("button", name="Table", exact=True)).to_have_attribute("aria-pressed", "true")
    assert "view=map" not in state(shown)
    expect(shown.locator("#type-list [aria-current]")).to_be_in_viewport()
