"""From a request's target to an answer: pages, robots.txt, sitemaps, feeds, negotiated content, dark corners."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from typing import NamedTuple

from sundog.demo_web.links import FILTERS
from sundog.demo_web.pages import Pages
from sundog.demo_web.site import Item, Site

HTML = "text/html; charset=utf-8"
XML = "application/xml"
RDF = ("turtle", "n-triples", "n-quads", "rdf+xml", "ld+json", "trig", "n3")  # ends of media types
PER_SITEMAP = 200  # small, so that hosts of this web need several
IN_FEED = 20
_INDEX = re.compile(r"/index\.(?:html|php)$")
_NOISE = ("utm_source", "utm_medium", "sid")
_MONTH = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])")


class Answer(NamedTuple):
    """``reset``: no answer at all, the connection breaks. ``location`` is where a redirect leads.

    ``headers`` are more lines of them. Without a ``content_type`` there is no header for it.
    """

    status: int
    content_type: str = HTML
    body: bytes = b""
    location: str = ""
    delay: float = 0.0
    reset: bool = False
    headers: tuple[str, ...] = ()


NOT_FOUND = Answer(404, body=b"<!doctype html><title>404</title><h1>Not found</h1>")
FAILED = Answer(500, body=b"<!doctype html><title>500</title><h1>Internal error</h1>")
PICTURE = b"\xff\xd8\xff\xe0" + bytes(200) + b"\xff\xd9"
RESET = Answer(0, reset=True)


class Address(NamedTuple):
    """A target without the parameters that do not choose the page. ``rest`` are filters, or ``print``."""

    path: str
    rest: str = ""


def address_of(target: str) -> Address:
    """
    >>> address_of("/a/index.html?utm_source=x"), address_of("/list.php?cat=3&colour=red")
    (Address(path='/a/', rest=''), Address(path='/list.php?cat=3', rest='colour=red'))
    """
    path, mark, query = target.partition("?")
    if "/index." in path:
        path = _INDEX.sub("/", path)
    if not mark:
        return Address(path)
    kept: list[str] = []
    rest: list[str] = []
    for part in query.split("&"):
        name = part.partition("=")[0]
        if name in FILTERS or name == "print":
            rest.append(part)
        elif name and name not in _NOISE:
            kept.append(part)
    return Address(f"{path}?{'&'.join(kept)}" if kept else path, "&".join(rest))


class Answers:
    """One host's answers."""

    def __init__(self, pages: Pages) -> None:
        self.pages, self.site, self.corners = pages, pages.site, pages.site.plan.corners
        self._special: dict[str, Callable[[str, str], Answer]] = {
            "robots.txt": self._robots,
            "sitemap.xml": self._sitemap,
            "feed": self._feed,
            "calendar": self._calendar,
            "private": self._private,
            "search": self._search,
            "login": self._login,
            "old": self._old,
            "loop": self._loop,
            "download": self._download,
            "api": self._download,
            "resource": self._resource,
            "media": self._picture,
            "static": self._picture,
        }

    def answer(self, target: str, accept: str = "") -> Answer:
        """``target`` is path and query as the request has them."""
        path, rest = address_of(target)
        page = self.site.table.get(path)
        if page is None:
            return self._other(path.lstrip("/"), accept)
        if page.kind == "item":
            item = self.site.items[page.number]
            failure = self.site.fails(item)
            if failure:
                return FAILED if failure == "error" else RESET
            if rest:
                return Answer(200, body=self.pages.printed(item)) if "print=" in rest else NOT_FOUND
        elif rest:
            return Answer(200, body=self.pages.filtered(page, path, rest))
        kind = HTML
        if page.kind == "document":
            kind = "text/turtle" if path.endswith("ttl") else "application/ld+json"
        return Answer(
            200, kind, self.pages.body(page, path), delay=self.site.delay(path) if self.corners.slow else 0.0
        )

    def _other(self, path: str, accept: str) -> Answer:
        first, _, rest = path.partition("?")[0].partition("/")
        if first.startswith("sitemap-") and self.corners.sitemap == "index":
            return self._packed_sitemap(first)
        special = self._special.get(first)
        return special(rest, accept) if special else NOT_FOUND

    def _robots(self, *_: str) -> Answer:
        if self.corners.robots != 200:
            return Answer(self.corners.robots, "text/plain")
        return Answer(200, "text/plain", robots_txt(self.site).encode())

    def _sitemap(self, *_: str) -> Answer:
        return Answer(200, XML, sitemap(self.site).encode()) if self.corners.sitemap else NOT_FOUND

    def _packed_sitemap(self, name: str) -> Answer:
        part = name.removeprefix("sitemap-").removesuffix(".xml.gz")
        if not part.isdecimal() or int(part) * PER_SITEMAP >= len(self.site.table):
            return NOT_FOUND
        return Answer(200, "application/gzip", packed_sitemap(self.site, int(part)))

    def _feed(self, *_: str) -> Answer:
        kind = f"application/{self.corners.feed}+xml"
        return Answer(200, kind, feed(self.site).encode()) if self.corners.feed else NOT_FOUND

    def _calendar(self, month: str, _: str) -> Answer:
        if not self.corners.calendar or not _MONTH.fullmatch(month):
            return NOT_FOUND
        return Answer(200, body=self.pages.calendar(month))

    def _private(self, number: str, _: str) -> Answer:
        if not self.corners.forbidden or not number.isdecimal():
            return NOT_FOUND
        return Answer(200, body=self.pages.bait(int(number)))

    def _search(self, *_: str) -> Answer:
        return Answer(
            200, body=b"<!doctype html><meta name=robots content=noindex><title>Search</title><form></form>"
        )

    def _login(self, *_: str) -> Answer:
        return Answer(403)

    def _old(self, rest: str, _: str) -> Answer:
        """``/old/3/17`` leads to ``/old/2/17``, and so on to item 17."""
        hops, _, number = rest.partition("/")
        if not (hops.isdecimal() and number.isdecimal()) or int(number) >= len(self.site.items):
            return NOT_FOUND
        if int(hops) > 1:
            return Answer(302, location=f"/old/{int(hops) - 1}/{number}")
        return Answer(301, location=self.site.items[int(number)].path)

    def _loop(self, number: str, _: str) -> Answer:
        return Answer(302, location=f"/loop/{2 if number == '1' else 1}") if self.corners.loop else NOT_FOUND

    def _download(self, rest: str, _: str) -> Answer:
        if not self.corners.downloads:
            return NOT_FOUND
        if rest.startswith("items/"):
            return Answer(200, "application/json", b'{"items": [], "version": 2}')
        return Answer(200, "application/pdf", b"%PDF-1.4\n" + bytes(2_000))

    def _picture(self, *_: str) -> Answer:
        return Answer(200, "image/jpeg", PICTURE)

    def _resource(self, number: str, accept: str) -> Answer:
        """A thing is not a document: 303 leads to the one that is wanted."""
        if self.site.plan.kind != "data" or not number.isdecimal():
            return NOT_FOUND
        at = int(number) - 1000
        if not 0 <= at < len(self.site.items):
            return NOT_FOUND
        item = self.site.items[at]
        return Answer(303, location=self.site.document(item) if wants_rdf(accept) else item.path)


