"""Whether rendering a page will bring more than its plain version did, learned from those that were rendered.

There is no I/O and no chance here: the same pages in the same order give the same choices, so a log of what was
decided and what came of it restores everything.

A page is rendered if what that is expected to bring is worth its price. What it brings is believed from records of
the page's template, shrunk to those of the templates of its host, shrunk to those of all templates with the same
sign. Templates count once each, however many pages they have: one that needs no rendering says little of another.

A template that never gave more is looked at, and what such looks may cost is bounded: a few are free, more of
them where the chance is good, some come with the pages of the crawl, and most are earned by pages that did give
more. So a crawl that needs no browser pays next to nothing, and one that does is soon sure of all its templates. A
template of which nothing is expected is looked at again after 4, 16, 64 … pages, out of the same purse.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import Final, NamedTuple

# What is believed before anything was seen: of pages with this sign, how many give more when they are rendered; of
# those that gave something already, a fiftieth of that, and a fifth where other pages of the host did.
PRIOR: Final = {
    "empty shell": 0.6,
    "framework": 0.3,
    "tag manager": 0.15,
    "scripts": 0.05,
    "nothing to run": 0.0,
}
GIVES: Final = {"": 1.0, "host": 0.2, "page": 0.02}
# How many templates, or pages of one, the belief above each record weighs as much as.
OF_SIGN, OF_HOST, OF_TEMPLATE = 8.0, 6.0, 0.5
# Of an average gain, what a page must be expected to bring to be rendered: so much, and so much for each fetch of
# the price, even if nothing else could be fetched for it.
LEAST, A_FETCH = 0.04, 0.0004
CHECK_BASE: Final = 4
# Looks in vain that a crawl may have: so many by sign, and all of them together so much of what plain pages cost,
# and so many for each page that gave more. First pages of a template cost more: it may have no others, and what
# runs past is visited again if it turns out to give more. So do first pages of a host: the next one may have its
# data plainly. Not so empty shells, which hide their links, too.
FREE: Final = {"empty shell": 24.0, "framework": 10.0, "tag manager": 3.0, "scripts": 1.0}
OF_PLAIN, EARNED, FIRST_PAGES, FIRST_OF_HOST = 0.005, 3.0, 10, 30
A_START: Final = 600.0  # plain pages that cost as much as a browser's start, which the first look has to pay, too
SHELL: Final = "empty shell"
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
    def key(self) -> tuple[str, bool]:
        """Pages of a template that gave something and those that did not have little in common."""
        return self.template, self.reward > 0


class Choice(NamedTuple):
    """``expected``: what rendering is believed to bring; must reach ``least``. ``chance``: that it brings some.
    ``is_check``: it does not reach it, but the template was due."""

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
        if not self.render and self.expected >= self.least:
            return f"{verb}: {self.expected:.3g} more may come, but looks are rationed: this template must wait"
        return f"{verb}: {self.expected:.3g} more is expected, and {self.least:.3g} is worth the price"


@lru_cache(maxsize=1_000)  # most pages are like one before
def reason(chosen: Choice, sign: str, reward: float) -> str:
    """What is logged of a page with this sign and this reward."""
    return f"{chosen.why} (plain page: {sign}, reward {reward:g}; chance {chosen.chance:.3f})"


class _Record:
    """Of pages or of templates: how many were rendered, and the share of them that gave more."""

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


class _Kind(_Record):
    """Pages that are alike without being of one template: with this sign, on this kind of host. ``gives``: "page"
    if they gave something plainly, "host" if others of their host did. ``vain``: looks that brought nothing."""

    __slots__ = ("free_looks", "prior", "vain")

    def __init__(self, sign: str, gives: str) -> None:
        super().__init__()
        self.prior, self.free_looks = PRIOR[sign] * GIVES[gives], FREE.get(sign, 0.0) * GIVES[gives]
        self.vain = 0


class _Host:
    """``gives``: a plain page of it gave something."""

    __slots__ = ("gives", "kinds", "pages")

    def __init__(self) -> None:
        self.pages, self.gives = 0, False
        self.kinds: dict[_Kind, _Record] = defaultdict(_Record)


class _Sign:
    """Hosts on which it was seen, and those on which a page with it gave something."""

    __slots__ = ("giving", "hosts")

    def __init__(self) -> None:
        self.hosts: set[_Host] = set()
        self.giving: set[_Host] = set()

    @property
    def unexplained(self) -> float:
        """The share of hosts that gave nothing on such pages, as if there were one more: where most give, it is no
        sign of a browser's pages."""
        return (len(self.hosts) - len(self.giving) + 1) / (len(self.hosts) + 1)


