"""Which URIs of a document are siblings."""

from __future__ import annotations

from collections import defaultdict

import pytest

from sundog.extract import statement_links
from sundog.extract.api import extract
from sundog.extract.statement_links import Follow

BASE = "http://a.example/doc"
TURTLE = """@prefix v: <http://v.example/> . @base <http://a.example/> .
<s1> v:p <o1>, <o2> . <s2> v:p <o3> .
<x> v:q "same" . <y> v:q "same" . <z> v:q "other" .
<s1> v:r <o1> . <s2> v:r <o1>, <o4> ."""


def groups_of(text: str, follow: Follow) -> set[frozenset[str]]:
    """Property and names of those that are in one group, without groups of one."""
    groups: dict[int, set[str]] = defaultdict(set)
    for link in extract(text.encode(), base=BASE, content_type="text/turtle").find_links(follow=follow):
        groups[link.group] |= {link.property[-1], link.url.rpartition("/")[2]}
    return {frozenset(group) for group in groups.values() if len(group) > 2}


def test_they_share_subject_and_property_or_property_and_object() -> None:
    objects = Follow(frozenset({"objects"}), siblings=True)
    assert groups_of(TURTLE, objects) == {frozenset({"p", "o1", "o2"}), frozenset({"r", "o1", "o4"})}
    subjects = Follow(frozenset({"subjects"}), siblings=True)
    assert groups_of(TURTLE, subjects) == {frozenset({"q", "x", "y"}), frozenset({"r", "s1", "s2"})}


def test_groups_are_not_made_if_nobody_asks() -> None:
    found = extract(TURTLE.encode(), base=BASE, content_type="text/turtle")
    plain, grouped = (
        found.find_links(follow=Follow(frozenset({"subjects", "objects"}), siblings=siblings))
        for siblings in (False, True)
    )
    assert {link.group for link in plain} == {0}
    assert [link._replace(group=0) for link in grouped] == plain


def test_links_of_a_page_keep_their_tag_path() -> None:
    page = b"""<div about=/s><a rel=http://v.example/p href=/o>o</a>
      <p><a rel=http://v.example/p href=/o2>o</a></div>
      <a href=/elsewhere>x</a>"""
    found = extract(page, base=BASE).find_links(follow=Follow(frozenset({"objects"}), siblings=True))
    assert [bool(link.tag_path) for link in found] == [True] * 3
    assert [link.group for link in found] == [1, 1, 0]


def test_connections_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statement_links, "MOST_CONNECTIONS", 10)
    seen = [(f"t{n}", "p", "s", False) for n in range(30)]
    groups = statement_links.sibling_groups(iter(seen))
    assert list(groups) == [(term, name) for term, name, *_ in seen]
    assert list(groups.values()) == [1] * 10 + [0] * 20
