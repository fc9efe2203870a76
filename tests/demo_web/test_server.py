"""The demo's server: HTTP as it should be, and corners as they are documented."""

from __future__ import annotations

import gzip
import http.client
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from protego import Protego

from sundog.demo_web import Served, serving
from sundog.demo_web.site import Item, Site
from sundog.fetch.sitemaps import read_listing

Ask = Callable[..., tuple[int, dict[str, str], bytes]]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(1, 60, 6_000, log=tmp_path_factory.mktemp("web") / "requests.log") as served:
        yield served


@pytest.fixture
def ask(served: Served) -> Iterator[Ask]:
    """All requests of a test use one connection, until it breaks."""
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)

    def ask(host: str, target: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, target, headers={"Host": host, **named})
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()

    yield ask
    connection.close()


def site_with(served: Served, wanted: Callable[[Site], object]) -> Site:
    return next(site for site in served.web.sites if wanted(site))


def sound_item(site: Site) -> Item:
    return next(item for item in site.items if not site.fails(item))


def raw(served: Served, *requests: str) -> bytes:
    """All requests at once, and what comes until the server has nothing more to say."""
    with socket.create_connection(("127.0.0.1", served.port), timeout=60) as sock:
        sock.sendall("".join(requests).encode())
        sock.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: sock.recv(65_536), b""))


def test_one_connection_serves_many_hosts(served: Served, ask: Ask) -> None:
    for site in served.web.sites[:5]:
        status, headers, body = ask(site.plan.host, "/")
        assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert site.name in body.decode()


def test_it_serves_what_the_same_web_answers_here(served: Served, ask: Ask) -> None:
    site = site_with(served, lambda site: not site.plan.corners.slow)
    item = sound_item(site)
    assert ask(site.plan.host, item.path)[2] == served.web.answer(site.plan.host, item.path).body


def test_head_has_no_body_and_other_methods_are_refused(served: Served, ask: Ask) -> None:
    host = served.web.sites[0].plan.host
    status, headers, body = ask(host, "/", "HEAD")
    assert (status, body) == (200, b"")
    assert int(headers["content-length"]) > 1_000
    assert ask(host, "/", "DELETE")[0] == 405


def test_absolute_targets_and_ports_in_host_are_understood(served: Served, ask: Ask) -> None:
    host = served.web.sites[1].plan.host
    assert ask("127.0.0.1", f"http://{host}/")[2] == ask(f"{host}:80", "/")[2]


def test_unknown_hosts_are_not_found(ask: Ask) -> None:
    assert ask("nowhere.example", "/")[0] == 404


def test_answers_come_in_the_order_of_requests(served: Served) -> None:
    site = site_with(served, lambda site: site.plan.corners.slow)
    slow = next(path for path in site.table if site.delay(path))
    first = f"GET {slow} HTTP/1.1\r\nHost: {site.plan.host}\r\n\r\n"
    second = f"GET /robots.txt HTTP/1.1\r\nHost: {served.web.sites[0].plan.host}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", served.port), timeout=60) as sock:
        begun = time.monotonic()
        sock.sendall((first + second).encode())
        got = sock.recv(65_536)
        assert time.monotonic() - begun > 0.19
        while b"text/plain" not in got:
            got += sock.recv(65_536)
    assert got.index(b"text/html") < got.index(b"text/plain")


def test_some_hosts_pack_their_pages(served: Served, ask: Ask) -> None:
    host = site_with(served, lambda site: site.plan.corners.packed).plan.host
    _, headers, body = ask(host, "/", Accept_Encoding="gzip")
    assert headers["content-encoding"] == "gzip"
    assert gzip.decompress(body) == ask(host, "/", Accept_Encoding="identity")[2]


def test_robots_txt(served: Served, ask: Ask) -> None:
    site = site_with(served, lambda site: site.plan.corners.forbidden)
    rules = Protego.parse(ask(site.plan.host, "/robots.txt")[2].decode())
    assert not rules.can_fetch(f"{site.root}/private/1", "sundog")
    assert rules.can_fetch(site.root + site.items[0].path, "sundog")
    slow = site_with(served, lambda site: site.plan.corners.crawl_delay)
    rules = Protego.parse(ask(slow.plan.host, "/robots.txt")[2].decode())
    assert rules.crawl_delay("sundog") == slow.plan.corners.crawl_delay
    for status in (404, 503):
        site = site_with(served, lambda site, status=status: site.plan.corners.robots == status)
        assert ask(site.plan.host, "/robots.txt")[0] == status


@pytest.mark.parametrize("form", ["plain", "index"])
def test_sitemaps_name_all_pages(served: Served, ask: Ask, form: str) -> None:
    site = site_with(served, lambda site: site.plan.corners.sitemap == form)
    url = f"{site.root}/sitemap.xml"
    listing = read_listing(ask(site.plan.host, "/sitemap.xml")[2], url)
    pages = list(listing.pages)
    for part in listing.sitemaps:
        _, headers, body = ask(site.plan.host, part.removeprefix(site.root))
        assert headers["content-type"] == "application/gzip"
        pages += read_listing(body, part).pages
    assert set(pages) == {url for url, _ in site.urls()}
    assert bool(listing.sitemaps) == (form == "index")


