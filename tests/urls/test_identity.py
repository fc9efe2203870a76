"""URLs of one page have one identity, and it is its own."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sundog.urls.identity import LONGEST, identity

SAME = {
    "https://a.example/": "https://A.EXAMPLE https://a.example:443/ https://a.example/? https://a.example/#x "
    "https://a.example/index.html https://a.example/./index.php?utm_source=mail https://a.example./ "
    "https:\\\\a.example https://a.example/b/.. https://a.example/%2e/",
    "http://a.example/x?id=1&b=2": "http://a.example:80/x?id=1&b=2&utm_medium=x "
    "http://a.example/x?gclid=7&id=1&b=2 http://a.example/x?id=1&PHPSESSID=abc&b=2 "
    "http://a.example/x;jsessionid=1F?id=1&b=2 "
    "http://a.example/x?&id=1&&b=2& http://a.example/x?id=1&sid=0123456789abcdef01&b=2&Fbclid=z",
    "http://a.example/~me/%C3%A9": "http://a.example/%7Eme/é http://a.example/%7eme/%c3%a9",
    "http://xn--mnchen-3ya.example/": "http://münchen.example/ http://M%C3%BCnchen.example",
    "http://127.0.0.1/": "http://0x7f.1/ http://2130706433",
    "http://a.example/(x)/y": "http://a.example/(x)/(S(lit3py55t21z5v55vlm25s55))/y",
}
DIFFERENT = """http://a.example/ https://a.example/ http://www.a.example/ http://a.example:8080/ http://a.example/A
http://a.example/a http://a.example/a/ http://a.example/a%2Fb http://a.example/a/b http://a.example/?a http://a.example/?a=
http://a.example/?A=1 http://a.example/?a=1 http://a.example/?s=shoes http://a.example/index.php?id=1 http://a.example/?id=1
http://a.example//a http://a.example/?a=%26b http://a.example/myindex.html""".split()
NONE = """mailto:me@a.example javascript:void(0) ftp://a.example/ data:,x http:// //a.example /path tel:1
http://me:pass@a.example/ http://[::1 http://a%b.example/ about:blank""".split()


@pytest.mark.parametrize(("expected", "url"), [(key, url) for key, urls in SAME.items() for url in urls.split()])
def test_urls_of_one_page(expected: str, url: str) -> None:
    assert identity(url) == expected
    assert identity(expected) == expected


def test_urls_of_different_pages() -> None:
    assert [identity(url) for url in DIFFERENT] == DIFFERENT


@pytest.mark.parametrize("url", [*NONE, "http://a.example/" + "x" * LONGEST, "http://a.example/\ud800", ""])
def test_what_is_no_page(url: str) -> None:
    assert identity(url) is None


words = st.sampled_from(
    ". .. a B %41 %2e %2E%2e %7e %zz é index.html default.aspx ;jsessionid=1 ..;jsessionid=1 .;sid=2 (S( "
    "(S(lit3py55t21z5v55vlm25s55)) // ; utm_a=1 sid=0123456789abcdef0 = & ? # \\ : @ [ %3B %3bsid=4".split()
)
paths = st.lists(st.one_of(words, st.just("/"), st.text(max_size=4)), max_size=12).map("".join)
hosts = st.sampled_from(
    "a.example A.example a.example. a..b . 1.2.3 a_b.example xn--a.example é.example [::1] a:80".split()
)


@given(st.sampled_from(["http", "https", "HTTP"]), hosts, paths)
def test_an_identity_is_its_own(scheme: str, host: str, path: str) -> None:
    once = identity(f"{scheme}://{host}/{path}")
    assert once is None or identity(once) == once


@given(st.text(max_size=60))
def test_any_text_has_an_identity_or_none(text: str) -> None:
    once = identity(text)
    assert once is None or identity(once) == once


def test_it_takes_no_time() -> None:
    hostile = [
        "http://a.example/" + part * 1_000 for part in ("a.", ";a", "(", "%41", "/..", "a/", "?&", "?sid=1&")
    ]
    began = time.process_time()
    for url in hostile:
        identity(url)
    assert time.process_time() - began < 0.5
