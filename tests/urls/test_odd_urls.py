"""The corpus of odd addresses: one name for one page, and what a browser would request."""

from __future__ import annotations

import pytest
from ada_url import URL, join_url
from hypothesis import given

from sundog.fetch.target import Target, parse_target
from sundog.urls.hosts import host_of
from sundog.urls.identity import LONGEST, identity
from sundog.urls.iris import is_strict_iri, page_iri
from sundog.urls.references import LinkResolver
from tests.urls.odd_urls import CORPUS, odd_references, odd_urls

BASE = "http://base.example/a/b?c"


def browser_href(reference: str) -> str | None:
    """What a browser makes of a link, without its fragment; None if it leads to no page of the Web."""
    try:
        href: str = join_url(BASE, reference)
    except ValueError:
        return None
    return href.partition("#")[0] if href.startswith(("http://", "https://")) else None


def check(reference: str) -> None:
    link = LinkResolver(BASE).resolve(reference)
    assert link == browser_href(reference)
    name = identity(link) if link is not None else None
    if link is None or name is None:
        return
    assert identity(name) == name, "a name is its own name"
    target = parse_target(name, max_length=LONGEST)
    assert isinstance(target, Target)
    asked = URL(name)
    assert (target.href, target.host, target.path) == (name, asked.host, asked.pathname + asked.search)
    assert host_of(name) == asked.host
    assert name.isascii(), "it can be sent as it is"
    assert is_strict_iri(page_iri(name))


@pytest.mark.parametrize("reference", CORPUS)
def test_the_corpus(reference: str) -> None:
    check(reference)


@given(odd_references | odd_urls)
def test_any_odd_reference(reference: str) -> None:
    check(reference)


SAME = [  # as RFC 3986 has it: escapes of letters, and the case of escapes
    ("http://a.example/%41%7E%2d", "http://a.example/A~-"),
    ("http://a.example/%c3%a9", "http://a.example/é"),
    ("http://a.example/?%61=%2f", "http://a.example/?a=%2F"),
    ("http://a.example/a\tb\n", "http://a.example/ab"),
    ("http://a.example/a\\b", "http://a.example/a/b"),
    ("http://a.example/%2e%2E/x", "http://a.example/x"),
    ("http://faß.example/", "http://xn--fa-hia.example/"),
]
DIFFERENT = [  # servers tell them apart
    ("http://a.example/a%2Fb", "http://a.example/a/b"),
    ("http://a.example/a%5Cb", "http://a.example/a/b"),
    ("http://a.example/?a+b", "http://a.example/?a%20b"),
    ("http://a.example/?a%2Bb", "http://a.example/?a+b"),
    ("http://a.example/a%3Fb", "http://a.example/a?b"),
    ("http://a.example/a%23b", "http://a.example/a"),
    ("http://a.example/a%3Bb", "http://a.example/a;b"),
    ("http://a.example/?f[]=1", "http://a.example/?f%5B%5D=1"),  # Tomcat refuses the first
    ("http://a.example/100%", "http://a.example/100%25"),
    ("http://a.example/%%341", "http://a.example/%41"),
    ("http://a.example/%4%31", "http://a.example/%41"),
    ("http://a.example/caf%E9", "http://a.example/caf%C3%A9"),
    ("http://a.example/e\u0301", "http://a.example/é"),
    ("http://a.example//a", "http://a.example/a"),
    ("http://a.example/a/", "http://a.example/a"),
    ("http://a.example/a;x", "http://a.example/a"),
    ("http://a.example:8080/", "http://a.example/"),
    ("http://a_b.example/", "http://a-b.example/"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_two_spellings_of_one_page(one: str, other: str) -> None:
    assert identity(one) == identity(other) is not None


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_two_pages(one: str, other: str) -> None:
    assert identity(one) != identity(other)
    assert None not in (identity(one), identity(other))
