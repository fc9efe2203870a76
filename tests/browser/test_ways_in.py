"""The token, and addresses that lead nowhere: each has a page, and no raw JSON."""

from __future__ import annotations

from pathlib import Path

from tests.browser.chromium import WIDTHS, overflow
from tests.browser.served import Served
from tests.browser.steps import Watched

TOKEN = "a token that is long enough"


def test_only_who_knows_the_token_comes_in(page: Watched, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(TOKEN)
    with Served(tmp_path / "crawls", "--token-file", str(file)) as locked:
        shown = page.page
        shown.goto(locked.at("/new"))
        shown.wait_for_url("**/login")
        for width in WIDTHS:
            shown.set_viewport_size({"width": width, "height": 900})
            assert overflow(shown) <= 0
        shown.get_by_label("Token").fill("not this one, at any rate")
        shown.get_by_role("button", name="Log in").click()
        page.see("#trouble", "not the token")
        page.troubles.clear()  # the browser logs the refusal too
        shown.get_by_label("Token").fill(TOKEN)
        shown.get_by_role("button", name="Log in").click()
        shown.wait_for_url(locked.at("/"))
        page.see("h1", "Crawls")


def test_the_link_that_is_printed_leads_in_and_leaves_no_token_behind(page: Watched, tmp_path: Path) -> None:
    asked: list[str] = []
    page.page.on("request", lambda request: asked.extend([request.url, request.headers.get("referer", "")]))
    with Served(tmp_path) as fresh:
        token = fresh.link.partition("token=")[2]
        shown = page.page
        shown.goto(fresh.link)
        page.see("#none", "No crawl yet")
        assert shown.url == fresh.at("/")
        shown.get_by_role("link", name="Make a crawl").click()
        shown.wait_for_url("**/new")
        shown.go_back()
        page.see("#none", "No crawl yet")
        assert shown.url == fresh.at("/")
        assert [url for url in asked if token in url] == [fresh.link]
        assert shown.evaluate("document.cookie + JSON.stringify(localStorage)").find(token) < 0


def test_a_link_of_another_server_says_so(page: Watched, tmp_path: Path) -> None:
    with Served(tmp_path) as fresh:
        shown = page.page
        shown.goto(fresh.at("/new?token=of-another-root"))
        page.see("#trouble", "not the one of this server")
        assert "of-another-root" not in shown.url
        shown.get_by_label("Token").fill(fresh.link.partition("token=")[2])
        shown.get_by_role("button", name="Log in").click()
        page.see("#none", "No crawl yet")


def test_who_follows_the_link_from_another_site_is_let_in(page: Watched, tmp_path: Path) -> None:
    """A strict cookie does not come along from there, but the page that is shown then goes on by itself."""
    with Served(tmp_path) as fresh:
        page.page.set_content(f'<a href="{fresh.link}">the site</a>')
        page.page.get_by_role("link").click()
        page.see("#none", "No crawl yet")
        assert page.page.url == fresh.at("/")


def test_what_is_not_there_has_a_page(page: Watched, site: Served) -> None:
    for path in ("/crawls/nobody", "/nowhere", "/crawls/nobody/pages/x"):
        shown = page.open(site, path)
        assert shown.locator("main .problem h1").count() == 1
        assert shown.get_by_role("link", name="All crawls", exact=True).is_visible()
        assert "{" not in shown.locator("main").inner_text()
    page.troubles.clear()  # the browser logs the statuses
