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
        shown = page.open(locked, "/new")
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


def test_what_is_not_there_has_a_page(page: Watched, site: Served) -> None:
    for path in ("/crawls/nobody", "/nowhere", "/crawls/nobody/pages/x"):
        shown = page.open(site, path)
        assert shown.locator("main .problem h1").count() == 1
        assert shown.get_by_role("link", name="All crawls", exact=True).is_visible()
        assert "{" not in shown.locator("main").inner_text()
    page.troubles.clear()  # the browser logs the statuses
