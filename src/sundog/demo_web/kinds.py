"""What a host is: its kind of site, the software behind its URLs, and its habit of markup.

Neither a kind's words nor its software tell whether a host has markup.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from sundog.demo_web.dice import Dice, at_share


class Kind(NamedTuple):
    """``things`` are what its sections hold, with weights; ``markup`` the chance that a host has any.

    ``share`` is of hosts, ``community`` is whom it links to, ``size`` scales the number of its pages. Adoption of
    markup follows what pays: recipes, shops and events get rich results from search engines, forums do not.
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


class Software(NamedTuple):
    """URL patterns, without the ``index.html`` and ``index.php`` that links may add.

    ``more`` is the second and later pages of a list, appended to the list's own URL.
    """

    section: str
    more: str
    item: str
    tag: str
    author: str
    static: str
    default: str = "index.html"  # what some links append to a path that ends in a slash


SOFTWARE = {
    "pretty": Software(
        "/{section}/", "page/{page}/", "/{section}/{slug}/", "/tag/{tag}/", "/author/{author}/", "/{name}/"
    ),
    "dated": Software(
        "/category/{section}/", "page/{page}/", "/{year}/{month}/{slug}/", "/tag/{tag}/", "/author/{author}/",
        "/{name}/",
    ),
    "files": Software(
        "/{section}/", "page{page}.html", "/{section}/{slug}.html", "/tags/{tag}.html", "/people/{author}.html",
        "/{name}.html",
    ),
    "query": Software(
        "/?cat={s}", "&paged={page}", "/?p={n}", "/?tag={tag}", "/?author={a}", "/?page_id={name}", "index.php"
    ),
    "script": Software(
        "/list.php?cat={s}", "&page={page}", "/show.php?id={n}", "/search.php?tag={tag}", "/user.php?id={a}",
        "/page.php?name={name}",
    ),
    "numbered": Software(
        "/c/{s}-{section}", "?page={page}", "/{n}-{slug}", "/t/{tag}", "/u/{author}", "/info/{name}"
    ),
    "nodes": Software(
        "/taxonomy/term/{s}", "?page={page}", "/node/{n}", "/tags/{tag}", "/user/{a}", "/content/{name}"
    ),
    "named": Software(
        "/{thing}s/{section}", "?page={page}", "/{thing}/{slug}", "/topics/{tag}", "/authors/{author}",
        "/about/{name}",
    ),
    "board": Software(
        "/viewforum.php?f={s}", "&start={page}0", "/viewtopic.php?t={n}", "/tags.php?tag={tag}",
        "/member.php?u={a}", "/help.php?topic={name}",
    ),
    "wiki": Software(
        "/wiki/Category:{section}", "?from={page}", "/wiki/{slug}", "/wiki/Tag:{tag}", "/wiki/User:{author}",
        "/wiki/Help:{name}",
    ),
    "linked": Software("/list/{section}", "?page={page}", "/page/{n}", "/tag/{tag}", "/agent/{a}", "/{name}"),
}  # fmt: skip

_COMMON = (("pretty", 3.0), ("dated", 2.0), ("files", 1.5), ("query", 1.0), ("numbered", 1.5), ("nodes", 1.0),
           ("named", 1.5), ("script", 1.0))  # fmt: skip
_SPECIAL = {
    "forum": (("board", 3.0), ("script", 1.0), ("pretty", 1.0)),
    "wiki": (("wiki", 4.0), ("pretty", 1.0)),
    "data": (("linked", 1.0),),
}


def software_for(kind: str) -> tuple[tuple[str, float], ...]:
    return _SPECIAL.get(kind, _COMMON)


SYNTAX_SHARES = (("jsonld", 0.50), ("microdata", 0.25), ("mf2", 0.09), ("classic", 0.06), ("rdfa", 0.10))
SIZE_SLOPE = 0.45  # log-odds of markup per e-fold of size, as in the synthetic webs: large sites have staff
LAPSES = 0.03  # items that an editor has spoilt, so that they have no markup


class Habit(NamedTuple):
    """Which syntax, on which pages: decides both what is written and what is true.

    On real sites markup is the host's decision first and the template's second: in the development data a third
    of the hosts has none, a third has it on all pages, the others on some templates or on newer pages only.
    ``syntax`` is '' for none; ``things`` are the kinds of items that are marked up.

    ``frame``: every page names the site's owner; ``lists``: lists mark up what they list; ``covered``: share of
    the items, newest first, that have markup, because older ones were made with older software; ``broken``:
    share of items whose JSON-LD cannot be parsed.
    """

    syntax: str = ""
    things: frozenset[str] = frozenset()
    frame: bool = False
    lists: bool = False
    covered: float = 1.0
    broken: float = 0.0
    opengraph: bool = False


def habit_of(kind: str, size: float, luck: float, dice: Dice) -> Habit:
    """``luck`` in [0, 1) decides on markup and syntax, the dice on the rest. ``size`` 1 is the mean of hosts."""
    opengraph = dice.chance(0.35)
    chance = _markup_chance(KINDS[kind].markup, size)
    if luck >= chance:
        return Habit(opengraph=opengraph)
    syntax = at_share(luck / chance, SYNTAX_SHARES)
    things = [thing for thing, _ in KINDS[kind].things]
    kept = frozenset(thing for at, thing in enumerate(things) if at == 0 or dice.chance(0.7))
    frame = dice.chance(0.45)
    if frame and dice.chance(0.15):
        kept = frozenset()  # only a theme that names the owner
    return Habit(
        syntax,
        kept,
        frame=frame,
        lists=dice.chance(0.6 if syntax in ("mf2", "classic") else 0.2),
        covered=dice.weighted(((1.0, 0.75), (0.7, 0.15), (0.4, 0.1))),
        broken=0.04 if syntax == "jsonld" and dice.chance(0.25) else 0.0,
        opengraph=opengraph,
    )


def _markup_chance(base: float, size: float) -> float:
    if base <= 0.0:
        return 0.0
    return 1.0 / (1.0 + math.exp(-math.log(base / (1.0 - base)) - SIZE_SLOPE * math.log(size)))
