"""Which pages hold what, from how the web was made: to check a crawl's labels against."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from sundog.demo_web.claims import SCHEMA, claimed_types
from sundog.demo_web.kinds import THINGS
from sundog.demo_web.site import Page, Site
from sundog.demo_web.web import Web

SUBTYPES = {
    "Event": THINGS["event"].types,
    "Article": ("Article", "NewsArticle", "BlogPosting"),
}
INNER = frozenset({"Organization", "Person", "Place", "h-card", ""})  # found inside of other things too
TYPES = frozenset(name for thing in THINGS.values() for name in (*thing.types, thing.microformat)) - INNER


class Fact(NamedTuple):
    """``types`` are those of the page's own items; persons, places and owners inside them are left out."""

    types: frozenset[str]
    has_markup: bool
    has_rdf: bool


class Truth:
    """Of all pages that a polite crawl can label: they answer, robots.txt lets them, they may be indexed."""

    def __init__(self, web: Web) -> None:
        self._web = web

    @cached_property
    def facts(self) -> dict[str, Fact]:
        return {url: fact_of(site, page) for url, site, page in self._web.pages() if can_be_labelled(site, page)}

    def relevant(self, objective: str) -> set[str]:
        """``any`` or ``type:schema:NAME``, alone or joined by ``or``; subtypes count."""
        found: set[str] = set()
        for part in objective.split(" or "):
            name = part.strip().removeprefix("type:schema:")
            wanted = {SCHEMA + each for each in SUBTYPES.get(name, (name,))}
            if name != "any" and name not in TYPES:
                raise ValueError(
                    f"the truth of '{part}' is not known: 'any', or one of {', '.join(sorted(TYPES))}"
                )
            found |= {
                url
                for url, fact in self.facts.items()
                if (fact.has_markup if name == "any" else fact.types & wanted)
            }
        return found


def fact_of(site: Site, page: Page) -> Fact:
    if page.kind == "document":
        return Fact(frozenset({SCHEMA + site.types["record"]}), has_markup=False, has_rdf=True)
    types = claimed_types(site, page)
    own = frozenset(name for name in types if name.removeprefix(SCHEMA) in TYPES)
    return Fact(own, has_markup=bool(types), has_rdf=False)


def can_be_labelled(site: Site, page: Page) -> bool:
    corners = site.plan.corners
    if corners.robots == 503 or (corners.noindex and page.kind in ("tag", "author")):
        return False
    return page.kind != "item" or not site.fails(site.items[page.number])
