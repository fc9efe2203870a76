"""What belongs to a crawl, and what would never end."""

from __future__ import annotations

import time
from typing import Any

import pytest

from sundog.errors import UsageError
from sundog.scope.scope import Scope
from sundog.scope.traps import Allowances, TrapBudgets, group_of, shape_trap


@pytest.mark.parametrize(
    ("fields", "inside", "outside"),
    [
        ({}, "http://a.example/", None),
        ({"hosts": frozenset({"a.example"})}, "http://a.example:8080/", "http://www.a.example/"),
        ({"hosts": frozenset({"a.example:8080"})}, "http://a.example:8080/", "http://a.example/"),
        ({"domains": frozenset({"a.example"})}, "http://x.y.a.example/", "http://nota.example/"),
        ({"paths": ("/shop/", "/blog")}, "http://a.example/blog/1", "http://a.example/shop"),
        ({"include": ("/item/[0-9]+$",)}, "http://a.example/item/7", "http://a.example/item/x"),
        ({"exclude": ("[?&]sort=", "/login")}, "http://a.example/?q=1", "http://a.example/?a=1&sort=up"),
        ({"skip_types": frozenset({"pdf"})}, "http://pdf.example/a.pdf/b", "http://a.example/b.PDF?x=1"),
    ],
)
def test_fields(fields: dict[str, Any], inside: str, outside: str | None) -> None:
    scope = Scope(**fields)
    assert scope.check(inside) is None
    assert outside is None or scope.check(outside)
    assert scope.check(inside) is None


def test_depth_and_language() -> None:
    scope = Scope(max_depth=2, languages=frozenset({"fr", "en-gb"}))
    assert [bool(scope.check("http://a.example/", depth)) for depth in (0, 2, 3)] == [False, False, True]
    tags = ["", "fr", "fr-CA", "en-GB", "en", "de"]
    assert [bool(scope.check("http://a.example/", 0, tag)) for tag in tags] == [
        False,
        False,
        False,
        False,
        True,
        True,
    ]


def test_around_seeds() -> None:
    seeds = ["https://www.shop.co.uk/x", "http://me.github.io/"]
    pages = ["https://www.shop.co.uk/y", "https://api.shop.co.uk/", "http://you.github.io/", "http://b.example/"]
    held = {
        extent: [Scope.around(seeds, extent).check(page) is None for page in pages]
        for extent in ("host", "domain")
    }
    assert held == {"host": [True, False, False, False], "domain": [True, True, False, False]}
    assert all(Scope.around(seeds, "web").check(page) is None for page in pages)


def test_wrong_patterns_are_said_at_once() -> None:
    with pytest.raises(UsageError, match=r"the pattern '\(' cannot be used: missing \)"):
        Scope(include=("(",))


def test_patterns_take_no_time() -> None:
    scope = Scope(exclude=("(a+)+$", "(a|a)*b", "(.*)*x$"), avoid_traps=False)
    began = time.process_time()
    scope.check("http://a.example/" + "a" * 2_000 + "!")
    assert time.process_time() - began < 0.2


@pytest.mark.parametrize(
    ("path", "query", "trapped"),
    [
        ("a/a/a/a/a", "", True),
        ("x/calendar/x/calendar/x/calendar/x/calendar/x/calendar", "", True),
        ("/".join(map(str, range(30))), "", True),
        ("", "&".join(f"f{number}=1" for number in range(30)), True),
        ("", "&".join(["tag=x"] * 10), True),
        ("2024/01/01/01/index", "a=1&b=2", False),
        ("docs/docs/tree/master/docs/themes/docs", "", False),
        ("", "a=1&b=2&c=3&d=4&e=5&f=6&g=7&h=8", False),
    ],
)
def test_shapes(path: str, query: str, trapped: bool) -> None:
    assert bool(shape_trap(path, query)) == trapped


@pytest.mark.parametrize(
    ("url", "family"),
    {
        "http://a.example/events/2024/05": "calendar",
        "http://a.example/cal?year=2024&month=5": "calendar",
        "http://a.example/2024/05/17/story": "plain",
        "http://a.example/list?page=7": "pages",
        "http://a.example/news/page/7/": "pages",
        "http://a.example/list?a=1&b=2&c=3": "filters",
        "http://a.example/product/12-345": "plain",
        "http://a.example": "plain",
    }.items(),
)
def test_families(url: str, family: str) -> None:
    assert group_of(url).family == family


def test_pages_of_a_list_are_one_group() -> None:
    keys = {group_of(f"http://a.example/l/{number}?page={number}").key for number in range(20)}
    assert len(keys) == 1


def crawl(rewards: list[float], budgets: TrapBudgets, most: int = 10_000) -> int:
    """How far a crawler goes down an endless list whose pages pay so in turn."""
    for number in range(most):
        group = group_of(f"http://a.example/list?page={number}")
        if not budgets.allows(group):
            return number
        budgets.observe(group, rewards[number % len(rewards)])
    return most


def test_a_list_that_pays_goes_on_and_one_that_does_not_ends() -> None:
    assert crawl([0.0], TrapBudgets(Allowances(pages=50))) == 50
    assert crawl([1.0, 0.0, 0.0], TrapBudgets(Allowances(pages=50))) == 10_000
    assert crawl([1.0] + [0.0] * 99, TrapBudgets(Allowances(pages=50, earned=10))) < 100


def test_plain_groups_have_no_budget_unless_it_is_set() -> None:
    group = group_of("http://a.example/x")
    free, bounded = TrapBudgets(), TrapBudgets(Allowances(plain=1))
    for budgets in (free, bounded):
        budgets.observe(group, 0.0)
    assert (free.allows(group), bounded.allows(group)) == (True, False)
