"""What a page's markup says: templates write it, and the truth is read from it."""

from __future__ import annotations

from sundog.demo_web.kinds import THINGS
from sundog.demo_web.site import Item, Page, Site

MICROFORMATS = ("mf2", "classic")
SCHEMA = "http://schema.org/"


def listed(site: Site, page: Page) -> list[Item]:
    """The items that a page lists."""
    size = site.theme.per_page
    match page.kind:
        case "home":
            return site.items[:size]
        case "section":
            return site.by_section[page.number][(page.page - 1) * size : page.page * size]
        case "tag":
            return site.by_tag[page.number][(page.page - 1) * size : page.page * size]
        case "author":
            return [item for item in site.items[: 20 * size] if item.author == page.number][:size]
    return []


def listed_with_markup(site: Site, page: Page) -> list[Item]:
    return [item for item in listed(site, page) if site.is_marked(item)] if site.plan.habit.lists else []


def claimed_things(site: Site, page: Page) -> set[str]:
    """Names in ``kinds.THINGS`` of what the page's HTML describes in a syntax that can be read."""
    habit = site.plan.habit
    if not habit.syntax or page.kind == "document":
        return set()
    things = {item.thing for item in listed_with_markup(site, page)}
    if habit.frame:
        things.add("company")
    if page.kind == "author" and habit.frame:
        things.add("person")
    if page.kind == "item":
        item = site.items[page.number]
        if site.is_marked(item) and not site.is_broken(item):
            things.add(item.thing)
    return things


def claimed_types(site: Site, page: Page) -> frozenset[str]:
    """As an extraction names them: schema.org's IRIs, root classes of microformats."""
    things = claimed_things(site, page)
    if site.plan.habit.syntax in MICROFORMATS:
        return frozenset(THINGS[thing].microformat for thing in things)
    return frozenset(SCHEMA + site.types[thing] for thing in things)
