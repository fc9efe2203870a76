"""The example sites: what they answer over HTTP is what their facts say, and links lead somewhere."""

from __future__ import annotations

import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from html import unescape
from urllib.parse import urljoin, urlsplit

import pytest
from examples.sites import Served, serving
from examples.sites.music import START, Music, fans, people
from examples.sites.shop import Shop, products
from examples.sites.wiki import CITIES, Wiki

SITES = {"http://wiki.example/": Wiki(), "http://music.example/": Music(), "http://shop.example/": Shop()}
DEAD_ENDS = (
    "/w/index.php",
    "/wiki/Special:",
    "/wiki/Düsseldorf",
    "/wiki/D%C3%BC",
    "/charts",
    "/login",
    "/private",
)


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving() as sites:
        yield sites


def asked(served: Served, host: str, path: str) -> str:
    request = urllib.request.Request(f"http://{served.connect_to}{path}", headers={"Host": host})
    with urllib.request.urlopen(request, timeout=60) as response:
        return str(response.read().decode())


def test_pages_come_over_http(served: Served) -> None:
    assert "1,356,594" in asked(served, "wiki.example", "/wiki/Munich")
    assert "See more" in asked(served, "music.example", f"/user/{START}")
    assert "Price history" in asked(served, "shop.example", products()[0].path)
    with pytest.raises(urllib.error.HTTPError, match="404"):
        asked(served, "nobody.example", "/")


@pytest.mark.parametrize("start", SITES)
def test_every_link_leads_to_a_page(start: str) -> None:
    """Save those that a real site has too: pages not yet written, and pages for members."""
    site, waiting, seen = SITES[start], [start], {start}
    while waiting:
        url = waiting.pop()
        parts = urlsplit(url)
        answer = site.answer(parts.path, parts.query)
        assert answer.status in (200, 301, 302), url
        links = [answer.location] if answer.location else re.findall(r'<a href="([^"#]+)"', answer.body)
        for target in (urljoin(url, unescape(link)) for link in links):
            if target not in seen and not urlsplit(target).path.startswith(DEAD_ENDS):
                seen.add(target)
                waiting.append(target)
    assert len(seen) > 50


def test_the_facts_have_what_the_use_cases_need() -> None:
    assert {city.population is None for city in CITIES} == {True, False}
    assert any(len(names) > 3 for names in fans().values()), "artists that several people share"
    assert len(people()[START].friends) > 8, "more friends than one page of the list has"
    assert {product.sold_out for product in products()} == {True, False}
