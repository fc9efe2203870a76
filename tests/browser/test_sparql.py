"""The SPARQL bench, as people use it: by keyboard, from a link, with queries that they ask again."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Page, expect

from tests.browser.chromium import WIDTHS, overflow
from tests.browser.served import Served
from tests.browser.steps import Watched

NAMES = "SELECT ?name {\n  ?thing a schema:Recipe ; schema:name ?name\n}\nORDER BY ?name LIMIT 3"


def bench(page: Watched, site: Served, crawl: str, query: str = "") -> Page:
    shown = page.open(site, f"/crawls/{crawl}/results#sparql" + (f"/{quote(query, safe='')}" if query else ""))
    shown.wait_for_selector("#completions", state="attached")
    return shown


def write(shown: Page, text: str) -> None:
    area = shown.get_by_role("textbox", name="Query")
    area.fill("")
    area.press_sequentially(text)


def test_colours_are_behind_the_text(page: Watched, site: Served, finished: str) -> None:
    shown = bench(page, site, finished)
    text = "# all\nSELECT ?x { ?x schema:name 'a # b', \"c\"@en ; ?p 1.5 , <http://a/#b> }"
    shown.get_by_role("textbox", name="Query").fill(text)
    spans = shown.locator(".colours span").evaluate_all(
        "all => all.map(each => [each.className, each.textContent])"
    )
    assert [kind for kind, _ in spans] == (
        "comment keyword variable variable name string string tag variable number iri".split()
    )
    assert shown.locator(".colours").text_content() == f"{text}\n"
    long = "SELECT * { ?s ?p ?o } # " + "x" * 500 + "\n" * 60
    shown.get_by_role("textbox", name="Query").fill(long)
    area = shown.get_by_role("textbox", name="Query")
    area.evaluate("each => each.scrollTo(300, 200)")
    expect(shown.locator(".colours")).to_have_attribute("style", re.compile("translate: -300px -200px"))


def test_completion_by_keyboard(page: Watched, site: Served, finished: str) -> None:
    shown = bench(page, site, finished)
    area, options = shown.get_by_role("textbox", name="Query"), shown.get_by_role("option")
    write(shown, "SELECT ?name { ?thing a Reci")
    expect(options.first).to_contain_text("schema:Recipe")
    expect(options.first).to_contain_text("type, ")
    area.press("ArrowDown")
    expect(area).to_have_attribute("aria-activedescendant", "completion-0")
    area.press("Enter")
    expect(area).to_have_value("SELECT ?name { ?thing a schema:Recipe")
    area.press_sequentially(" ; schema:na")
    expect(options.first).to_contain_text("schema:name")
    area.press("ArrowDown")
    area.press("Tab")
    area.press_sequentially(" ?n")
    expect(options).to_have_text(["?namevariable"])
    area.press("Escape")
    expect(options).to_have_count(0)
    area.press("Control+Space")
    area.press("Enter")
    area.press_sequentially(" }")
    expect(area).to_have_value("SELECT ?name { ?thing a schema:Recipe ; schema:name ?name }")
    area.press("Control+Enter")
    expect(shown.locator("#answer-words")).to_contain_text("rows")


def test_enter_and_tab_keep_their_meaning(page: Watched, site: Served, finished: str) -> None:
    """A list that opened by itself takes nothing over, until somebody goes into it."""
    shown = bench(page, site, finished)
    area = shown.get_by_role("textbox", name="Query")
    write(shown, "SEL")
    expect(shown.get_by_role("option")).to_have_text(["SELECTkeyword"])
    area.press("Enter")
    expect(area).to_have_value("SEL\n")
    area.press_sequentially("'nam")
    expect(shown.get_by_role("option")).to_have_count(0)
    area.press("Tab")
    expect(area).not_to_be_focused()


def test_the_address_is_the_query(page: Watched, site: Served, finished: str) -> None:
    shown = bench(page, site, finished, NAMES)
    expect(shown.get_by_role("textbox", name="Query")).to_have_value(NAMES)
    page.see("#answer-words", "3 rows")
    shown.get_by_role("button", name="Things by type").click()
    page.see("#answer th", "type")
    shown.go_back()
    expect(shown.get_by_role("textbox", name="Query")).to_have_value(NAMES)
    page.see("#answer th", "name")


def test_answers_are_taken_home(page: Watched, site: Served, finished: str) -> None:
    shown = bench(page, site, finished, NAMES)

    def file(name: str) -> str:
        with shown.expect_download() as waiting:
            shown.get_by_role("button", name=f"Download as {name}").click()
        return Path(waiting.value.path()).read_text()

    page.see("#answer-words", "3 rows")
    shownrows = shown.locator("#answer tbody td").all_text_contents()
    assert file("CSV").splitlines()[0] == "name"
    assert [row["name"]["value"] for row in json.loads(file("JSON"))["results"]["bindings"]] == shownrows
    shown.get_by_role("button", name="A graph").click()
    page.see("#answer pre", "@prefix schema: <http://schema.org/> .")
    assert file("Turtle") == shown.locator("#answer pre").text_content()
    assert file("N-Triples").startswith(("<", "_:"))
    shown.get_by_role("textbox", name="Query").fill("ASK { ?x a schema:Nothing }")
    shown.get_by_role("button", name="Ask", exact=True).click()
    page.see("#answer", "No.")


def test_queries_are_saved_and_remembered(page: Watched, site: Served, finished: str) -> None:
    shown = bench(page, site, finished, NAMES)
    page.see("#answer-words", "3 rows")
    shown.get_by_label("Save as").fill("Three names")
    shown.get_by_role("button", name="Save", exact=True).click()
    expect(shown.locator("#saved li")).to_have_count(1)
    shown.get_by_role("button", name="Things by type").click()
    page.see("#answer th", "type")
    shown.reload()
    shown.get_by_text("Asked before").click()
    expect(shown.locator("#history li").first).to_contain_text("SELECT ?type")
    shown.get_by_text("Saved", exact=False).first.click()
    shown.get_by_role("button", name="Three names", exact=True).click()
    expect(shown.get_by_role("textbox", name="Query")).to_have_value(NAMES)
    shown.get_by_role("button", name="Delete Three names").click()
    expect(shown.locator("#saved")).to_contain_text("None yet")


def test_completions_fit_narrow_windows(page: Watched, site: Served, finished: str) -> None:
    shown = bench(page, site, finished)
    shown.set_viewport_size({"width": min(WIDTHS), "height": 800})
    write(shown, "SELECT ?a_long_name_of_a_variable ?another { schema:na")
    expect(shown.get_by_role("option").first).to_be_visible()
    assert overflow(shown) <= 0
    box = shown.locator("#completions").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= min(WIDTHS)
