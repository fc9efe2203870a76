"""The pages and RDF documents of a host, written on request: the same bytes every time."""

from __future__ import annotations

import json
from collections.abc import Callable
from zlib import crc32

from sundog.demo_web.claims import listed, listed_with_markup
from sundog.demo_web.dice import Dice
from sundog.demo_web.entities import Entity, Field, brief, entity_of, json_ld
from sundog.demo_web.frame import CONTEXT, Frame, script
from sundog.demo_web.links import SiteLinks
from sundog.demo_web.markers import Marker, entity_html
from sundog.demo_web.site import STATIC, Item, Page, Site

DEEP = 0.64  # share of links to other hosts that lead to an inner page, as in the synthetic webs
NOINDEX = '<meta name="robots" content="noindex, follow">'
_PREFIXES = """@prefix dct: <http://purl.org/dc/terms/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix schema: <http://schema.org/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
"""


class Pages:
    """``friends`` are linked from every page, ``listing`` are sites that this host's own lists of links name."""

    def __init__(self, site: Site, friends: list[Site], listing: list[Site]) -> None:
        self.site, self.friends, self.listing = site, friends, listing
        self.frame = Frame(site, friends)
        self.links = SiteLinks(site)
        self._writers: dict[str, Callable[[Page, str, Dice], str]] = {
            "home": self._list,
            "section": self._list,
            "tag": self._list,
            "author": self._author,
            "static": self._static,
            "item": self._item,
        }

    def body(self, page: Page, path: str) -> bytes:
        """``path`` is the page's own, from the site's table."""
        site = self.site
        if page.kind == "document":
            return rdf_document(site, site.items[page.number], self.friends).encode()
        dice = Dice(site.plan.seed, site.plan.number, crc32(path.encode()))
        return self._writers[page.kind](page, path, dice).encode()

    def printed(self, item: Item) -> bytes:
        """An item's second URL: the same matter, nothing around it, and a canonical link."""
        return self.frame.bare(item.title, self._matter(item)[0], item.path).encode()

    def filtered(self, page: Page, path: str, query: str) -> bytes:
        """A list in another order, with every combination of filters a link away."""
        dice = Dice(self.site.plan.seed, crc32(query.encode()))
        items = dice.shuffled(listed(self.site, page))
        main = self._cards(items[: max(3, len(items) // 2)], set(), dice) + self.links.filters(path, query)
        return self.frame.write(f"{path} {query}", path, main, canonical=path, marked=False).encode()

    def calendar(self, month: str) -> bytes:
        """A month, and links to the months before and after it, without end."""
        found = [item for item in self.site.items if item.day.startswith(month)][:10]
        dice = Dice(self.site.plan.seed, crc32(month.encode()))
        main = f"<h1>{month}</h1>{self._cards(found, set(), dice)}{self.links.months(month)}"
        return self.frame.write(month, f"/calendar/{month}", main, marked=False).encode()

    def bait(self, number: int) -> bytes:
        """Behind robots.txt: as rich as a page can be, with links to more of the same."""
        item = self.site.items[number % len(self.site.items)]
        data = script(CONTEXT | {"@type": "Recipe", "name": item.title, "recipeIngredient": list(self.site.tags)})
        links = "".join(f'<a href="/private/{number * 3 + at}">{at}</a> ' for at in range(1, 4))
        return self.frame.write(item.title, f"/private/{number}", links, head=data).encode()

    def _item(self, page: Page, path: str, dice: Dice) -> str:
        site, labels = self.site, self.site.plan.language.labels
        item = site.items[page.number]
        main, head = self._matter(item)
        if site.plan.kind == "data":
            kind = "text/turtle" if site.document(item).endswith("ttl") else "application/ld+json"
            head += f'<link rel="alternate" type="{kind}" href="{site.document(item)}">'
            main += f'<p><a href="{site.document(item)}">{labels["data"]}</a></p>'
        main += self._outward(item, dice) + self.links.of_item(item, dice)
        section = site.sections[item.section][0].title()
        crumbs = self.frame.crumbs(("/", labels["home"]), (site.section_paths[item.section], section))
        return self.frame.write(item.title, path, main, crumbs=crumbs, head=head)

    def _matter(self, item: Item) -> tuple[str, str]:
        """The item itself, and what its markup puts in the head."""
        site, habit = self.site, self.site.plan.habit
        entity = entity_of(
            item.thing, site.subject(item), site.plan.language, site.stock, site.item_dice(item.number)
        )
        marked = site.is_marked(item)
        html = entity_html(entity, site.theme, self.frame.marker if marked else self.frame.plain)
        if not marked or habit.syntax != "jsonld":
            return html, ""
        data = script(CONTEXT | json_ld(entity, site.types))
        return html, f"{data[: len(data) // 2]}</script>" if site.is_broken(item) else data

    def _outward(self, item: Item, dice: Dice) -> str:
        """Links to other hosts: many from a directory's pages, few from others."""
        if item.thing == "entry":
            start = dice.below(max(1, len(self.listing)))
            sites = (self.listing[start:] + self.listing[:start])[: dice.between(6, 16)]
        else:
            sites = [dice.pick(self.friends)] if self.friends and dice.chance(0.3) else []
        return "".join(f"<p>→ {self._link_to(site, dice)}</p>" for site in sites)

    def _link_to(self, site: Site, dice: Dice) -> str:
        if dice.chance(DEEP):
            item = dice.pick(site.items)
            return f'<a href="{site.root}{item.path}">{item.title}</a>'
        return f'<a href="{site.root}/">{site.name}</a>'

    def _list(self, page: Page, path: str, dice: Dice) -> str:
        site, labels = self.site, self.site.plan.language.labels
        title = self._title(page)
        cards, head = self._marked_cards(page, dice)
        if page.kind == "tag" and site.plan.corners.noindex:
            head += NOINDEX
        pager = self.links.pager(page)
        filters = self.links.filters(path, "") if page.kind == "section" and site.plan.corners.filters else ""
        crumbs = self.frame.crumbs(("/", labels["home"]))
        return self.frame.write(title, path, f"<h1>{title}</h1>{cards}{pager}{filters}", crumbs=crumbs, head=head)

    def _title(self, page: Page) -> str:
        site = self.site
        more = f" ({page.page})" if page.page > 1 else ""
        match page.kind:
            case "section":
                return site.sections[page.number][0].title() + more
            case "tag":
                return site.tags[page.number].title() + more
        return site.name

    def _marked_cards(self, page: Page, dice: Dice) -> tuple[str, str]:
        site = self.site
        marked = listed_with_markup(site, page)
        head = ""
        if marked and site.plan.habit.syntax == "jsonld":
            things = [json_ld(brief(item.thing, site.subject(item)), site.types) for item in marked]
            head, marked = script(CONTEXT | {"@graph": things}), []
        return self._cards(listed(site, page), {item.number for item in marked}, dice), head

    def _cards(self, items: list[Item], marked: set[int], dice: Dice) -> str:
        theme = self.site.theme
        return (
            theme.listing[0]
            + "".join([self._card(item, item.number in marked, dice) for item in items])
            + theme.listing[1]
        )

    def _card(self, item: Item, is_marked: bool, dice: Dice) -> str:
        site, thing = self.site, item.thing
        marker: Marker = self.frame.marker if is_marked else self.frame.plain
        date = "startDate" if thing == "event" else "datePublished"
        css, href = site.theme.css, self.links.href(item.path, dice)
        return site.theme.card.format(
            attributes=marker.item(thing, f"{css}-card", about=href),
            href=href,
            title=f"<span{marker.value(thing, 'name', f'{css}-title')}>{item.title}</span>"
            if is_marked
            else item.title,
            name=item.title,
            more=f'<time{marker.value(thing, date, f"{css}-day")} datetime="{item.day}">{item.day}</time>'
            f'<p class="{css}-teaser">{dice.pick(site.stock)[:120]}</p>',
        )

    def _author(self, page: Page, path: str, dice: Dice) -> str:
        site, habit = self.site, self.site.plan.habit
        who = Entity(
            "person", (Field("name", "title", site.authors[page.number]), Field("jobTitle", "short", "Editor"))
        )
        html = entity_html(who, site.theme, self.frame.marker if habit.frame else self.frame.plain)
        cards, head = self._marked_cards(page, dice)
        if habit.frame and habit.syntax == "jsonld":
            head += script(CONTEXT | json_ld(who, site.types))
        if site.plan.corners.noindex:
            head += NOINDEX
        return self.frame.write(site.authors[page.number], path, html + cards, head=head)

    def _static(self, page: Page, path: str, dice: Dice) -> str:
        site, name = self.site, STATIC[page.number]
        title = site.plan.language.labels[name]
        text = "".join(f"<p>{dice.pick(site.stock)}</p>" for _ in range(dice.between(1, 6)))
        if name == "about":
            text += "".join(
                f'<p><a href="{there}">{who}</a></p>'
                for there, who in zip(site.author_paths, site.authors, strict=True)
            )
        if name == "links":
            text += "".join(f"<p>{self._home_of(other)}</p>" for other in [*self.friends, *self.listing])
        return self.frame.write(title, path, f"<h1>{title}</h1>{text}{self.links.extras_of_static(name)}")

    def _home_of(self, site: Site) -> str:
        return f'<a href="{site.root}/">{site.name}</a>'


def rdf_document(site: Site, item: Item, friends: list[Site]) -> str:
    """An item of a Linked Data host as Turtle or JSON-LD, whose names lead to more of them."""
    dice = site.item_dice(item.number)
    me, related = resource(site, item), [resource(site, dice.pick(site.items)) for _ in range(4)]
    others = [other for other in friends if other.plan.kind == "data"]
    see_also = [_any_resource(dice.pick(others), dice)] if others else []
    if site.document(item).endswith("ttl"):
        return _turtle(site, item, me, related, see_also)
    return json.dumps({
        "@context": {"@vocab": "http://purl.org/dc/terms/", "relation": {"@type": "@id"}, "seeAlso": {
            "@id": "http://www.w3.org/2000/01/rdf-schema#seeAlso", "@type": "@id"}},
        "@id": me, "@type": f"http://schema.org/{site.types['record']}", "title": item.title, "issued": item.day,
        "relation": related, "seeAlso": see_also,
    })  # fmt: skip


def resource(site: Site, item: Item) -> str:
    """The name of the thing itself; requests for it are redirected to its page or its document."""
    return f"{site.root}/resource/{1000 + item.number}"


def _any_resource(site: Site, dice: Dice) -> str:
    return resource(site, dice.pick(site.items))


def _turtle(site: Site, item: Item, me: str, related: list[str], see_also: list[str]) -> str:
    lines = [
        f"<{me}> a schema:{site.types['record']} ;",
        f'  dct:title "{item.title}"@{site.plan.language.code} ;',
        f'  dct:issued "{item.day}" ;',
        f'  dct:creator [ a foaf:Person ; foaf:name "{site.authors[item.author]}" ] ;',
        f"  foaf:page <{site.root}{item.path}> ;",
        *[f"  rdfs:seeAlso <{other}> ;" for other in see_also],
        f"  dct:relation {', '.join(f'<{other}>' for other in related)} .",
    ]
    return _PREFIXES + "\n".join(lines) + "\n"
