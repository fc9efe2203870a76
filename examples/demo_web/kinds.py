"""Kinds of sites: what they are about, how many there are, and how readily they adopt markup.

Shares are of hosts. Adoption follows what pays: recipes, shops and events get rich results from search engines,
forums and old wikis get nothing. The kinds' names and words say nothing about whether a host has markup.
"""

from __future__ import annotations

from typing import NamedTuple

from .dice import Dice


class Kind(NamedTuple):
    """``things`` are what its sections hold, with weights; ``markup`` the chance that a host has any.

    ``community`` is whom it links to; ``size`` scales the number of its pages.
    """

    share: float
    community: str
    things: tuple[tuple[str, float], ...]
    markup: float
    size: float = 1.0


KINDS = {
    "directory": Kind(0.04, "talk", (("entry", 1.0),), 0.0, 0.5),
    "recipes": Kind(0.24, "food", (("recipe", 0.85), ("post", 0.15)), 0.8, 1.2),
    "events": Kind(0.18, "out", (("event", 0.85), ("post", 0.15)), 0.75, 1.2),
    "magazine": Kind(0.11, "food", (("recipe", 0.3), ("post", 0.45), ("event", 0.25)), 0.65),
    "shop": Kind(0.12, "trade", (("product", 0.85), ("post", 0.15)), 0.6, 1.2),
    "news": Kind(0.08, "talk", (("article", 0.9), ("event", 0.1)), 0.5, 1.2),
    "forum": Kind(0.07, "talk", (("thread", 1.0),), 0.2, 1.3),
    "brochure": Kind(0.06, "trade", (("business", 0.5), ("post", 0.5)), 0.35, 0.3),
    "jobs": Kind(0.04, "trade", (("job", 1.0),), 0.5),
    "wiki": Kind(0.03, "talk", (("topic", 1.0),), 0.3, 1.2),
    "data": Kind(0.03, "data", (("record", 1.0),), 0.6, 0.8),
}


class Thing(NamedTuple):
    """What an item is, in schema.org's words (a site chooses one) and in those of microformats."""

    types: tuple[str, ...]
    microformat: str
    classic: str


THINGS = {
    "recipe": Thing(("Recipe",), "h-recipe", "hrecipe"),
    "event": Thing(("Event", "MusicEvent", "TheaterEvent"), "h-event", "vevent"),
    "product": Thing(("Product",), "h-product", "hproduct"),
    "article": Thing(("NewsArticle", "Article"), "h-entry", "hentry"),
    "post": Thing(("BlogPosting", "Article"), "h-entry", "hentry"),
    "job": Thing(("JobPosting",), "h-entry", "hentry"),
    "thread": Thing(("DiscussionForumPosting",), "h-entry", "hentry"),
    "business": Thing(("LocalBusiness", "ProfessionalService"), "h-card", "vcard"),
    "topic": Thing(("Article",), "h-entry", "hentry"),
    "record": Thing(("Dataset", "CreativeWork"), "h-item", "hentry"),
    "entry": Thing(("CollectionPage",), "", ""),
    "person": Thing(("Person",), "h-card", "vcard"),
    "company": Thing(("Organization",), "h-card", "vcard"),
}


def kinds_of(hosts: int, dice: Dice) -> list[str]:
    """A kind for each host, in the shares above however few hosts there are; the first is a directory."""
    counts = dict.fromkeys(KINDS, 0)
    chosen: list[str] = []
    for number in range(1, hosts + 1):
        kind = max(KINDS, key=lambda name: KINDS[name].share * number - counts[name])
        kind = kind if chosen else "directory"
        counts[kind] += 1
        chosen.append(kind)
    return [chosen[0], *dice.shuffled(chosen[1:])]
