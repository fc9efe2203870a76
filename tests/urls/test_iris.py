"""Every URL has an IRI that strict RDF parsers take."""

from __future__ import annotations

import pyoxigraph
import pytest
from ada_url import URL
from hypothesis import given
from hypothesis import strategies as st

from sundog.urls.iris import as_iri, is_strict_iri, local_name, page_iri
from tests.urls.local_names import LOCAL_NAMES

ODD = {
    "http://a.example/?f[x]=1": "http://a.example/?f%5Bx%5D=1",
    "http://a.example/?q=100%": "http://a.example/?q=100%25",
    "http://a.example/%zz": "http://a.example/%25zz",
    'http://a.example/{a}|b^c`d\\e"f<g>h i': "http://a.example/%7Ba%7D%7Cb%5Ec%60d%5Ce%22f%3Cg%3Eh%20i",
    "http://[::1]:80/a b": "http://[::1]:80/a%20b",
    "http://a.example/#a#b": "http://a.example/#a%23b",
    "http://a.example/é?ü=%C3%BC": "http://a.example/é?ü=%C3%BC",
    "http://exa mple.org/x": "http://exa%20mple.org/x",
    "mailto:a b@c.example": "mailto:a%20b@c.example",
}


@pytest.mark.parametrize("url", ODD)
def test_what_may_not_stand_in_an_iri_is_encoded(url: str) -> None:
    assert as_iri(url) == page_iri(url) == ODD[url]
    assert is_strict_iri(ODD[url])
    assert is_strict_iri(url) == (url == ODD[url])


@pytest.mark.parametrize("text", ["", "no scheme", "/path", "1http://a.example/", "http://a.example:port/"])
def test_what_is_no_absolute_iri(text: str) -> None:
    assert as_iri(text) is None
    assert not is_strict_iri(text)
    assert pyoxigraph.NamedNode(page_iri(text)).value == page_iri(text), "a page has a name all the same"


@given(
    st.text(st.characters(max_codepoint=0x2FF) | st.sampled_from('[]{}|^`\\"<> %#?/é\ufffe\ue000'), max_size=30)
)
def test_every_url_of_the_web_has_an_iri(rest: str) -> None:
    url = URL(f"http://a.example/{rest}").href
    iri = as_iri(url)
    assert iri is not None
    assert pyoxigraph.NamedNode(iri).value == iri
    assert as_iri(iri) == iri, "once is enough"


@given(st.text(max_size=30))
def test_any_text_at_all_can_name_a_page(text: str) -> None:
    pyoxigraph.NamedNode(page_iri(text))


@pytest.mark.parametrize(("iri", "name"), LOCAL_NAMES)
def test_the_last_part_is_what_people_call_it(iri: str, name: str) -> None:
    assert local_name(iri) == name
