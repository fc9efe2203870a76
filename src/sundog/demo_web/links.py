"""Links within a host, with all that makes them less than neat: session ids, tracking, detours, dead ends."""

from __future__ import annotations

from sundog.demo_web.dice import Dice
from sundog.demo_web.kinds import SOFTWARE
from sundog.demo_web.site import Item, Page, Site

COLOURS, SIZES, ORDERS = ("red", "green", "blue", "grey"), ("s", "m", "l"), ("price", "name", "newest")
FILTERS = {"colour": COLOURS, "size": SIZES, "sort": ORDERS, "view": ("grid", "rows")}


class SiteLinks:
    def __init__(self, site: Site) -> None:
        self.site, self.corners = site, site.plan.corners
        self._index = SOFTWARE[site.plan.software].default

    def href(self, path: str, dice: Dice) -> str:
        """As some links of the host have it."""
        if self.corners.sessions:
            return f"{path}{'&' if '?' in path else '?'}sid={dice.hex()}"
        if self.corners.doubled_index and path.endswith("/") and dice.chance(0.3):
            return path + self._index
        return path

    def of_item(self, item: Item, dice: Dice) -> str:
        """From an item to its tags, its neighbours in time, and others that are like it."""
        site, labels = self.site, self.site.plan.language.labels
        tags = " ".join([f'<a rel="tag" href="{site.tag_paths[tag]}">{site.tags[tag]}</a>' for tag in item.tags])
        near = []
        if item.number:
            near.append(self._to_item(site.items[item.number - 1], dice))
        if item.number + 1 < len(site.items):
            near.append(self._to_item(site.items[item.number + 1], dice))
        section = site.by_section[item.section]
        alike = [self._related(dice.pick(section), dice) for _ in range(5)] + [
            self._related(dice.pick(site.items), dice)
        ]
        css = site.theme.css
        return (
            f'<p class="{css}-tags">{tags}</p><p class="{css}-near">{" ".join(near)}</p>'
            f'<h3>{labels["related"]}</h3><ul class="{css}-related"><li>{"</li><li>".join(alike)}</li></ul>'
            + self._extras_of_item(item)
        )

    def _extras_of_item(self, item: Item) -> str:
        extras = ""
        if self.corners.printing:
            mark = "&" if "?" in item.path else "?"
            extras += f'<a href="{item.path}{mark}print=1">{self.site.plan.language.labels["print"]}</a>'
        if self.corners.downloads and item.number % 5 == 0:
            extras += f'<a href="/download/{item.number}">PDF</a><a href="/api/items/{item.number}">API</a>'
        return extras

    def _to_item(self, item: Item, dice: Dice) -> str:
        return f'<a href="{self.href(item.path, dice)}">{item.title}</a>'

    def _related(self, item: Item, dice: Dice) -> str:
        """Where old links survive."""
        corners, path = self.corners, self.href(item.path, dice)
        if dice.chance(corners.gone):
            path = f"/removed/{item.number}"
        elif dice.chance(corners.moved):
            path = f"/old/{dice.between(1, 3)}/{item.number}"
        elif corners.tracking and dice.chance(0.5):
            path += f"{'&' if '?' in path else '?'}utm_source=related&utm_medium=web"
        return f'<a href="{path}">{item.title}</a>'

    def pager(self, page: Page) -> str:
        """The first pages of a list, the ones around this one, and the last."""
        site = self.site
        if page.kind == "section":
            last = site.pages_of(site.by_section[page.number])
        elif page.kind == "tag":
            last = site.pages_of(site.by_tag[page.number])
        else:
            return ""
        shown = sorted({1, 2, last, *range(max(1, page.page - 2), page.page + 3)} & set(range(1, last + 1)))
        before, around, after = site.theme.pager
        links = [
            f'<a href="{self._list_path(page, number)}">{number}</a>' for number in shown if number != page.page
        ]
        if page.page < last:
            following = self._list_path(page, page.page + 1)
            links.append(f'<a rel="next" href="{following}">{site.plan.language.labels["next"]}</a>')
        return before + "".join([around.format(link) for link in links]) + after

    def _list_path(self, page: Page, number: int) -> str:
        if page.kind == "tag":
            return self.site.path("tag", tag=self.site.tags[page.number], page=number)
        return self.site.path("section", section=page.number, page=number)

    def filters(self, path: str, query: str) -> str:
        """Every filter that is not set, added to those that are."""
        mark = "&" if "?" in path or query else "?"
        start = f"{path}{'&' if '?' in path else '?'}{query}" if query else path
        links = [
            f'<li><a href="{start}{mark}{name}={value}">{value}</a></li>'
            for name, values in FILTERS.items()
            if f"{name}=" not in query
            for value in values
        ]
        return f'<ul class="facets">{"".join(links)}</ul>'

    def months(self, month: str) -> str:
        year, number = int(month[:4]), int(month[5:7])
        back = f"{year - (number == 1)}-{(number - 2) % 12 + 1:02}"
        forth = f"{year + (number == 12)}-{number % 12 + 1:02}"
        labels = self.site.plan.language.labels
        return (
            f'<a href="/calendar/{back}">{labels["previous"]}</a> '
            f'<a rel="next" href="/calendar/{forth}">{labels["next"]}</a>'
        )

    def extras_of_static(self, name: str) -> str:
        """What static pages lead to besides."""
        if name == "contact" and self.corners.loop:
            return '<a href="/loop/1">Intranet</a>'
        if name == "about" and self.corners.forbidden:
            return '<a href="/private/1">Archive</a>'
        return ""