@pytest.mark.parametrize("form", ["rss", "atom"])
def test_feeds_name_the_newest_items(served: Served, ask: Ask, form: str) -> None:
    site = site_with(served, lambda site: site.plan.corners.feed == form)
    listing = read_listing(ask(site.plan.host, "/feed")[2], f"{site.root}/feed")
    assert listing.pages == [site.root + item.path for item in site.items[:20]]


def test_failing_pages(served: Served, ask: Ask) -> None:
    site = site_with(served, lambda site: any(site.fails(item) == "error" for item in site.items))
    item = next(item for item in site.items if site.fails(item) == "error")
    assert ask(site.plan.host, item.path)[0] == 500


def test_broken_connections(served: Served, ask: Ask) -> None:
    site = site_with(served, lambda site: any(site.fails(item) == "reset" for item in site.items))
    item = next(item for item in site.items if site.fails(item) == "reset")
    with pytest.raises((ConnectionResetError, http.client.RemoteDisconnected)):
        ask(site.plan.host, item.path)


def test_redirects_lead_to_items_or_nowhere(served: Served, ask: Ask) -> None:
    site = site_with(served, lambda site: site.plan.corners.moved)
    target, hops = "/old/3/0", 0
    while (answer := ask(site.plan.host, target))[0] in (301, 302):
        target, hops = answer[1]["location"], hops + 1
    assert (target, hops) == (site.items[0].path, 3)
    site = site_with(served, lambda site: site.plan.corners.loop)
    assert ask(site.plan.host, "/loop/1")[1]["location"] == "/loop/2"
    assert ask(site.plan.host, "/loop/2")[1]["location"] == "/loop/1"


def test_places_without_end(served: Served, ask: Ask) -> None:
    site = site_with(served, lambda site: site.plan.corners.calendar)
    assert b'href="/calendar/4242-01"' in ask(site.plan.host, "/calendar/4241-12")[2]
    site = site_with(served, lambda site: site.plan.corners.filters)
    path = site.section_paths[0]
    mark = "&" if "?" in path else "?"
    assert f'{path}{mark}colour=red&size=s"' in ask(site.plan.host, f"{path}{mark}colour=red")[2].decode()


def test_one_page_has_many_urls(served: Served, ask: Ask) -> None:
    site = site_with(served, lambda site: site.plan.corners.printing and not site.plan.corners.slow)
    item = sound_item(site)
    mark = "&" if "?" in item.path else "?"
    page = ask(site.plan.host, item.path)[2]
    assert ask(site.plan.host, f"{item.path}{mark}utm_source=x&sid=0123456789abcdef")[2] == page
    printed = ask(site.plan.host, f"{item.path}{mark}print=1")[2]
    assert f'<link rel="canonical" href="{site.root}{item.path}">'.encode() in printed
    assert ask(site.plan.host, "/index.html")[2] == ask(site.plan.host, "/")[2]


def test_what_is_no_page(served: Served, ask: Ask) -> None:
    host = site_with(served, lambda site: site.plan.corners.downloads).plan.host
    assert ask(host, "/download/5")[1]["content-type"] == "application/pdf"
    assert ask(host, "/api/items/5")[1]["content-type"] == "application/json"


def test_content_negotiation(served: Served, ask: Ask) -> None:
    site = site_with(served, lambda site: site.plan.kind == "data")
    status, headers, _ = ask(site.plan.host, "/resource/1000", Accept="text/html,text/turtle;q=0.9")
    assert (status, headers["location"]) == (303, site.items[0].path)
    _, headers, _ = ask(site.plan.host, "/resource/1000", Accept="text/turtle, application/ld+json")
    assert headers["location"] == site.document(site.items[0])


def test_the_log_has_every_request(tmp_path: Path) -> None:
    with serving(2, 4, 200, log=tmp_path / "log") as served:
        host = served.web.sites[0].plan.host
        raw(served, *(f"GET /{number} HTTP/1.1\r\nHost: {host}\r\n\r\n" for number in range(3)))
    assert [(asked.host, asked.target, asked.status) for asked in served.requests()] == [
        (host, f"/{number}", 404) for number in range(3)
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("sundog.demo_web --port 99999", "there is no port 99999; try --port 0"),
        ("examples.sites --port 99999", "there is no port 99999; try --port 0"),
        ("sundog.demo_web --hosts 1", "a web needs at least 2 hosts and 24 pages per host, not 1 and 20000"),
        ("sundog.demo_web --https 7", "a share of hosts is from 0 to 1, not 7"),
        ("sundog.demo_web --log nowhere/log", "nowhere/log cannot be written: No such file or directory"),
    ],
)
def test_wrong_arguments_are_answered_in_one_sentence(words: str, said: str) -> None:
    done = subprocess.run([sys.executable, "-m", *words.split()], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (1, f"{said}\n")
