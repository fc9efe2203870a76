"""What sitemaps say of changes: believed as far as it has been true, and written down with the visit."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from sundog.cli.explain import explanation_lines
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
