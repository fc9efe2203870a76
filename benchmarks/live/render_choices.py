"""Which pages are rendered, on webs too large to render: ``python -m benchmarks render_choices``, a minute.

No browser: pages are rows of what ``rendering`` logs of such pages. Compared are the learned choice, the rule of
crawlee's adaptive crawler (its own class, if crawlee is installed; it takes time that grows with the square of the
pages, so it has small webs only) and an oracle that renders exactly what gives more. Processor times are measured:
a plain page, a rendered one, and a start of the browser for each 200 of these.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from importlib.util import find_spec
from typing import NamedTuple

from benchmarks.common import print_table
from benchmarks.live.crawlee_rule import CrawleeRule
from benchmarks.live.rendering import CRAWLEE, SETTLED
from sundog.engines.live.rendering.passed_over import PassedOver
from sundog.engines.live.rendering.records import SHELL, Plain, RenderRecords

PLAIN, RENDERED, START = 0.0018, 0.33, 1.1  # CPU seconds
A_BROWSER = 200
FROM_CRAWLEE = 1_500  # pages of a web at most
# By kind of site: the sign of its pages, what its items give plainly and when rendered, what home and lists give
KINDS = {
    "plain": ("tag manager", 1.0, 0.0, 0.0),
    "bare": ("scripts", 1.0, 0.0, 0.0),
    "state": ("framework", 1.0, 0.0, 0.0),
    "tags": ("tag manager", 0.0, 1.0, 0.0),
    "part": ("tag manager", 0.0, 1.0, 0.0),  # of three in ten items only
    "spa": ("framework", 0.0, 1.0, 0.0),
    "app": ("empty shell", 0.0, 1.0, 0.25),
}
OF_PART, A_LIST = 0.3, 12  # items
TUNED = (1, 2)  # seeds of webs on which constants were chosen; those of CONFIRMED were looked at after that
CONFIRMED = (11, 12, 13)


class Case(NamedTuple):
    url: str
    plain: Plain
    gain: float
    leads_to: tuple[int, ...]  # places in the list of all

    @property
    def hides_links(self) -> bool:
        """Without a browser."""
        return self.plain.sign == SHELL


def web(kinds: dict[str, int], items: int, articles: int, seed: int) -> list[Case]:
    """So many sites of each kind; a home leads to lists and articles, a list to its items. From seed 10 sizes
    differ."""
    dice = random.Random(seed)
    cases: list[Case] = []
    for kind, number in kinds.items():
        for n in range(number):
            size = dice.choice((0.5, 1.0, 1.5)) if seed > 10 else 1.0
            cases += _site(f"{kind}{n}.test", kind, int(size * items), int(size * articles), len(cases), dice)
    return cases


def _site(host: str, kind: str, items: int, articles: int, first: int, dice: random.Random) -> Iterator[Case]:
    """Its home has the place ``first``, lists, items and articles come after that."""
    sign, plainly, more, of_lists = KINDS[kind]
    lists = max(1, items // A_LIST)
    items_at, articles_at, end = first + 1 + lists, first + 1 + lists + items, first + 1 + lists + items + articles
    home = (*range(first + 1, items_at), *range(articles_at, end))
    yield Case(f"https://{host}/", Plain(f"{host}/", sign, 0.0), of_lists, home)
    for n in range(lists):
        own = tuple(range(items_at + n * items // lists, items_at + (n + 1) * items // lists))
        yield Case(f"https://{host}/list/{n}", Plain(f"{host}/list/#", sign, 0.0), of_lists, own)
    for n in range(items):
        gain = 0.0 if kind == "part" and dice.random() > OF_PART else more
        yield Case(f"https://{host}/item/{n}", Plain(f"{host}/item/#", sign, plainly), gain, ())
    for n in range(articles):
        yield Case(f"https://{host}/blog/{n}", Plain(f"{host}/blog/#", sign, 0.0), 0.0, ())


class Figures(NamedTuple):
    data: float
    cpu: float
    right: float  # share of pages whose action was right, of those after the first of their template
    rendered: int

    @property
    def rate(self) -> float:
        return self.data / self.cpu


class Policy:
    """Renders nothing."""

    def renders(self, case: Case) -> bool:
        return False

    def learn(self, place: int, case: Case, was_rendered: bool) -> list[int]:
        """Returns the places of pages that are to be visited again."""
        return []


class Always(Policy):
    def renders(self, case: Case) -> bool:
        return True


class Oracle(Policy):
    def renders(self, case: Case) -> bool:
        return case.gain > 0


class Learned(Policy):
    def __init__(self) -> None:
        self._records, self._passed_over = RenderRecords(), PassedOver()

    def renders(self, case: Case) -> bool:
        return self._records.choose(case.plain, RENDERED / PLAIN, 0.0).render

    def learn(self, place: int, case: Case, was_rendered: bool) -> list[int]:
        self._records.learn(case.plain, was_rendered, case.gain if was_rendered else None)
        if not was_rendered:
            self._passed_over.add(case.plain, place)
        if not was_rendered or not case.gain:
            return []
        again = self._passed_over.like(case.plain)
        self._passed_over.take(case.plain)
        return again + self._passed_over.worth_a_look(self._may_look, self._records.looks)

    def _may_look(self, page: Plain) -> bool:
        return self._records.choose(page, RENDERED / PLAIN, 0.0).render


class ByCrawlee(Policy):
    def __init__(self, seed: int) -> None:
        self._rule, self._compares = CrawleeRule(seed), False
        asyncio.run(self._rule.begin())

    def renders(self, case: Case) -> bool:
        renders, self._compares = self._rule.predict(case.url)
        return renders

    def learn(self, place: int, case: Case, was_rendered: bool) -> list[int]:
        if self._compares:
            self._rule.learn(case.url, case.gain > 0)
        return []


def run(cases: list[Case], policy: Policy, seed: int) -> Figures:
    """Of the pages that are known one is fetched at random, until there is none. A page that is visited again was
    chosen upon before."""
    dice = random.Random(seed)
    led_to = {place for case in cases for place in case.leads_to}
    known = [place for place in range(len(cases)) if place not in led_to]
    came: set[int] = set()
    data, fetched, rendered, right, settled = 0.0, 0, 0, 0, 0
    seen: dict[str, int] = {}
    while known:
        at = dice.randrange(len(known))
        known[at], known[-1] = known[-1], known[at]
        place = known.pop()
        case, is_new = cases[place], place not in came
        came.add(place)
        is_rendered = policy.renders(case)
        fetched, rendered = fetched + 1, rendered + is_rendered
        data += case.plain.reward * is_new + (case.gain >= 1 and is_rendered)
        if is_rendered if case.hides_links else is_new:
            known += case.leads_to
        known += policy.learn(place, case, is_rendered)
        number = seen[case.plain.template] = seen.get(case.plain.template, 0) + is_new
        if number > SETTLED and is_new:
            settled += 1
            right += is_rendered == (case.gain > 0)
    cpu = fetched * PLAIN + rendered * RENDERED + -(-rendered // A_BROWSER) * START
    return Figures(data, cpu, right / max(1, settled), rendered)


def policies(cases: list[Case], seed: int) -> Iterator[tuple[str, Policy]]:
    yield "never", Policy()
    yield "always", Always()
    yield "oracle", Oracle()
    yield "learned", Learned()
    if len(cases) <= FROM_CRAWLEE and find_spec("crawlee"):
        yield CRAWLEE, ByCrawlee(seed)


def rows_of(name: str, cases: list[Case], seed: int) -> Iterator[tuple[str, ...]]:
    figures = {which: run(cases, policy, seed) for which, policy in policies(cases, seed)}
    always, never = figures["always"], figures["never"]
    need = sum(case.gain > 0 for case in cases) / len(cases)
    for which, found in figures.items():
        if which in ("oracle", "learned", CRAWLEE):
            yield (
                f"{name}, seed {seed}",
                f"{len(cases):,}",
                f"{need:.2f}",
                which,
                f"{found.rendered:,}",
                f"{found.data / always.data:.3f}",
                f"{found.rate / always.rate:.2f}",
                f"{found.rate / never.rate:.3f}" if need == 0 else "",
                f"{found.right:.3f}",
            )


# Sites of each kind, and the items and articles of one
A_THIRD = {"plain": 2, "tags": 2, "app": 3, "state": 1}
WEBS = {
    "a third": (A_THIRD, 24, 60),
    "a third, smaller": (A_THIRD, 16, 40),
    "mostly tags": ({"plain": 2, "tags": 5, "app": 1, "state": 1}, 60, 150),
    "a shop": ({"tags": 1}, 300, 150),
    "frameworks": ({"plain": 5, "spa": 4, "state": 2}, 60, 100),
    "frameworks, smaller": ({"plain": 5, "spa": 4, "state": 2}, 20, 40),
    "items, partly": ({"plain": 5, "part": 2, "app": 2}, 200, 200),
    "nothing": ({"bare": 10}, 3_500, 1_500),
    "nothing, tags": ({"plain": 10}, 3_500, 1_500),
    "nothing, frameworks": ({"state": 10}, 3_500, 1_500),
}


def main() -> None:
    rows: list[tuple[str, ...]] = []
    for name, (kinds, items, articles) in WEBS.items():
        for seed in (*TUNED, *CONFIRMED):
            rows += rows_of(name, web(kinds, items, articles, seed), seed)
    rows += rows_of("mostly items", web({"plain": 4, "tags": 2, "app": 3, "state": 1}, 700, 200, 1), 1)
    names = ("web", "pages", "need it", "policy", "rendered", "of always", "times always", "of never")
    print_table(f"Choices at a price of {RENDERED / PLAIN:.0f}", (*names, f"right after {SETTLED}"), rows)


if __name__ == "__main__":
    main()
