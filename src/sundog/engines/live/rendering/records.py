"""Whether rendering a page will bring more than its plain version did, learned from those that were rendered.

There is no I/O and no chance here: the same pages in the same order give the same choices, so a log of what was
decided and what came of it restores everything.

A page is rendered if what that is expected to bring is worth its price. What it brings is believed from records of
the page's template, shrunk to those of the templates of its host, shrunk to those of all templates with the same
sign. Templates count once each, however many pages they have: one that needs no rendering says little of another.
A template of which nothing is expected is looked at again after 4, 16, 64 … pages, as far as such checks stay a
small share of all that the crawl costs.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Final, NamedTuple

# What is believed before anything was seen: of pages with this sign, how many give more when they are rendered; of
# those that gave something already, a fiftieth of that.
PRIOR: Final = {
    "empty shell": 0.6,
    "framework": 0.3,
    "tag manager": 0.15,
    "scripts": 0.05,
    "nothing to run": 0.0,
}
GAVE_ALREADY: Final = 0.02
# How many templates, or pages of one, the belief above each record weighs as much as.
OF_SIGN, OF_HOST, OF_TEMPLATE = 8.0, 6.0, 1.0
# Of an average gain, what a page must be expected to bring to be rendered: so much, and so much for each fetch of
# the price, even if nothing else could be fetched for it.
LEAST, A_FETCH = 0.04, 0.0004
CHECK_BASE: Final = 4
CHECKS_SHARE: Final = 0.02  # of all that the crawl costs
FORGOTTEN: Final = 0.98  # what a record keeps of itself with each new page, so that a site may change


class Plain(NamedTuple):
    """What is known of a page when its plain version was read."""

    template: str  # begins with its host
    sign: str
    reward: float

    @property
    def host(self) -> str:
        return self.template.partition("/")[0]

    @property
    def kind(self) -> tuple[str, bool]:
        return self.sign, self.reward > 0


class Choice(NamedTuple):
    """``expected``: what rendering is believed to bring; must reach ``least``. ``chance``: that it brings some."""

    render: bool
    is_check: bool
    chance: float
    expected: float
    least: float

    @property
    def why(self) -> str:
        verb = "rendered" if self.render else "not rendered"
        if self.is_check:
            return f"{verb}: a check, for {self.expected:.3g} is expected and {self.least:.3g} would be worth it"
        return f"{verb}: {self.expected:.3g} more is expected, and {self.least:.3g} is worth the price"


class _Record:
    """Of a template's pages, or of templates: how many were rendered, and the share of them that gave more."""

    __slots__ = ("count", "wins")

    def __init__(self) -> None:
        self.count = self.wins = 0.0

    def add(self, won: bool) -> None:
        self.count = self.count * FORGOTTEN + 1
        self.wins = self.wins * FORGOTTEN + won

    @property
    def share(self) -> float:
        return self.wins / self.count if self.count else 0.0

    def shrunk(self, belief: float, weight: float) -> float:
        return (weight * belief + self.wins) / (weight + self.count)


class RenderRecords:
    def __init__(self) -> None:
        self._signs: dict[tuple[str, bool], _Record] = defaultdict(_Record)
        self._hosts: dict[tuple[str, str, bool], _Record] = defaultdict(_Record)
        self._templates: dict[tuple[str, bool], _Record] = defaultdict(_Record)
        self._pages: dict[tuple[str, bool], int] = defaultdict(int)  # of a template
        self._gains, self._wins = 0.0, 0
        self.plain = self.rendered = self.checks = 0

    def chance(self, page: Plain) -> float:
        """That rendering it brings more."""
        prior = PRIOR[page.sign] * (GAVE_ALREADY if page.reward > 0 else 1.0)
        if prior == 0.0:
            return 0.0
        belief = self._signs[page.kind].shrunk(prior, OF_SIGN)
        belief = self._hosts[page.host, *page.kind].shrunk(belief, OF_HOST)
        return self._templates[page.template, page.reward > 0].shrunk(belief, OF_TEMPLATE)

    def looks(self, page: Plain) -> float:
        """How many pages of its template were rendered."""
        return self._templates[page.template, page.reward > 0].count

    @property
    def gain(self) -> float:
        """Of a page that gave more."""
        return (1.0 + self._gains) / (1 + self._wins)

    def choose(self, page: Plain, price: float, fetch_worth: float) -> Choice:
        """``price``: of rendering a page, in fetches. ``fetch_worth``: what the crawl would get for each."""
        chance = self.chance(page)
        expected, least = chance * self.gain, self.gain * max(LEAST, A_FETCH * price)
        least = max(least, price * fetch_worth)
        if chance == 0.0:
            return Choice(False, False, 0.0, 0.0, least)
        if expected >= least:
            return Choice(True, False, chance, expected, least)
        is_check = self._is_due(page) and self._may_check(price)
        return Choice(is_check, is_check, chance, expected, least)

    def _is_due(self, page: Plain) -> bool:
        """After 4, 16, 64 … pages of the template."""
        number = self._pages[page.template, page.reward > 0] + 1
        while number % CHECK_BASE == 0:
            number //= CHECK_BASE
        return number == 1 and self._pages[page.template, page.reward > 0] > 0

    def _may_check(self, price: float) -> bool:
        cost = self.plain + price * self.rendered
        return price * (self.checks + 1) <= CHECKS_SHARE * cost + price * (self.checks == 0)

    def learn(self, page: Plain, choice_render: bool, is_check: bool, gain: float | None) -> None:
        """``gain``: what rendering has brought besides; None: it was not rendered, or that failed."""
        self._pages[page.template, page.reward > 0] += 1
        self.plain += 1
        self.rendered += choice_render
        self.checks += is_check
        if gain is None:
            return
        won = gain > 0
        template = self._templates[page.template, page.reward > 0]
        before, is_new = template.share, not template.count
        template.add(won)
        for above in (self._signs[page.kind], self._hosts[page.host, *page.kind]):
            above.count += is_new
            above.wins += template.share - before
        if won:
            self._gains += gain
            self._wins += 1
