"""Sitemaps and feeds bring candidates, and cost budget like pages."""

from __future__ import annotations

import gzip
from pathlib import Path

from sundog.engines.live.pages.reading import read
from sundog.spec.crawl import Following
from tests.engines.live.webs import HOME, SmallWeb, crawled, urls

SITEMAP = '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{}</urlset>'
INDEX = '<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{}</sitemapindex>'


def sitemap(*locations: str) -> str:
    return SITEMAP.format("".join(f"<url><loc>{each}</loc></url>" for each in locations))


def index(*locations: str) -> str:
    return INDEX.format("".join(f"<sitemap><loc>{each}</loc></sitemap>" for each in locations))


def fill(web: SmallWeb) -> None:
    """The home page leads nowhere: all else is found by robots.txt."""
    web.robots("User-agent: *\nDisallow: /secret\nSitemap: http://a.example/index.xml\nSitemap: /more.xml.gz\n")
    web.page(HOME)
    web.reply("http://a.example/index.xml", index(*urls("one.xml", "two.xml.gz")), type_="application/xml")
    web.reply("http://a.example/one.xml", sitemap(*urls("1", "2", "secret")), type_="text/xml")
    packed = gzip.compress(sitemap(*urls("3"), "http://b.example/4").encode())
    web.reply("http://a.example/two.xml.gz", packed, type_="application/gzip")
    web.reply("http://a.example/more.xml.gz", gzip.compress(sitemap(*urls("5")).encode()), type_="text/plain")
    for url in [*urls("1", "2", "3", "5"), "http://b.example/4"]:
        web.product(url)


LISTS = urls("index.xml", "one.xml", "two.xml.gz", "more.xml.gz")
PAGES = [HOME, *urls("1", "2", "3", "5"), "http://b.example/4"]


def test_robots_names_sitemaps(web: SmallWeb, tmp_path: Path) -> None:
    fill(web)
    done = crawled(web, tmp_path / "crawl")
    assert sorted(done.fetched) == sorted([*PAGES, *LISTS])
    assert done.summary["fetched"] == len(PAGES) + len(LISTS)
    assert done.refusals == {"http://a.example/secret": "robots: forbidden"}
    assert not web.asked_twice()
    assert sum(done.rewards.values()) == 5
    assert {path for _, path in done.rows("SELECT dst, tag_path FROM links")} == {
        "sitemap url",
        "sitemapindex sitemap",
    }


def test_sitemaps_of_a_host_that_is_found_later(web: SmallWeb, tmp_path: Path) -> None:
    web.page(HOME, "http://b.example/")
    web.page("http://b.example/")
    web.robots("Sitemap: /s.xml", host="b.example")
    web.reply("http://b.example/s.xml", sitemap("http://b.example/1"), type_="text/xml")
    web.page("http://b.example/1")
    assert "http://b.example/1" in crawled(web, tmp_path / "crawl").fetched


def test_sitemaps_of_a_host_to_which_a_redirect_leads(web: SmallWeb, tmp_path: Path) -> None:
    web.moves(HOME, "http://b.example/")
    web.page("http://b.example/", "http://b.example/0")
    web.page("http://b.example/0")
    web.robots("Sitemap: /s.xml", host="b.example")
    web.reply("http://b.example/s.xml", sitemap("http://b.example/1"), type_="text/xml")
    web.page("http://b.example/1")
    assert "http://b.example/1" in crawled(web, tmp_path / "crawl").fetched


def test_they_cost_budget(web: SmallWeb, tmp_path: Path) -> None:
    fill(web)
    done = crawled(web, tmp_path / "crawl", budget=3)
    assert done.summary["fetched"] == len(web.asked()) == 3


def test_sitemaps_can_be_left_alone(web: SmallWeb, tmp_path: Path) -> None:
    fill(web)
    assert crawled(web, tmp_path / "crawl", following=Following(sitemaps=False)).fetched == [HOME]


def test_feeds(web: SmallWeb, tmp_path: Path) -> None:
    web.page(
        HOME, head='<link rel="alternate" type="application/rss+xml" href="/feed"><a href="/atom.xml">news</a>'
    )
    rss = "<rss version='2.0'><channel><item><link>http://a.example/1</link></item></channel></rss>"
    atom = "<feed xmlns='http://www.w3.org/2005/Atom'><entry><link href='/2'/></entry></feed>"
    web.reply("http://a.example/feed", rss, type_="application/rss+xml")
    web.reply("http://a.example/atom.xml", atom, type_="application/atom+xml")
    web.page("http://a.example/1")
    web.page("http://a.example/2")
    assert sorted(crawled(web, tmp_path / "crawl").fetched) == sorted([HOME, *urls("1", "2", "feed", "atom.xml")])


def test_a_broken_sitemap_is_a_fault(web: SmallWeb, tmp_path: Path) -> None:
    web.robots("Sitemap: /s.xml")
    web.page(HOME)
    web.reply("http://a.example/s.xml", sitemap(*urls("1")).replace("</urlset>", "<oops"), type_="text/xml")
    web.page("http://a.example/1")
    done = crawled(web, tmp_path / "crawl")
    assert "http://a.example/1" in done.fetched
    assert done.faults["http://a.example/s.xml"].startswith("listing: ")


def test_what_is_a_listing() -> None:
    def links(
        body: bytes, url: str = "http://a.example/s", kind: str = "application/xml"
    ) -> list[tuple[str, str]]:
        found = read(body, url, kind, max_bytes=1_000_000, with_text=False)
        return [(link.url, link.tag_path) for link in found.links]

    feed = b"<?xml version='1.0'?><!-- x -->\n<rss><channel><item><link>http://a.example/1</link></item></channel></rss>"
    assert links(feed) == [("http://a.example/1", "feed item")]
    assert links(feed, kind="text/html") != [("http://a.example/1", "feed item")]
    text = b"http://a.example/1\nhttp://a.example/2\n"
    assert [url for url, _ in links(text, "http://a.example/sitemap.txt", "text/plain")] == text.decode().split()
    assert links(text, "http://a.example/notes.txt", "text/plain") == []
    assert links(b"<data><loc>http://a.example/1</loc></data>") == []
    assert links(b"\x1f\x8bnot gzip at all") == []
