"""Link headers come from strangers: any bytes are read, in linear time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sundog.fetch.link_headers import MOST_LINKS, rdf_links


def targets(*values: bytes) -> list[str]:
    return [link.target for link in rdf_links([(b"Link", value) for value in values])]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (b'<a>; rel="describedby"; type="text/turtle"', ["a"]),
        (b'<a>;rel=alternate;type=application/rdf+xml;q=1, <b>; rel="next describedby"', ["a", "b"]),
        (b'<a>; title="x, <b>; rel=describedby"; rel=next, <c>; rel=describedby', ["c"]),
        (b"<a>; REL=DescribedBy", ["a"]),
        (b"<a>; rel=alternate", []),
        (b'<a>; rel=describedby; type="text/html"', []),
        (b'<a>; rel="http://www.w3.org/ns/json-ld#context"; type="application/ld+json"', []),
        (b"<a; rel=describedby, b>; rel=describedby", ["a; rel=describedby, b"]),
        (b"", []),
        ("<ä>; rel=describedby".encode(), ["ä"]),
    ],
)
def test_links_to_rdf(value: bytes, expected: list[str]) -> None:
    assert targets(value) == expected


@given(st.lists(st.binary(max_size=200), max_size=5))
def test_any_bytes(values: list[bytes]) -> None:
    targets(*values)


@pytest.mark.parametrize(
    "value",
    [
        b"<" * 100_000,
        b"<a>" + b"; a" * 50_000,
        b'<a>; a="' + b"\\" * 99_999,
        b"<a>" + b" " * 99_999,
        b"<a>;rel=describedby," * 9_999,
    ],
)
def test_long_ones(value: bytes) -> None:
    assert len(targets(value)) <= MOST_LINKS
