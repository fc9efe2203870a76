"""Distances, parts of URIs and hints of extensions, each against the obvious program."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from sundog.policies.linked import features, levenshtein, rdf_hints
from tests.kernels import exposed

distance, similarity = exposed(levenshtein.distance), exposed(levenshtein.similarity)
by_extension, part_hashes = exposed(rdf_hints.by_extension), exposed(features.part_hashes)
SCRATCH = levenshtein.new_scratch()


def blob_of(*texts: bytes) -> tuple[Any, list[int]]:
    return np.frombuffer(b"".join(texts) + b" ", np.uint8), np.cumsum([0, *map(len, texts)]).tolist()


@settings(deadline=None)
@given(st.binary(max_size=300), st.binary(max_size=300))
def test_the_distance_is_rapidfuzz_s(one: bytes, other: bytes) -> None:
    blob, (a, b, end) = blob_of(one, other)
    assert distance(blob, a, b, b, end, SCRATCH) == Levenshtein.distance(one, other)
    assert not SCRATCH[:256].any()


@settings(deadline=None)
@given(st.text("ab/", max_size=200), st.text("ab/", max_size=200), st.text("ab", max_size=80))
def test_so_is_that_of_strings_that_have_much_in_common(one: str, other: str, shared: str) -> None:
    first, second = (shared + one + shared).encode(), (shared + other + shared).encode()
    blob, (a, b, end) = blob_of(first, second)
    assert distance(blob, a, b, b, end, SCRATCH) == Levenshtein.distance(first, second)
    expected = Levenshtein.normalized_similarity(first[: levenshtein.LONGEST], second[: levenshtein.LONGEST])
    assert similarity(blob, a, b, b, end, SCRATCH) == pytest.approx(expected)


def parts(url: str) -> set[int]:
    blob, (low, high) = blob_of(url.encode())
    out = np.zeros(features.MOST_PARTS, np.uint64)
    return set(out[: part_hashes(blob, low, high, out)].tolist())


@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [
        ("http://a.org/x/1", "http://a.org/x/2", 6),  # all: numbers are alike
        ("http://a.org/x/1", "https://b.net/y/word", 0),
        ("http://a.org/x/1", "http://www.a.org/z/word", 2),  # scheme and domain
        ("http://a.org/x/a.rdf", "http://b.net/y/b.rdf", 3),  # scheme, extension, and its word
        ("http://a.org/d?id=1&q=2", "http://b.net/e?q=3", 3),  # scheme, no directory, a parameter's name
        ("http://a.org/#me", "http://b.net/#me", 3),  # scheme, no directory, fragment
    ],
)
def test_parts_that_two_uris_share(one: str, other: str, shared: int) -> None:
    assert len(parts(one) & parts(other)) == shared


@settings(deadline=None)
@given(st.text(max_size=600))
def test_any_text_has_parts_and_not_too_many(text: str) -> None:
    blob, (low, high) = blob_of(text.encode())
    out = np.zeros(features.MOST_PARTS + 1, np.uint64)
    assert 0 < part_hashes(blob, low, high, out) <= features.MOST_PARTS
    assert out[-1] == 0


def naive(url: str, pages_too: bool) -> int:
    name = re.search(r"(?:\.([a-z0-9]{1,8}))?\.([a-z0-9]{1,8})$", urlsplit(url).path.lower())
    if name is None:
        return rdf_hints.HARD
    extension = (
        name[1] if name[1] in rdf_hints.RDF_EXTENSIONS and name[2] in rdf_hints.PACKED_EXTENSIONS else name[2]
    )
    if extension in rdf_hints.RDF_EXTENSIONS:
        return rdf_hints.YES
    also = (*rdf_hints.PAGE_EXTENSIONS, *rdf_hints.PACKED_EXTENSIONS) if pages_too else ()
    no = extension in (*rdf_hints.OTHER_EXTENSIONS, *also)
    return rdf_hints.NO if no else rdf_hints.HARD


@pytest.mark.parametrize("pages_too", [False, True])
def test_hints_of_extensions(pages_too: bool) -> None:
    names = [
        *rdf_hints.RDF_EXTENSIONS,
        *rdf_hints.OTHER_EXTENSIONS,
        *rdf_hints.PAGE_EXTENSIONS,
        *rdf_hints.PACKED_EXTENSIONS,
        "nt.gz",
        "ttl.BZ2",
        "rdf.zip",
        "zip.rdf",
        "nt.gz.gz",
        "csv.gz",
        "php",
        "RDF",
        "x.rdf",
        "n3x",
        "rdf1",
    ]
    ends = ["", "?format=rdf", "#me.rdf", "/"]
    urls = [f"http://a.rdf/dir.ttl/name.{name}{end}" for name in names for end in ends]
    for url in [*urls, "http://a.rdf", "http://a.rdf/", "http://a.rdf?x", "", "rdf", "http://a.example/x.n1"]:
        blob, (low, high) = blob_of(url.encode())
        assert by_extension(blob, low, high, pages_too) == naive(url, pages_too), url
