"""What people do on the pages, in their words."""

from __future__ import annotations

from playwright.sync_api import ConsoleMessage, Page, expect

from tests.browser.served import Served

LONG = 120_000  # milliseconds: the first crawl on a machine compiles kernels, and machines are busy
expect.set_options(timeout=LONG)
EXPECTED = "net::ERR_"  # a server that was killed


class Watched:
    """A page of the browser, and what went wrong on it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.troubles: list[str] = []
        page.set_default_timeout(LONG)
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("console", self._on_console)

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error" and EXPECTED not in message.text:
            self.troubles.append(message.text)

    def open(self, site: Served, path: str) -> Page:
        self.page.goto(site.entry(path))
        return self.page

    def begin_guided(self, site: Served, seeds: str, type_name: str, *, budget: int) -> str:
        """Answers the four questions, watches the crawl to its end, and gives its id."""
        page = self.open(site, "/new")
        page.get_by_label("Seed addresses").fill(seeds)
        page.get_by_text("Things of a type").click()
        page.get_by_role("combobox", name="Type").press_sequentially(type_name)
        page.get_by_role("option").filter(has_text=type_name).first.click()
        page.get_by_label("Pages at most").fill(str(budget))
        page.get_by_label("Seconds between requests").fill("0")
        page.get_by_role("button", name="Begin the crawl").click()
        page.wait_for_url("**/crawls/*")
        self.wait_for_state("finished")
        return page.url.rpartition("/")[2]

    def wait_for_state(self, *states: str) -> None:
        joined = "|".join(states)
        self.page.wait_for_function(
            "states => new RegExp(`^(${states})$`).test(document.getElementById('crawl-state')?.textContent)",
            arg=joined,
            timeout=LONG,
        )

    def see(self, selector: str, text: str) -> None:
        expect(self.page.locator(selector).first).to_contain_text(text, timeout=LONG)
