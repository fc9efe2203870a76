"""The dark corners of sites: what is slow, broken, duplicate, forbidden or without end.

Each host draws its own. Crawlers meet all of them daily; none depends on markup.
"""

from __future__ import annotations

from typing import NamedTuple

from sundog.demo_web.dice import Dice

SLOW = (0.2, 0.5)  # seconds until a slow page is answered


class Corners(NamedTuple):
    """``slow``, ``failing`` and ``resetting`` are shares of the host's items; the others are yes or no."""

    slow: float = 0.0
    failing: float = 0.0
    resetting: float = 0.0
    gone: float = 0.0  # of links to items: these lead to items that were removed (404)
    moved: float = 0.0  # of links to items: these take one to three redirects
    tracking: bool = False  # links to related items carry utm_ parameters
    sessions: bool = False  # all links carry a session id, which differs on every page
    doubled_index: bool = False  # some links name index.html, others do not
    printing: bool = False  # each item has a second URL, with a canonical link
    calendar: bool = False  # one page per month, without end
    filters: bool = False  # lists can be filtered, in every combination
    downloads: bool = False  # links to files that are not pages, without an extension that says so
    loop: bool = False  # a redirect that leads to itself
    noindex: bool = False  # pages of tags and authors are not to be indexed
    forbidden: bool = False  # robots.txt forbids the search and an area full of rich pages
    crawl_delay: float = 0.0
    robots: int = 200  # how robots.txt is answered
    packed: bool = False  # pages are sent with gzip
    sitemap: str = ""  # "plain", "index" (of packed ones) or none
    feed: str = ""  # "rss", "atom" or none


def corners_of(kind: str, host: int, dice: Dice) -> Corners:
    """Some hosts are named by their number, so that every web has one with a broken robots.txt."""
    rarely, often = 0.1, 0.35
    robots = 503 if host % 60 == 37 else dice.weighted(((200, 0.8), (404, 0.2)))
    return Corners(
        slow=dice.weighted(((0.0, 0.8), (0.05, 0.17), (1.0, 0.03))),
        failing=0.02 if dice.chance(rarely) else 0.0,
        resetting=0.02 if dice.chance(rarely) else 0.0,
        gone=0.02 if dice.chance(often) else 0.0,
        moved=0.05 if dice.chance(often) else 0.0,
        tracking=dice.chance(0.25),
        sessions=kind == "forum" and dice.chance(0.5),
        doubled_index=dice.chance(0.2),
        printing=dice.chance(0.25),
        calendar=(kind == "events" and dice.chance(0.6)) or dice.chance(0.07),
        filters=(kind == "shop" and dice.chance(0.6)) or dice.chance(0.05),
        downloads=dice.chance(rarely),
        loop=dice.chance(rarely),
        noindex=dice.chance(0.25),
        forbidden=dice.chance(0.7) and robots == 200,
        crawl_delay=dice.weighted(((0.0, 0.92), (0.5, 0.04), (1.0, 0.04))) if robots == 200 else 0.0,
        robots=robots,
        packed=dice.chance(rarely),
        sitemap=dice.weighted((("", 0.45), ("plain", 0.4), ("index", 0.15))),
        feed=dice.weighted((("", 0.5), ("rss", 0.3), ("atom", 0.2))),
    )
