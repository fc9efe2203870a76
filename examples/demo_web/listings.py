"""What hosts offer to robots: robots.txt, sitemaps (plain, or an index of packed ones) and feeds."""

from __future__ import annotations

import gzip

from .site import Item, Site

PER_SITEMAP = 200  # small, so that hosts of this web need several
IN_FEED = 20


def forbidden_paths(site: Site) -> tuple[str, ...]:
    return ("/login", "/private/", "/search", "/api/") if site.plan.corners.forbidden else ("/login",)


def robots(site: Site) -> str:
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
