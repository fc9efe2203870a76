"""What a page was worth, by a setting that may be wrong."""

from __future__ import annotations

from typing import Any

import pytest

from sundog.contrib.rewards import ScrapedPage, reward_of
from sundog.errors import UsageError

BODY = b'<div itemscope itemtype="http://schema.org/Product"><b itemprop=name>x</b></div>'
PAGE = ScrapedPage("a response", "http://a.example/", lambda: BODY, "text/html")


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("items", 2),
        (str, 1),
        ("builtins.int", 1),
        ("type:schema:Product", 1),
        ("type:schema:Recipe", 0),
        (lambda response, items: len(response) + len(items), 12),
    ],
)
def test_rewards(setting: Any, expected: float) -> None:
    assert reward_of(setting, "REWARD")(PAGE, ["a", 1]) == expected


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ("tests.no_such.thing", "^REWARD = 'tests.no_such.thing' cannot be imported"),
        ("type:schema:Prodct", "^REWARD: .*Product"),
        (7, "^REWARD = 7 is no class of items and no function"),
    ],
)
def test_wrong_ones(setting: Any, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        reward_of(setting, "REWARD")
