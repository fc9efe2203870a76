"""Sitemaps and feeds give their URLs; hostile ones give little, and soon."""

from __future__ import annotations

import gzip
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sundog.fetch.sitemaps import read_listing

BASE = "https://a.example/sitemap.xml"


def urls(body: bytes) -> list[str]:
    return read_listing(body, BASE).pages


def test_a_sitemap_with_everything() -> None:
    body = b"""<?xml version="1.0" encoding="UTF-8"?>
    <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://i" xmlns:s="http://s">
      <url><loc> https://a.example/1?a=1&amp;b=2 </loc><lastmod>1970-01-02T00:00:00Z</lastmod>
        <image:image><image:loc>https://a.example/1.png</image:loc></image:image></url>
      <s:url><s:loc><![CDATA[https://a.example/2]]></s:loc></s:url>
      <url><loc>mailto:me@a.example</loc></url><url><lastmod>2024</lastmod></url>
    </urlset>"""
    assert read_listing(body, BASE).pages == [
        "https://a.example/1?a=1&b=2",
        "https://a.example/2",
    ]


def test_an_index_file_packed() -> None:
    body = b"<sitemapindex><sitemap><loc>/s1.xml.gz</loc><lastmod>1970-01-02</lastmod></sitemap></sitemapindex>"
    listing = read_listing(gzip.compress(body), BASE)
    assert (listing.pages, listing.sitemaps) == ([], ["https://a.example/s1.xml.gz"])


def test_a_text_sitemap() -> None:
    assert urls(b"\xef\xbb\xbfhttps://a.example/1\r\n\r\nnonsense\n https://a.example/2 \n") == [
        "https://a.example/1",
        "https://a.example/2",
    ]


def test_feeds() -> None:
    rss = b"""<rss version="2.0"><channel><link>https://a.example/</link>
      <item><link>https://a.example/news/1</link><pubDate>Fri, 02 Jan 1970 00:00:00 GMT</pubDate></item>
    </channel></rss>"""
    assert read_listing(rss, BASE).pages == ["https://a.example/news/1"]
    atom = b"""<feed xmlns="http://www.w3.org/2005/Atom"><link href="/self"/><entry>
      <link rel="edit" href="/edit/1"/><link href="/post/1"/><updated>1970-01-02T00:00:00+00:00</updated>
    </entry></feed>"""
    assert read_listing(atom, BASE).pages == ["https://a.example/post/1"]


def test_other_charsets() -> None:
    body = '<?xml version="1.0" encoding="UTF-16"?><urlset><url><loc>/é</loc></url></urlset>'.encode("utf-16")
    assert urls(body) == ["https://a.example/%C3%A9"]


def test_a_broken_file_gives_what_it_has() -> None:
    listing = read_listing(b"<urlset><url><loc>/1</loc></url><url><loc>/2</oops>", BASE)
    assert listing.pages == ["https://a.example/1"]
    assert listing.fault.startswith("XML")


BOMB = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">' + b"".join(
    b'<!ENTITY %c "&%c;&%c;&%c;&%c;&%c;&%c;&%c;&%c;">' % (c + 1, *([c] * 8)) for c in range(97, 110)
)


@pytest.mark.parametrize(
    "body",
    [
        BOMB + b"]><urlset><url><loc>/&n;</loc></url></urlset>",
        b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><urlset><url><loc>/&a;</loc></url></urlset>',
        b"<urlset>" * 100_000,
        b"<urlset><url><loc>" + b"a" * 5_000_000,
        gzip.compress(b"<urlset>" + b" " * 60_000_000),
        b"\x1f\x8bnot gzip",
        b'<?xml version="1.0" encoding="no-such"?><urlset/>',
        b"",
    ],
    ids=["laughs", "file", "deep", "long", "bomb", "not gzip", "charset", "empty"],
)
def test_hostile_files(body: bytes) -> None:
    began = time.process_time()
    listing = read_listing(body, BASE)
    assert (listing.pages, listing.sitemaps) == ([], [])
    assert listing.fault or not body
    assert time.process_time() - began < 3.0


def test_too_many_entries() -> None:
    listing = read_listing(b"<urlset>" + b"<url><loc>/1</loc></url>" * 20 + b"</urlset>", BASE, most=7)
    assert (len(listing.pages), listing.fault) == (7, "more than 7 entries")


@given(
    st.one_of(
        st.binary(max_size=300), st.text(max_size=300).map(lambda text: b"<rss><item><link>" + text.encode())
    )
)
def test_any_bytes_give_a_listing(body: bytes) -> None:
    assert all(page.startswith("http") for page in read_listing(body, BASE).pages)
