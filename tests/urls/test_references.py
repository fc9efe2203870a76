"""Relative references: those of statements by RFC 3986, those of links as browsers resolve them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sundog.urls.references import Base, LinkResolver, _by_standard

RFC_3986 = {
    "g:h": "g:h", "g": "http://a/b/c/g", "./g": "http://a/b/c/g", "g/": "http://a/b/c/g/", "/g": "http://a/g",
    "//g": "http://g", "?y": "http://a/b/c/d;p?y", "g?y": "http://a/b/c/g?y", "#s": "http://a/b/c/d;p?q#s",
    "g#s": "http://a/b/c/g#s", ";x": "http://a/b/c/;x", "": "http://a/b/c/d;p?q", ".": "http://a/b/c/",
    "..": "http://a/b/", "../g": "http://a/b/g", "../..": "http://a/", "../../../g": "http://a/g",
    "/./g": "http://a/g", "/../g": "http://a/g", "g.": "http://a/b/c/g.", "..g": "http://a/b/c/..g",
    "./g/.": "http://a/b/c/g/", "g/./h": "http://a/b/c/g/h", "g;x=1/../y": "http://a/b/c/y", "g?y/../x": "http://a/b/c/g?y/../x",
}  # fmt: skip


@pytest.mark.parametrize("reference", RFC_3986)
def test_references_in_statements(reference: str) -> None:
    """The examples of RFC 3986, 5.4."""
    assert Base("http://a/b/c/d;p?q").resolve(reference) == RFC_3986[reference]


BASES = st.sampled_from(
    ["http://a.example/b/c?d", "https://x.y.example/", "http://EX.example/q", "http://1.2.3.4/a"]
)
REFERENCES = st.text("abA1.-_/?:%&=~!@+$,;()*\\'\"| é", max_size=12)
STARTS = st.sampled_from(["", "http://a.example/", "https://b.c.example", "http://", "//a.example/", "/", "../"])


@given(base=BASES, start=STARTS, reference=REFERENCES)
def test_the_short_cut_agrees_with_the_standard(base: str, start: str, reference: str) -> None:
    reference = start + reference
    assert LinkResolver(base).resolve(reference) == _by_standard(reference.strip(" \t\n\r\f"), base)


def test_pages_that_know_each_others_links() -> None:
    """What a link leads to is remembered by where it starts: by origin, or by directory."""
    bases = [
        "http://a.example/b/c?q",
        "http://a.example/b/d",
        "http://a.example/",
        "http://b.example/b/c",
        "http://a.example/x%20y/",
    ]
    references = [
        *RFC_3986,
        " /g",
        "http:g",
        "http:?g",
        "HTTP://g.example/",
        "http://g.example/a/../b",
        "https:g",
        "é",
        "g?u=http://x/",
    ]
    for base in (*bases, *reversed(bases)):
        for reference in references:
            expected = _by_standard(reference.strip(" ").partition("#")[0] or base, base)
            assert LinkResolver(base).resolve(reference) == expected, (base, reference)