class _Template(_Record):
    """Its pages that gave something, or those that did not. ``chance``: of pages with this ``sign``, as it was
    after so many ``changes`` in what is believed; it is asked for with every page, and changes with few."""

    __slots__ = ("chance", "changes", "host", "pages", "sign")

    def __init__(self, host: _Host) -> None:
        super().__init__()
        self.host, self.pages = host, 0
        self.chance, self.changes, self.sign = 0.0, -1, ""

    @property
    def is_due(self) -> bool:
        """After 4, 16, 64 … pages of the template."""
        number = self.pages + 1
        if number % CHECK_BASE:
            return False
        while number % CHECK_BASE == 0:
            number //= CHECK_BASE
        return number == 1


class RenderRecords:
    def __init__(self) -> None:
        self._kinds = {(sign, gives): _Kind(sign, gives) for sign in PRIOR for gives in GIVES}
        self._signs = {sign: _Sign() for sign in PRIOR}
        self._hosts: dict[str, _Host] = {}
        self._templates: dict[tuple[str, bool], _Template] = {}
        self._changes = 0  # of what chances are made of
        self._gains, self._wins = 0.0, 0
        self.plain = self.rendered = self.in_vain = 0

    def chance(self, page: Plain) -> float:
        """That rendering it brings more."""
        return self._chance(page, self._template(page))

    def looks(self, page: Plain) -> float:
        """How many pages of its template were rendered."""
        return self._template(page).count

    def has_won(self, page: Plain) -> bool:
        """Whether a page of its template gave more."""
        return self._template(page).wins > 0

    @property
    def has_gained(self) -> bool:
        """Whether any page gave more."""
        return self._wins > 0

    @property
    def gain(self) -> float:
        """Of a page that gave more."""
        return (1.0 + self._gains) / (1 + self._wins)

    def choose(self, page: Plain, price: float, fetch_worth: float, looking: int = 0) -> Choice:
        """``price``: of rendering a page, in fetches. ``fetch_worth``: what the crawl would get for each.
        ``looking``: looks of which nothing was heard yet."""
        template, gain = self._template(page), self.gain
        chance = self._chance(page, template)
        expected, least = chance * gain, max(gain * LEAST, gain * A_FETCH * price, price * fetch_worth)
        is_worth_it = chance > 0.0 and expected >= least
        if is_worth_it and template.wins > 0:
            return Choice(True, False, chance, expected, least)
        is_wanted = is_worth_it or (chance > 0.0 and template.is_due)
        render = is_wanted and self._may_look(page, template, price, looking)
        return Choice(render, render and not is_worth_it, chance, expected, least)

    def learn(self, page: Plain, was_rendered: bool, gain: float | None) -> None:
        """``gain``: what rendering has brought besides; None: it was not rendered, or that failed."""
        template, sign = self._template(page), self._signs[page.sign]
        host, kind = template.host, self._kind(page, template.host)
        template.pages += 1
        host.pages += 1
        sign.hosts.add(host)
        self.plain += 1
        self.rendered += was_rendered
        if was_rendered and not gain and not template.wins:
            self.in_vain += 1
            kind.vain += 1
        if page.reward > 0:
            self._changes += not host.gives
            host.gives = True
            sign.giving.add(host)
        if gain is not None:
            self._learn_gain(template, kind, gain)

    def _learn_gain(self, template: _Template, kind: _Kind, gain: float) -> None:
        self._changes += 1
        won = gain > 0
        before, is_new = template.share, not template.count
        template.add(won)
        for above in (kind, template.host.kinds[kind]):
            above.count += is_new
            above.wins += template.share - before
        if won:
            self._gains += gain
            self._wins += 1

    def _template(self, page: Plain) -> _Template:
        template = self._templates.get(page.key)
        if template is None:
            host = self._hosts.setdefault(page.host, _Host())
            template = self._templates[page.key] = _Template(host)
        return template

    def _kind(self, page: Plain, host: _Host) -> _Kind:
        return self._kinds[page.sign, "page" if page.reward > 0 else "host" if host.gives else ""]

    def _chance(self, page: Plain, template: _Template) -> float:
        if template.changes != self._changes or template.sign != page.sign:
            template.chance = self._chance_now(page, template)
            template.changes, template.sign = self._changes, page.sign
        return template.chance

    def _chance_now(self, page: Plain, template: _Template) -> float:
        kind = self._kind(page, template.host)
        if kind.prior == 0.0:
            return 0.0
        belief = kind.shrunk(kind.prior, OF_SIGN)
        belief = template.host.kinds[kind].shrunk(belief, OF_HOST)
        return template.shrunk(belief, OF_TEMPLATE)

    def _may_look(self, page: Plain, template: _Template, price: float, looking: int) -> bool:
        kind, cost = self._kind(page, template.host), template.count + 1
        if page.sign != SHELL:
            cost = max(cost, FIRST_PAGES / (template.pages + 1), FIRST_OF_HOST / (template.host.pages + 1))
        earned = max(0.0, OF_PLAIN * self.plain - A_START) / price + EARNED * self._wins
        is_free = (kind.vain + looking + 1) * cost <= kind.free_looks * self._signs[page.sign].unexplained
        return is_free or (self.in_vain + looking + 1) * cost <= earned
