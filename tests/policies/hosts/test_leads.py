"""Where pages lead: what is counted, what it is worth, and that lists and categories are found by it."""

from __future__ import annotations

import math
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sundog import CrawlSession, Decision, Fetched, Link
from sundog.policies.hosts.leads import count_lead, count_page, with_leads
from sundog.policies.hosts.templates import MOST_LEADS, VIEWS, Templates, new_templates
from tests.kernels import exposed

ARMS = 20
page_of, lead_to, worth_with = exposed(count_page), exposed(count_lead), exposed(with_leads)


def templates() -> Templates:
    """Arms of one coarse group, each with a fine one of its own."""
    tm = new_templates(ARMS)
    tm.arm_nodes[:] = -1
    tm.arm_nodes[:, 0] = 0
    tm.arm_nodes[:, 1] = 1 + np.arange(ARMS)
    return tm


def root(worth: float, expected: dict[int, float], page_worth: list[float], left: float) -> float:
    """By halving, of v = w + f·Σ nₐ·max(0, zₐ − v), where f leaves no more pages than may be fetched."""

    def missing(v: float) -> float:
        better = {arm: n for arm, n in expected.items() if page_worth[arm] > v}
        pages = sum(better.values())
        share = min(1.0, max(0.0, left - 1) / pages) if pages else 1.0
        return worth + share * sum(n * (page_worth[arm] - v) for arm, n in better.items()) - v

    low, high = worth, max([worth, *page_worth])
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if missing(middle) > 0 else (low, middle)
    return low


@given(
    st.lists(st.lists(st.integers(0, MOST_LEADS - 1), max_size=12), min_size=1, max_size=6),
    st.lists(st.floats(0.001, 0.999), min_size=MOST_LEADS, max_size=MOST_LEADS),
    st.floats(0.0, 1.0),
    st.sampled_from([1.0, 3.0, 1000.0]),
)
def test_the_worth_is_the_root(pages: list[list[int]], worths: list[float], worth: float, left: float) -> None:
    tm = templates()
    tm.page_worth[:MOST_LEADS] = worths
    counts: dict[int, float] = defaultdict(float)
    seen = 0.0
    for leads in pages:
        page_of(tm, 0)
        seen = 0.8 * seen + 1
        counts = defaultdict(float, {arm: 0.8 * n for arm, n in counts.items()})
        for arm in leads:
            lead_to(tm, 0, arm)
            counts[arm] += 1
    # the fine group has seen what the coarse one has, and shrinks toward it; that one shrinks toward nothing
    share = 1 / (seen + 1) + 1 / (seen + 1) / (seen + 1)
    expected = {arm: n * share for arm, n in counts.items()}
    found = worth_with(tm, 0, worth, left)
    # where fewer pages may be fetched than there are, steps are shorter than they could be
    near = 0.02 if left > sum(expected.values()) else 0.06
    assert found == pytest.approx(root(worth, expected, tm.page_worth.tolist(), left), abs=near)
    assert found >= worth
    assert found <= max(worth, *worths) + 1e-6


def test_a_new_template_leads_where_its_coarse_group_does() -> None:
    tm = templates()
    tm.page_worth[5] = 0.9
    for _ in range(4):
        page_of(tm, 0)
        for _ in range(10):
            lead_to(tm, 0, 5)
    never_fetched = worth_with(tm, 1, 0.1, 100.0)
    assert 0.1 < never_fetched <= worth_with(tm, 0, 0.1, 100.0) < 0.9


def test_what_nothing_is_known_of_is_worth_itself() -> None:
    tm = templates()
    assert worth_with(tm, 0, 0.25, 100.0) == 0.25
    tm.arm_nodes[0, :VIEWS] = -1  # of a host that was not opened
    assert worth_with(tm, 0, 0.25, 100.0) == 0.25


def test_what_better_pages_do_not_need_is_worth_nothing_more() -> None:
    tm = templates()
    tm.page_worth[5] = 0.3
    page_of(tm, 0)
    lead_to(tm, 0, 5)
    assert worth_with(tm, 0, 0.4, 100.0) == 0.4
    assert worth_with(tm, 0, 0.1, 1.0) == pytest.approx(0.1), "nothing may be fetched after it"


