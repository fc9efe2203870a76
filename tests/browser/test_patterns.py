"""The paper's two crawlers, made in a browser: cities by questions, music taste by patterns."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ROOT, web_of
from tests.browser.served import Served
from tests.browser.steps import LONG, Watched

LIST = "http://wiki.example/wiki/List_of_cities_in_Germany"
CITY = "http://wiki.example/wiki/Ansbach"


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """With a wiki and a music site behind it."""
    with (
        web_of("examples.sites") as address,
        Served(tmp_path_factory.mktemp("sites"), "--connect-to", address) as served,
    ):
        yield served


def test_cities_of_a_state_in_guided_mode(page: Watched, sites: Served, tmp_path: Path) -> None:
    shown = page.open(sites, "/new")
    shown.get_by_label("Seed addresses").fill(LIST)
    shown.get_by_text("Fields of pages").click()
    shown.get_by_label("A page of the kind you want").fill(CITY)
    shown.get_by_role("button", name="Find its fields").click()
    shown.get_by_label("Only pages where State is Bavaria").check(timeout=LONG)
    for label in ("Elevation", "Population"):
        shown.get_by_label(f"Take {label}").check()
    shown.get_by_label("Order of the result").select_option(label="population, the greatest first")
    shown.get_by_label("Seconds between requests").fill("0")
    shown.get_by_role("button", name="Look").click()
    expect(shown.locator("#preview .yield").first).to_contain_text("Ansbach", timeout=LONG)
    shown.get_by_role("button", name="Begin the crawl").click()
    shown.wait_for_url("**/crawls/*", timeout=LONG)
    page.wait_for_state("finished")
    shown.get_by_role("link", name="Results").click()
    first = shown.locator("#result-shown tbody tr").first
    expect(first).to_contain_text("1356594", timeout=LONG)
    with shown.expect_download() as waiting:
        shown.locator("#result-download").click()
    waiting.value.save_as(tmp_path / "cities.csv")
    cities = list(csv.DictReader((tmp_path / "cities.csv").read_text(encoding="utf-8").splitlines()))
    sizes = [int(city["population"]) for city in cities if city["population"]]
    assert cities[0]["name"] == "Munich"
    assert {city["state"] for city in cities} == {"Bavaria"}
    assert len(sizes) > 10
    assert sizes == sorted(sizes, reverse=True)
    shown.get_by_role("link", name="Graph").click()
    page.see("#graph", "thing")


def test_music_taste_in_expert_mode(page: Watched, sites: Served, tmp_path: Path) -> None:
    shown = page.open(sites, "/new/expert")
    shown.locator("#spec-file").set_input_files(ROOT / "examples" / "patterns" / "taste.toml")
    expect(shown.get_by_role("tab", name="Link 5")).to_be_visible()
    expect(shown.get_by_label("Title")).to_have_value("Music taste of a user and friends")
    spec = shown.get_by_role("textbox", name="Spec")
    spec.fill(f"{spec.input_value()}delay = 0\n")
    data = shown.get_by_role("textbox", name="Data patterns")
    sound = data.input_value()
    data.fill(sound.replace("//div[@class = 'profile']", "//div[@class = "))
    shown.get_by_role("button", name="Check").click()
    expect(shown.locator("#trouble")).to_contain_text("data pattern, line 3", timeout=LONG)
    data.fill(sound)
    shown.get_by_role("button", name="Try").click()
    expect(shown.locator("#preview .yield").first).to_contain_text("annabird", timeout=LONG)
    shown.get_by_role("button", name="Begin the crawl").click()
    shown.wait_for_url("**/crawls/*", timeout=LONG)
    page.wait_for_state("finished")
    shown.get_by_role("link", name="Results").click()
    expect(shown.locator("#result-shown tbody tr").first).to_contain_text("annabird", timeout=LONG)
    with shown.expect_download() as waiting:
        shown.locator("#result-download").click()
    waiting.value.save_as(tmp_path / "taste.xml")
    artists = ElementTree.parse(tmp_path / "taste.xml").getroot()
    fans = {artist.findtext("name"): int(artist.get("fans", 0)) for artist in artists}
    assert max(fans.values()) == fans["Amber Signal"] > 1
    page.see("#result-shown .pager", f"1 to 50 of {len(fans)}")
    shown.locator("#result-shown").get_by_role("button", name="fans").click()
    page.see("#result-shown tbody tr", str(min(fans.values())))  # the first row
    shown.locator("#item-search").fill("Amber Signal")
    shown.wait_for_url("**search=Amber+Signal&result-sort=fans")
    shown.reload()
    page.see("#result-shown th[aria-sort=ascending]", "fans")
    expect(shown.locator("#item-search")).to_have_value("Amber Signal")


def test_a_ready_spec_is_adapted(page: Watched, sites: Served) -> None:
    shown = page.open(sites, "/new")
    shown.get_by_label("Seed addresses").fill(LIST)
    shown.get_by_text("Fields of pages").click()
    shown.get_by_text("Or adapt a ready spec").click()
    shown.get_by_role("button", name="Facts from info-boxes").click()
    shown.wait_for_url("**/new/expert")
    expect(shown.get_by_role("tab", name="Data 1")).to_be_visible()
    assert LIST in shown.get_by_role("textbox", name="Spec").input_value()
    assert "infobox" in shown.get_by_role("textbox", name="Data patterns").input_value()