def wants_rdf(accept: str) -> bool:
    """Whether RDF is wanted rather than HTML.

    >>> wants_rdf("text/turtle,text/html;q=0.5"), wants_rdf("text/html,text/turtle;q=0.9"), wants_rdf("*/*")
    (True, False, False)
    """
    best = {True: 0.0, False: 0.0}
    for part in accept.split(","):
        kind, _, rest = part.partition(";")
        quality = float(rest.strip().removeprefix("q=")) if rest.strip().startswith("q=") else 1.0
        is_rdf = any(kind.strip().endswith(name) for name in RDF)
        best[is_rdf] = max(best[is_rdf], quality)
    return best[True] > best[False]


def forbidden_paths(site: Site) -> tuple[str, ...]:
    return ("/login", "/private/", "/search", "/api/") if site.plan.corners.forbidden else ("/login",)


def robots_txt(site: Site) -> str:
    corners = site.plan.corners
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in forbidden_paths(site))]
    if corners.crawl_delay:
        lines.append(f"Crawl-delay: {corners.crawl_delay:g}")
    if corners.sitemap:
        lines.append(f"Sitemap: {site.root}/sitemap.xml")
    return "\n".join(lines) + "\n"


def sitemap(site: Site) -> str:
    """The file that robots.txt names."""
    if site.plan.corners.sitemap == "plain":
        return _urls(site, list(site.table))
    parts = range(-(-len(site.table) // PER_SITEMAP))
    inside = "".join(f"<sitemap><loc>{site.root}/sitemap-{part}.xml.gz</loc></sitemap>" for part in parts)
    return f'<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{inside}</sitemapindex>'


def packed_sitemap(site: Site, part: int) -> bytes:
    paths = list(site.table)[part * PER_SITEMAP : (part + 1) * PER_SITEMAP]
    return gzip.compress(_urls(site, paths).encode(), compresslevel=1, mtime=0)


def _urls(site: Site, paths: list[str]) -> str:
    days = {item.path: item.day for item in site.items}
    inside = "".join(
        f"<url><loc>{site.root}{path.replace('&', '&amp;')}</loc>"
        f"<lastmod>{days.get(path, '2025-12-01')}</lastmod></url>"
        for path in paths
    )
    return f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{inside}</urlset>'


def feed(site: Site) -> str:
    entries = "".join(_entry(site, item) for item in site.items[:IN_FEED])
    if site.plan.corners.feed == "rss":
        return (
            f'<?xml version="1.0"?><rss version="2.0"><channel><title>{site.name}</title>{entries}</channel></rss>'
        )
    return f'<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>{site.name}</title>{entries}</feed>'


def _entry(site: Site, item: Item) -> str:
    url = site.root + item.path.replace("&", "&amp;")
    if site.plan.corners.feed == "rss":
        return f"<item><title>{item.title}</title><link>{url}</link></item>"
    return f'<entry><title>{item.title}</title><link href="{url}"/><updated>{item.day}T00:00:00Z</updated></entry>'