def test_the_rarest_makes_room() -> None:
    tm = templates()
    for arm in range(MOST_LEADS):
        for _ in range(arm + 2):
            lead_to(tm, 0, arm)
    lead_to(tm, 0, ARMS - 1)
    kept = {int(lead["arm"]): float(lead["pages"]) for lead in tm.leads[1]}
    assert kept == {ARMS - 1: 1.0, **{arm: arm + 2.0 for arm in range(1, MOST_LEADS)}}


# -- a shop: categories lead to lists, lists to products; notes lead to notes --------------------------

SHOP = "http://shop.example"
CATEGORIES, LISTS, PRODUCTS, NOTES = 12, 3, 8, 150


def links_of(url: str) -> list[str]:
    kind, _, rest = url.removeprefix(SHOP + "/").partition("/")
    match kind:
        case "":
            return [*(f"{SHOP}/note/{n}" for n in range(20)), *(f"{SHOP}/category/{n}" for n in range(CATEGORIES))]
        case "category":
            return [f"{SHOP}/list/{rest}/{n}" for n in range(LISTS)]
        case "list":
            return [f"{SHOP}/product/{rest}/{n}" for n in range(PRODUCTS)]
        case "note":
            return [f"{SHOP}/note/{n}" for n in range(int(rest), min(NOTES, int(rest) + 9))]
        case _:
            return [SHOP + "/"]


def found_in_shop(budget: int, **parameters: bool) -> int:
    session = CrawlSession(policy="sundog", budget=budget, **parameters)
    session.add([SHOP + "/"])
    while isinstance(decision := session.next_decision(), Decision):
        wanted = "/product/" in decision.url
        session.observe(decision, Fetched(float(wanted), [Link(url) for url in links_of(decision.url)]))
    return session.relevant


def test_lists_and_categories_are_found() -> None:
    every = CATEGORIES * LISTS * PRODUCTS
    least = every + CATEGORIES * LISTS + CATEGORIES + 1
    assert found_in_shop(least + 15) >= 0.97 * every
    assert found_in_shop(least + 15, ahead=False) < found_in_shop(least + 15)


def test_it_says_where_a_page_leads() -> None:
    session = CrawlSession(policy="sundog", budget=40)
    session.add([SHOP + "/"])
    waiting = ""
    while isinstance(decision := session.next_decision(), Decision):
        session.observe(
            decision, Fetched(float("/product/" in decision.url), [Link(u) for u in links_of(decision.url)])
        )
    for number in range(CATEGORIES * LISTS):
        url = f"{SHOP}/list/{number // LISTS}/{number % LISTS}"
        candidate = session.source.find(url)
        if candidate >= 0 and session.is_waiting(candidate):
            waiting = url
            leads = dict(session.leads(candidate))
            (products,) = [pages for like, pages in leads.items() if "/product/" in like]
            assert products == pytest.approx(PRODUCTS, rel=0.35)
    assert waiting, "no list waits"


def test_saved_and_loaded(tmp_path: Path) -> None:
    session = CrawlSession(policy="sundog", budget=60)
    session.add([SHOP + "/"])
    for _ in range(30):
        decision = session.next_decision()
        assert isinstance(decision, Decision)
        session.observe(
            decision, Fetched(float("/product/" in decision.url), [Link(u) for u in links_of(decision.url)])
        )
    session.save(tmp_path / "session")
    again = CrawlSession.load(tmp_path / "session")
    for _ in range(30):
        here, there = session.next_decision(), again.next_decision()
        assert isinstance(here, Decision)
        assert isinstance(there, Decision)
        assert here.url == there.url
        assert math.isclose(here.score, there.score)
        for one, decision in ((session, here), (again, there)):
            one.observe(
                decision, Fetched(float("/product/" in decision.url), [Link(u) for u in links_of(decision.url)])
            )
