"""The whole web: hosts with their plans, who links to whom, and an answer for every request."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from sundog.demo_web.answers import NOT_FOUND, Answer, Answers, address_of, forbidden_paths
from sundog.demo_web.corners import Corners, corners_of
from sundog.demo_web.dice import Dice
from sundog.demo_web.kinds import KINDS, habit_of, kinds_of, software_for
from sundog.demo_web.pages import Pages
from sundog.demo_web.site import Page, Plan, Site
from sundog.demo_web.themes import CHOICES, GENERAL
from sundog.demo_web.words import LANGUAGES

SMALLEST = 24  # pages of a host
TAIL = 0.9  # sizes fall with the rank to this power
LOCALITY = 0.7  # share of links to other hosts that stay in the community
SUBDOMAINS = (("www.", 0.6), ("", 0.25), ("blog.", 0.05), ("shop.", 0.05), ("m.", 0.05))
NAMES = (
    "amber birch cedar delta ember fable grove haven ivory jasper kestrel lumen maple north opal pebble quill "
    "river sable tundra umber velvet willow yonder zephyr"
).split()
ENDS = "barn bay court dale field forge gate house lane mill point press quay row stone wharf works yard".split()
MOST_REDIRECTS = 4
GOLDEN = 0.6180339887498949  # steps of this spread evenly over [0, 1)


class Web:
    """A function of its arguments: the same ones, the same bytes.

    ``pages`` is about the number of pages without what has no end. ``https`` is the share of hosts whose URLs
    begin so; ``corners=False`` leaves out all that is slow, broken, doubled or without end.
    """

    def __init__(
        self, seed: int = 1, hosts: int = 60, pages: int = 20_000, *, https: float = 0.6, corners: bool = True
    ) -> None:
        if hosts < 2 or pages < hosts * SMALLEST:
            raise ValueError(
                f"a web needs at least 2 hosts and {SMALLEST} pages per host, not {hosts} and {pages}"
            )
        if not 0.0 <= https <= 1.0:
            raise ValueError(f"a share of hosts is from 0 to 1, not {https:g}")
        self.seed, self.hosts = seed, hosts
        self._https, self._corners = https, corners
        self.sites = [Site(plan) for plan in self._plans(pages)]
        self._by_host = {site.plan.host: site for site in self.sites}
        self._answers: dict[str, Answers] = {}

    def _plans(self, pages: int) -> Iterator[Plan]:
        dice = Dice(self.seed, 1)
        kinds = kinds_of(self.hosts, dice)
        sizes = self._sizes(kinds, pages, dice)
        luck = {kind: dice.share() for kind in KINDS}  # spread evenly over the hosts of a kind
        names: set[str] = set()
        for number, kind in enumerate(kinds):
            luck[kind] = (luck[kind] + GOLDEN) % 1.0
            own = Dice(self.seed, 2, number)
            yield Plan(
                seed=self.seed,
                number=number,
                host=_host_name(own, names),
                scheme="https" if own.chance(self._https) else "http",
                kind=kind,
                size=sizes[number],
                language=own.weighted(LANGUAGES),
                software=own.weighted(software_for(kind)),
                theme=own.pick(CHOICES.get(kind, GENERAL)),
                habit=habit_of(kind, sizes[number] * self.hosts / pages, luck[kind], own),
                corners=corners_of(kind, number, own) if self._corners else Corners(),
            )

    def _sizes(self, kinds: list[str], pages: int, dice: Dice) -> list[int]:
        """Heavy-tailed: a few hosts have most of the pages."""
        ranks = dice.shuffled(range(self.hosts))
        weights = [KINDS[kind].size / (rank + 3) ** TAIL for kind, rank in zip(kinds, ranks, strict=True)]
        free = pages - SMALLEST * self.hosts
        return [SMALLEST + int(free * weight / sum(weights)) for weight in weights]

    @cached_property
    def friends(self) -> list[list[Site]]:
        """Whom each site links to; every site but the first is linked to by one before it."""
        communities = [KINDS[site.plan.kind].community for site in self.sites]
        found: list[list[Site]] = []
        for number, community in enumerate(communities):
            dice = Dice(self.seed, 3, number)
            near = [other for other, its in enumerate(communities) if its == community and other != number]
            chosen: set[int] = set()
            for _ in range(dice.between(2, 8)):
                drawn = dice.pick(near) if near and dice.chance(LOCALITY) else dice.below(self.hosts)
                chosen.add(min(drawn, near[dice.below(len(near))]) if near and dice.chance(0.3) else drawn)
            found.append([self.sites[other] for other in sorted(chosen - {number})])
        for number in range(1, self.hosts):
            before = Dice(self.seed, 4, number).below(number)
            if self.sites[number] not in found[before]:
                found[before].append(self.sites[number])
        return found

    def _listing(self, site: Site) -> list[Site]:
        """What a directory lists: a good part of the web, shuffled."""
        if site.plan.kind != "directory":
            return []
        dice = Dice(self.seed, 5, site.plan.number)
        return dice.shuffled([other for other in self.sites if other is not site and dice.chance(0.6)])

    @property
    def seeds(self) -> list[str]:
        """Home pages of a directory and of four other sites."""
        return [f"{site.root}/" for site in self.sites[:5]]

    def answers_of(self, host: str) -> Answers | None:
        answers = self._answers.get(host)
        if answers is None:
            site = self._by_host.get(host)
            if site is None:
                return None
            pages = Pages(site, self.friends[site.plan.number], self._listing(site))
            answers = self._answers[host] = Answers(pages)
        return answers

    def answer(self, host: str, target: str, accept: str = "") -> Answer:
        answers = self.answers_of(host)
        return answers.answer(target, accept) if answers else NOT_FOUND

    def proper_url(self, url: str) -> str:
        """The URL of the page that a request for this one leads to, after redirects and without parameters."""
        scheme, _, host, rest = url.split("/", 3)
        target = f"/{rest}"
        for _ in range(MOST_REDIRECTS):
            target = self.answer(host, target).location or target
        return f"{scheme}//{host}{address_of(target).path}"

    def forbids(self, host: str, target: str) -> bool:
        """Whether the host's robots.txt does."""
        site = self._by_host.get(host)
        return site is not None and site.plan.corners.robots == 200 and target.startswith(forbidden_paths(site))

    def is_packed(self, host: str) -> bool:
        return self._by_host[host].plan.corners.packed if host in self._by_host else False

    def pages(self) -> Iterator[tuple[str, Site, Page]]:
        """Every page that is not without end, by its URL."""
        for site in self.sites:
            for url, page in site.urls():
                yield url, site, page


def _host_name(dice: Dice, taken: set[str]) -> str:
    """Names say nothing about what a host holds."""
    while True:
        name = f"{dice.pick(NAMES)}-{dice.pick(ENDS)}"
        host = f"{dice.weighted(SUBDOMAINS)}{name}{dice.below(1_000) if name in taken else ''}.example"
        if host not in taken:
            taken.update((name, host))
            return host
