"""What is counted leads to what was counted; what is shown is in the address, so back and sharing work."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.served import Served
from tests.browser.steps import Watched

# Modules of a page are loaded once: these are the same functions that the page uses.
NEW_PAGE = """async (page) => {
  const { addPages } = await import("/static/js/watch/stream.js");
  const link = document.querySelector("#stream li:nth-child(3) a");
  link.focus();
  addPages([{ ...page, page: 10 ** 6, at: Date.now() / 1000 }]);
  return document.activeElement === link && document.querySelectorAll("#stream li")[3].contains(link);
}"""
SHOW_FOUND = """async (found) => (await import("/static/js/watch/found.js")).showFound(found)"""
FOUND = {
    "types": [{"name": "x:T", "short": "x:T", "count": 2}],
    "properties": [{"name": "x:p", "short": "x:p", "count": 3}],
    "troubles": [{"name": "dns", "short": "the host has no address", "count": 1}],
}
CLOCK = """async (moment) => (await import("/static/js/format.js")).clock(moment, moment + 86_400)"""
COLOUR = "each => getComputedStyle(each).backgroundColor"
TAIL_IS_SEEN = """() => [...document.querySelectorAll("#page-table .address")].every((each) => {
  const [all, tail] = [each.getBoundingClientRect(), each.lastElementChild.getBoundingClientRect()];
  return tail.width > 0 && tail.right <= all.right + 1 && tail.right <= innerWidth;
})"""


def test_counts_of_a_crawl_open_lists(page: Watched, site: Served, finished: str) -> None:
    shown = page.open(site, f"/crawls/{finished}")
    row = shown.locator("#hosts tr").first
    host = row.locator("a").first.inner_text()
    (relevant,) = re.findall(r"(\d+) relevant", row.inner_text())
    row.get_by_role("link", name="relevant").click()
    page.see("#page-count", f"{relevant} page")
    page.see("#page-filters", host)
    shown.get_by_role("button", name=f"Without: of {host}").click()
    expect(shown.locator("#page-filters")).to_be_empty()
    expect(shown.locator("#page-count")).not_to_have_text(re.compile(f"^{relevant} page"))
    shown.go_back()
    page.see("#page-count", f"{relevant} page")
    shown.locator("#page-table").get_by_role("button", name="Address").click()
    shown.wait_for_url("**sort=url**")
    first = shown.locator("#page-table tbody a").first
    shared = shown.url
    expect(shown.locator("th[aria-sort=ascending]")).to_contain_text("Address")
    address = first.get_attribute("title")
    shown.goto("about:blank")
    shown.goto(shared)
    expect(first).to_have_attribute("title", address or "")
    shown.set_viewport_size({"width": 390, "height": 800})
    assert shown.evaluate(TAIL_IS_SEEN)


def test_types_and_the_curve_open_lists(page: Watched, site: Served, finished: str) -> None:
    shown = page.open(site, f"/crawls/{finished}")
    recipes = shown.locator("#found .counted").filter(has_text="schema:Recipe")
    (number,) = re.findall(r"(\d+) pages", recipes.inner_text())
    recipes.get_by_role("link", name="schema:Recipe").click()
    page.see("#page-count", f"{number} pages")
    page.see("#page-filters", "Things of this type")
    shown.go_back()
    curve = shown.get_by_role("slider")
    words = shown.locator("#harvest .hint")
    expect(words).to_contain_text("relevant")  # it is drawn
    curve.focus()
    curve.press("ArrowLeft")
    curve.press("ArrowLeft")
    expect(words).to_contain_text("click to list them")
    (begin, end, relevant) = re.findall(r"pages (\d+) to (\d+), (\d+) relevant", words.inner_text())[0]
    curve.press("Enter")
    page.see("#page-count", f"{int(end) - int(begin) + 1} page")
    shown.locator("#page-kind").select_option("relevant")
    page.see("#page-count", f"{relevant} page")


def test_an_explanation_leads_to_data_and_graph_and_back(page: Watched, site: Served, finished: str) -> None:
    shown = page.open(site, f"/crawls/{finished}")
    shown.locator("#stream a.cut").first.click()
    page.see("dialog .parts", "Score")
    asked = shown.url
    shown.get_by_role("link", name="Its place in the graph").click()
    page.see("#graph-title", "Around a page")
    shown.get_by_role("link", name="Why this URL?").click()
    page.see("dialog .parts", "Score")
    shown.get_by_role("dialog").get_by_role("link", name="Its data").click()
    page.see("#facts", "Around this page")
    shown.go_back()
    page.see("dialog .parts", "Score")
    shown.get_by_role("button", name="Close").click()
    shown.wait_for_function("!location.hash")  # a dialog tells that it was closed a moment later
    shown.goto(asked)
    page.see("dialog .parts", "Score")


def test_the_list_of_crawls_is_in_the_address(page: Watched, site: Served, finished: str) -> None:
    shown = page.open(site, "/#crawls/search=no-such-crawl")
    page.see("#unmatched", "No crawl is like that")
    shown.locator("#search").fill(finished)
    expect(shown.locator("#rows tr")).to_have_count(1)
    assert shown.url.endswith(f"#crawls/search={finished}")


def test_the_live_list_keeps_the_focus(page: Watched, site: Served, finished: str) -> None:
    shown = page.open(site, f"/crawls/{finished}")
    shown.wait_for_selector("#stream li:nth-child(3)")
    outcome = {"url": "http://new.example/", "kind": "fetched", "types": [], "score": None, "depth": 0}
    assert shown.evaluate(NEW_PAGE, outcome)
    assert re.search(r"\d{4}", shown.evaluate(CLOCK, 1_700_000_000))  # of another day: with its date


def test_counts_say_what_they_count(page: Watched, site: Served, finished: str) -> None:
    shown = page.open(site, f"/crawls/{finished}")
    shown.wait_for_selector("#found .counted")  # the server has nothing more to say
    shown.evaluate(SHOW_FOUND, FOUND)
    page.see("#found", "2 pages")
    bad, plain = (shown.locator(f"{part} .bar i").first.evaluate(COLOUR) for part in ("#troubles", "#found"))
    assert bad != plain
    shown.get_by_role("button", name="Properties").click()
    page.see("#found", "3 statements")
    page.see("#figures", "Relevant pages")
