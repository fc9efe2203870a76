"""What all pages of a host share: head, menu, column of links, footer. Written once per host."""

from __future__ import annotations

import json
from functools import cached_property

from sundog.demo_web.entities import Entity, Field, json_ld
from sundog.demo_web.markers import MARKERS, Marker, fields_html
from sundog.demo_web.site import STATIC, Site
from sundog.demo_web.themes import stylesheet

CONTEXT = {"@context": "https://schema.org"}


def script(data: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(data, ensure_ascii=False)}</script>'


class Frame:
    """``friends`` are the sites that this one links to from every page."""

    def __init__(self, site: Site, friends: list[Site]) -> None:
        self.site, self.friends = site, friends
        habit = site.plan.habit
        self.plain = Marker(site.types)
        self.marker = MARKERS[habit.syntax](site.types)

    def write(
        self,
        title: str,
        path: str,
        main: str,
        *,
        crumbs: str = "",
        head: str = "",
        canonical: str = "",
        marked: bool = True,
    ) -> str:
        """A whole page.

        ``canonical`` is its proper path if it is not ``path``; ``marked``: with the markup of the site itself.
        """
        site, theme, habit = self.site, self.site.theme, self.site.plan.habit
        url = site.root + (canonical or path)
        if canonical or site.plan.number % 3:  # many sites name the canonical URL of every page
            head += f'<link rel="canonical" href="{url}">'
        if habit.opengraph:
            head += (
                f'<meta property="og:title" content="{title}"><meta property="og:type" content="website">'
                f'<meta property="og:url" content="{url}">'
                f'<meta property="og:image" content="{site.root}/media/0.jpg">'
            )
        if marked and habit.frame and habit.syntax == "jsonld":
            head += self._owner_script
        before, after = self._around
        return (
            f"{self._opening}<title>{title} - {site.name}</title>{head}</head><body>{before}{crumbs}"
            f"{theme.main[0]}{main}{theme.main[1]}{after}{self._footer if marked else self._plain_footer}"
            "</body></html>"
        )

    def bare(self, title: str, main: str, canonical: str) -> str:
        """For printers: nothing around the text."""
        link = f'<link rel="canonical" href="{self.site.root}{canonical}">'
        return f"<!doctype html><html><head><title>{title}</title>{link}</head><body>{main}</body></html>"

    def crumbs(self, *links: tuple[str, str]) -> str:
        before, around, after = self.site.theme.crumbs
        return before + "".join([around.format(f'<a href="{path}">{text}</a>') for path, text in links]) + after

    @cached_property
    def _opening(self) -> str:
        site = self.site
        feed = (
            f'<link rel="alternate" type="application/{site.plan.corners.feed}+xml" href="/feed">'
            if site.plan.corners.feed
            else ""
        )
        return (
            f'<!doctype html><html lang="{site.plan.language.code}"><head><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width"><style>{stylesheet(site.theme)}</style>{feed}'
        )

    @cached_property
    def _around(self) -> tuple[str, str]:
        theme, aside = self.site.theme, self._aside
        top = theme.page[0] + self._menu
        return (top + aside, theme.page[1]) if theme.side == "left" else (top, aside + theme.page[1])

    @cached_property
    def _menu(self) -> str:
        site, labels, corners = self.site, self.site.plan.language.labels, self.site.plan.corners
        links = [("/", labels["home"])]
        links += [
            (site.path("section", section=number), name.title()) for number, (name, _) in enumerate(site.sections)
        ]
        links += [(site.path("static", name="about"), labels["about"])]
        if corners.calendar:
            links.append(("/calendar/2025-11", labels["calendar"]))
        before, around, after = site.theme.menu
        search = (
            f'<a rel="nofollow" href="/login">{labels["login"]}</a><a href="/search?q=">{labels["search"]}</a>'
        )
        return (
            before
            + "".join([around.format(f'<a href="{path}">{text}</a>') for path, text in links])
            + search
            + after
        )

    @cached_property
    def _aside(self) -> str:
        site, labels = self.site, self.site.plan.language.labels
        if not site.theme.side:
            return ""
        recent = "".join(f'<li><a href="{item.path}">{item.title}</a></li>' for item in site.items[:8])
        tags = " ".join(f'<a class="tag" href="{site.path("tag", tag=tag)}">{tag}</a>' for tag in site.tags[:15])
        opening, closing = site.theme.aside
        return (
            f"{opening}<h4>{labels['recent']}</h4><ul>{recent}</ul><h4>{labels['tags']}</h4><p>{tags}</p>"
            f"<h4>{labels['friends']}</h4><ul>{self._friends('<li>{}</li>')}</ul>{closing}"
        )

    def _friends(self, around: str) -> str:
        rel = ' rel="nofollow"' if self.site.plan.kind == "forum" else ""
        return "".join(around.format(f'<a{rel} href="{site.root}/">{site.name}</a>') for site in self.friends)

    @cached_property
    def _owner(self) -> Entity:
        phone = f"+49 {self.site.plan.number:06}"
        return Entity("company", (Field("name", "short", self.site.name), Field("telephone", "short", phone)))

    @cached_property
    def _owner_script(self) -> str:
        return script(CONTEXT | json_ld(self._owner, self.site.types))

    def _footer_with(self, marker: Marker) -> str:
        site, theme, labels = self.site, self.site.theme, self.site.plan.language.labels
        static = " ".join(f'<a href="{site.path("static", name=name)}">{labels[name]}</a>' for name in STATIC)
        owner = f"<div{marker.item('company', 'owner')}>{fields_html(self._owner, theme, marker)}</div>"
        friends = "" if theme.side else self._friends("{} ")
        return f"{theme.footer[0]}{static}{owner}{friends}{theme.footer[1]}"

    @cached_property
    def _plain_footer(self) -> str:
        return self._footer_with(self.plain)

    @cached_property
    def _footer(self) -> str:
        return self._footer_with(self.marker) if self.site.plan.habit.frame else self._plain_footer
