"""What pages ask of robots, and of which."""

from __future__ import annotations

import pytest

from sundog.extract import extract
from sundog.extract.robot_tags import meta_tags, robot_tags

URL = "http://a.example/"


@pytest.mark.parametrize(
    ("texts", "may_index", "may_follow"),
    [
        ([], True, True),
        ([""], True, True),
        (["none"], False, False),
        (["max-snippet: 5, nofollow"], True, False),
        (["index, follow, max-image-preview:none"], True, True),
        (["googlebot: nofollow, sundog: noindex"], False, True),
        (["googlebot: nofollow", "noindex"], False, True),  # each header speaks for itself
        (["otherbot: none"], True, True),
        (["unavailable_after: 25 Jun 2010 15:00:00 PST, noindex"], False, True),
        (["nofollowing, all"], True, True),
    ],
)
def test_tags(texts: list[str], may_index: bool, may_follow: bool) -> None:
    assert robot_tags(texts, "sundog") == (may_index, may_follow)


def test_metas_may_name_a_robot() -> None:
    metas = [
        {"name": "MyBot", "content": "noindex"},
        {"name": "otherbot", "content": "none"},
        {"charset": "utf-8"},
    ]
    assert meta_tags(metas, "mybot") == (False, True)
    assert meta_tags(metas, "sundog") == meta_tags(metas) == (True, True)


@pytest.mark.parametrize(
    "content",
    ["index, follow, max-image-preview:none", "otherbot: nofollow", "max-snippet:-1"],
)
def test_links_of_pages_that_forbid_nothing_may_be_followed(content: str) -> None:
    body = f"<meta name=robots content='{content}'><a href=x>y</a><a href=z rel='nofollow'>z</a>"
    assert [link.nofollow for link in extract(body.encode(), base=URL).links] == [False, True]


def test_rel_is_a_list_of_words() -> None:
    body = b"<a href=x rel='x-nofollow-me'>x</a><a href=y rel='UGC NoFollow'>y</a>"
    assert [link.nofollow for link in extract(body, base=URL).links] == [False, True]
