"""What sitemaps say of changes: believed as far as it has been true, and written down with the visit."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sundog.cli.crawls.explain import explanation_lines
from sundog.engines.live.run import refresh
from sundog.results.explain import explain
from tests.engines.live.webs import HOME, Crawled, SmallWeb, crawled

NUMBER = 10
HONEST, LYING = "a.example", "b.example"
VISITED = "SELECT url FROM visits WHERE round = ? AND url LIKE '%/product/%'"


class Shop:
    """A host with products, and a sitemap that tells of their changes."""

    def __init__(self, web: SmallWeb, host: str) -> None:
        self.web, self.host, self.version = web, host, 0
        self.urls = [f"http://{host}/product/{number}" for number in range(NUMBER)]
        self.dates = dict.fromkeys(self.urls, "2020-01-01")
        web.robots(f"Sitemap: http://{host}/sitemap.xml", host)
        self.change(self.urls)
        self.say(())

    def change(self, urls: list[str]) -> None:
        self.version += 1
        for url in urls:
            self.web.product(url, name=f"{url} {self.version}")

    def say(self, urls: list[str] | tuple[str, ...]) -> None:
        self.dates |= dict.fromkeys(urls, datetime.now(UTC).isoformat())
        entries = "".join(f"<url><loc>{url}</loc><lastmod>{at}</lastmod></url>" for url, at in self.dates.items())
        self.web.reply(f"http://{self.host}/sitemap.xml", f"<urlset>{entries}</urlset>", type_="application/xml")


def test_a_sitemap_is_believed_where_it_was_right(web: SmallWeb, tmp_path: Path) -> None:
    honest, lying = Shop(web, HONEST), Shop(web, LYING)
    web.page(HOME, f"http://{LYING}/", *honest.urls, *lying.urls)
    web.page(f"http://{LYING}/", *lying.urls)
    directory = tmp_path / "crawl"
    crawled(web, directory)
    for number in range(4):  # both change as often; one tells of it, the other of all pages every time
        some = [honest.urls[number], honest.urls[-1 - number]]
        honest.change(some)
        honest.say(some)
        lying.change([lying.urls[number], lying.urls[-1 - number]])
        lying.say(lying.urls)
        refresh(directory, budget=100, share=1.0)
    changed = [honest.urls[4], honest.urls[5]]
    honest.change(changed)
    honest.say(changed)
    lying.say(lying.urls)
    refresh(directory, budget=4, share=1.0)  # two sitemaps, and two pages
    last = Crawled(directory)
    assert set(last.column(VISITED, 5)) == set(changed)
    lines = dict(explanation_lines(explain(directory, changed[0])))
    assert "a sitemap or feed said that it had changed; changed" in lines["again"]
    assert last.rows("SELECT count(*) FROM hints") == [(2 * NUMBER,)]


def test_a_list_of_lists_is_visited_as_early_as_they_are(web: SmallWeb, tmp_path: Path) -> None:
    shop = Shop(web, HONEST)
    index, parts = f"{HOME}index.xml", [f"{HOME}sitemap.xml", f"{HOME}2.xml"]
    web.robots(f"Sitemap: {index}")

    def list_of(*lists: str) -> None:
        entries = "".join(f"<sitemap><loc>{each}</loc></sitemap>" for each in lists)
        web.reply(index, f"<sitemapindex>{entries}</sitemapindex>", type_="application/xml")

    list_of(parts[0])
    web.page(HOME, *shop.urls)
    crawled(web, tmp_path / "crawl")
    list_of(*parts)
    web.reply(parts[1], f"<urlset><url><loc>{HOME}new</loc></url></urlset>", type_="application/xml")
    web.product(f"{HOME}new")
    refresh(tmp_path / "crawl", budget=4, share=0.5)
    after = Crawled(tmp_path / "crawl")
    assert sorted(after.column("SELECT url FROM visits WHERE round = 1")) == [index, parts[0]]
    assert parts[1] in after.fetched


def test_a_list_that_says_the_same_adds_nothing(web: SmallWeb, tmp_path: Path) -> None:
    shop = Shop(web, HONEST)
    web.page(HOME, *shop.urls)
    directory = tmp_path / "crawl"
    crawled(web, directory)
    before = Crawled(directory).rows("SELECT * FROM hints")
    assert {row[2] for row in before} == {datetime(2020, 1, 1, 23, 59, 59, tzinfo=UTC).timestamp()}
    refresh(directory, budget=100)
    assert Crawled(directory).rows("SELECT * FROM hints") == before
    assert Crawled(directory).column("SELECT DISTINCT result FROM visits") == ["unchanged"]


LONG_AGO, NEVER = "Mon, 01 Jan 2001 00:00:00 GMT", "Fri, 01 Jan 2100 00:00:00 GMT"
OWN = {  # of a page that does not change, and of one that does
    "Cache-Control": ("Cache-Control: private, max-age=86400", "Cache-Control: max-age=0"),
    "Expires": (f"Date: {LONG_AGO}\r\nExpires: {NEVER}", f"Date: {LONG_AGO}\r\nExpires: {LONG_AGO}"),
    "Last-Modified": (f"Last-Modified: {LONG_AGO}", f"Last-Modified: {NEVER}"),
    "the date in its markup": ("2001-01-01", "2100-01-01T12:00:00Z"),
}


class OwnDates:
    """Products that say themselves when they change; every second one does."""

    def __init__(self, web: SmallWeb, source: str) -> None:
        self.web, self.said, self.version, self.number = web, OWN[source], 0, 0

    def grow(self, number: int) -> list[str]:
        """The new ones."""
        known, self.number = self.number, self.number + number
        urls = self.urls
        self.web.page(HOME, *urls)
        self.change()
        return urls[known:]

    @property
    def urls(self) -> list[str]:
        return [f"http://{HONEST}/product/{number}" for number in range(self.number)]

    def change(self) -> None:
        self.version += 1
        for number, url in enumerate(self.urls):
            said, version = self.said[number % 2], self.version if number % 2 else 0
            item = {"@context": "https://schema.org/", "@type": "Product", "name": f"{url} {version}"}
            headers = () if said[:4].isdigit() else (said,)
            item |= {} if headers else {"dateModified": said}
            body = f'<title>{url}</title><script type="application/ld+json">{json.dumps(item)}</script>'
            self.web.reply(url, body, *headers)


@pytest.mark.parametrize("source", OWN)
def test_what_pages_say_themselves_is_believed_where_it_was_right(
    web: SmallWeb, tmp_path: Path, source: str
) -> None:
    shop, directory = OwnDates(web, source), tmp_path / "crawl"
    shop.grow(10)
    crawled(web, directory)
    for _ in range(3):
        shop.change()
        refresh(directory, budget=100, share=1.0)
    new = shop.grow(8)  # nobody knows how often they change: what they say is all there is
    refresh(directory, budget=100)
    assert set(Crawled(directory).column("SELECT url FROM pages")) == {HOME, *shop.urls}
    asked = len(web.asked())
    refresh(directory, budget=9, share=1.0)
    visited = web.asked()[asked:]
    assert {url for url in new if url in visited} == set(new[1::2])
    lines = dict(explanation_lines(explain(directory, new[1])))
    name = "Cache-Control" if source == "Expires" else source
    assert f"; {name} said that it may have changed;" in lines["again"]


def test_dates_that_say_nothing_of_changes_are_not_believed(web: SmallWeb, tmp_path: Path) -> None:
    """Each page says so of itself: those that change that they do not, and half of the others that they do."""
    shop, directory = OwnDates(web, "Cache-Control"), tmp_path / "crawl"
    shop.said = shop.said[1], shop.said[0]
    shop.grow(10)
    crawled(web, directory)
    for _ in range(3):
        shop.change()
        refresh(directory, budget=100, share=1.0)
    new = shop.grow(8)
    refresh(directory, budget=100)
    asked = len(web.asked())
    refresh(directory, budget=9, share=1.0)
    assert {url for url in new if url in web.asked()[asked:]} == set(new[1::2])
