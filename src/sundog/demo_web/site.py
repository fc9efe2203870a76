"""One host: its pages and their URLs. Bodies are not kept; ``pages.py`` writes them on request."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Literal, NamedTuple
from zlib import crc32

from sundog.demo_web.corners import SLOW, Corners
from sundog.demo_web.dice import Dice
from sundog.demo_web.entities import Subject
from sundog.demo_web.kinds import KINDS, LAPSES, SOFTWARE, THINGS, Habit
from sundog.demo_web.themes import THEMES
from sundog.demo_web.words import Language, filled, paragraphs, person, slug

PageKind = Literal["home", "section", "item", "tag", "author", "static", "document"]
STATIC = ("about", "contact", "privacy", "links")
SECTIONS = (
    "news stories garden city travel style weekend classics seasonal guides family culture green world ideas home"
).split()


class Item(NamedTuple):
    number: int  # 0 is the newest
    section: int
    thing: str
    title: str
    day: str
    path: str
    author: int
    tags: tuple[int, ...]


class Page(NamedTuple):
    """``number`` is that of the section, item, tag, author or static page; ``page`` counts pages of a list."""

    kind: PageKind
    number: int = 0
    page: int = 1


class Plan(NamedTuple):
    """What is decided about a host before it has pages."""

    seed: int
    number: int
    host: str
    scheme: str
    kind: str
    size: int
    language: Language
    software: str
    theme: int
    habit: Habit
    corners: Corners


class Site:
    """Made from its plan alone, when first used."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.root = f"{plan.scheme}://{plan.host}"
        self.theme = THEMES[plan.theme]
        self.types = {name: self._dice(len(name)).pick(thing.types) for name, thing in THINGS.items()}
        self.name = plan.host.removesuffix(".example").rpartition(".")[2].replace("-", " ").title()

    def _dice(self, *keys: int) -> Dice:
        return Dice(self.plan.seed, self.plan.number, *keys)

    def item_dice(self, number: int) -> Dice:
        return self._dice(11, number)

    @cached_property
    def stock(self) -> tuple[str, ...]:
        return paragraphs(self.plan.seed, self.plan.language)

    @cached_property
    def sections(self) -> list[tuple[str, str]]:
        """Name and thing of each; the kind's main thing comes first."""
        dice, size = self._dice(1), self.plan.size
        things = KINDS[self.plan.kind].things
        count = max(len(things), min(8, 1 + size // 40))
        drawn = [dice.weighted(things) for _ in range(count - len(things))]
        names = dice.shuffled(SECTIONS)
        return list(zip(names, [thing for thing, _ in things] + drawn, strict=False))

    @cached_property
    def tags(self) -> list[str]:
        dice, language = self._dice(2), self.plan.language
        words = dict.fromkeys((*language.food, *language.good, *language.material, *language.trade))
        return dice.shuffled([slug(word) for word in words])[: max(3, min(40, self.plan.size // 14))]

    @cached_property
    def authors(self) -> list[str]:
        dice = self._dice(3)
        return list(dict.fromkeys(person(dice) for _ in range(max(1, min(8, self.plan.size // 50)))))

    @cached_property
    def tag_paths(self) -> list[str]:
        return [self.path("tag", tag=tag) for tag in self.tags]

    @cached_property
    def author_paths(self) -> list[str]:
        return [self.path("author", author=number) for number in range(len(self.authors))]

    @cached_property
    def section_paths(self) -> list[str]:
        return [self.path("section", section=number) for number in range(len(self.sections))]

    @cached_property
    def _section_weights(self) -> list[tuple[int, float]]:
        weight = dict(KINDS[self.plan.kind].things)
        return [(at, weight[thing] / (1 + at % 3)) for at, (_, thing) in enumerate(self.sections)]

    @cached_property
    def items(self) -> list[Item]:
        lists = len(self.sections) + len(self.tags) + len(self.authors) + len(STATIC) + 1
        count = max(4, int((self.plan.size - lists) / (1.0 + 1.6 / self.theme.per_page)))
        if self.plan.kind == "data":
            count = max(4, count // 2)  # each has a document besides its page
        taken: set[str] = set()
        return [self._item(number, count, taken) for number in range(count)]

    def _item(self, number: int, count: int, taken: set[str]) -> Item:
        dice = self._dice(4, number)
        section = dice.weighted(self._section_weights)
        thing = self.sections[section][1]
        pattern = self.plan.language.titles.get(thing, "{style} {object}")
        title = filled(pattern, self.plan.language, dice)
        age = number * 3650 // count  # days; sites have grown over ten years
        day = f"{2025 - age // 365}-{12 - age % 365 // 31:02}-{1 + dice.below(28):02}"
        tags = tuple(sorted({dice.below(len(self.tags)) for _ in range(dice.between(1, 4))}))
        author = dice.below(len(self.authors))
        word = slug(title)
        path = self.path("item", section=section, slug=word, n=number, thing=thing, day=day)
        if path in taken:
            path = self.path("item", section=section, slug=f"{word}-{number}", n=number, thing=thing, day=day)
        taken.add(path)
        return Item(number, section, thing, title, day, path, author, tags)

    def path(
        self, kind: str, *, section: int = 0, slug: str = "", n: int = 0, thing: str = "", day: str = "2025-01-01",
        page: int = 1, tag: str = "", author: int = 0, name: str = "",
    ) -> str:  # fmt: skip
        """The URL's path and query; lists from their second page on have more of it."""
        software = SOFTWARE[self.plan.software]
        year, month, _ = day.split("-")
        pattern = getattr(software, kind) + (software.more if page > 1 else "")
        thing = thing or self.sections[section][1]
        who = self.authors[author % len(self.authors)].lower().replace(" ", "-") if kind == "author" else ""
        path: str = pattern.format(
            section=self.sections[section][0], s=section + 1, n=1000 + n, slug=slug, thing=thing, year=year,
            month=month, page=page, tag=tag, author=who, a=author + 1, name=name,
        )  # fmt: skip
        return path.replace(".htmlpage", "-page")

    @cached_property
    def by_section(self) -> list[list[Item]]:
        found: list[list[Item]] = [[] for _ in self.sections]
        for item in self.items:
            found[item.section].append(item)
        return found

    @cached_property
    def by_tag(self) -> list[list[Item]]:
        found: list[list[Item]] = [[] for _ in self.tags]
        for item in self.items:
            for tag in item.tags:
                found[tag].append(item)
        return found

    @cached_property
    def table(self) -> dict[str, Page]:
        """Every page by its path: what exists on this host, except what has no end."""
        pages = {"/": Page("home")}
        for section in range(len(self.sections)):
            for page in range(1, self.pages_of(self.by_section[section]) + 1):
                pages[self.path("section", section=section, page=page)] = Page("section", section, page)
        for number, tag in enumerate(self.tags):
            for page in range(1, self.pages_of(self.by_tag[number]) + 1):
                pages[self.path("tag", tag=tag, page=page)] = Page("tag", number, page)
        for number, path in enumerate(self.author_paths):
            pages[path] = Page("author", number)
        for number, name in enumerate(STATIC):
            pages[self.path("static", name=name)] = Page("static", number)
        for item in self.items:
            pages[item.path] = Page("item", item.number)
            if self.plan.kind == "data":
                pages[self.document(item)] = Page("document", item.number)
        return pages

    def pages_of(self, items: list[Item]) -> int:
        return max(1, -(-len(items) // self.theme.per_page))

    def document(self, item: Item) -> str:
        """The data of a record, as RDF; a host has one or the other form."""
        return f"/data/{1000 + item.number}.{'ttl' if self.plan.number % 2 else 'jsonld'}"

    def subject(self, item: Item) -> Subject:
        return Subject(
            item.title, item.day, item.path, self.authors[item.author], self.author_paths[item.author],
            f"/media/{item.number}.jpg", tuple(self.tags[tag] for tag in item.tags),
        )  # fmt: skip

    def is_marked(self, item: Item) -> bool:
        habit = self.plan.habit
        if not habit.syntax or item.thing not in habit.things or item.number >= habit.covered * len(self.items):
            return False
        return not self._dice(5, item.number).chance(LAPSES)

    def is_broken(self, item: Item) -> bool:
        """Its JSON-LD ends in the middle."""
        return self.plan.habit.broken > 0 and self._dice(6, item.number).chance(self.plan.habit.broken)

    def delay(self, path: str) -> float:
        """Seconds before the answer."""
        dice = self._dice(7, crc32(path.encode()))
        low, high = SLOW
        return low + (high - low) * dice.share() if dice.chance(self.plan.corners.slow) else 0.0

    def fails(self, item: Item) -> Literal["", "error", "reset"]:
        dice, corners = self._dice(8, item.number), self.plan.corners
        if dice.chance(corners.failing):
            return "error"
        return "reset" if dice.chance(corners.resetting) else ""

    def urls(self) -> Iterator[tuple[str, Page]]:
        for path, page in self.table.items():
            yield self.root + path, page
