"""From the links of a page to candidates."""

from __future__ import annotations

from sundog.model import Link
from sundog.scope.link_filter import LinkFilter
from sundog.scope.scope import Scope

HOST = "a.example"


def test_a_page_has_one_name_and_is_in_scope() -> None:
    it = LinkFilter(Scope(hosts=frozenset({HOST}), max_depth=2), nofollow=True)
    links = [
        Link("http://a.example/1?utm_source=x", "first"),
        Link("http://A.example/1", "second"),
        Link("http://b.example/"),
        Link("mailto:me@a.example"),
        Link("http://a.example/2", nofollow=True),
        Link("http://a.example/photo.jpg"),
        Link("http://a.example/sitemap.xml.gz"),
    ]
    kept = [Link("http://a.example/1", "first"), Link("http://a.example/sitemap.xml.gz")]
    assert it.admit(links, 1) == it.admit(links, 2) == kept
    assert it.admit(links, 3) == []
    assert [it.out_of_scope(url) for url in ("http://a.example/", "http://b.example/", "data:,x")] == [
        None,
        "host out of scope",
        "not an http(s) URL",
    ]
