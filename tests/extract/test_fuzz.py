"""Mutations of golden pages and files of RDF: whatever the bytes, extraction ends, and what it prints is valid.

``python -m tests.extract.test_fuzz COUNT [SEED]`` runs as many mutations as you like.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

import pyoxigraph
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.extract.rdf_samples import SAMPLES

from sundog.extract import extract
from sundog.extract.link_text import CONTEXT

PAGES = [path.read_bytes() for path in sorted((Path(__file__).parent.parent / "pages").glob("*/page.html"))]
PIECES = [
    *(
        b"<",
        b">",
        b'"',
        b"'",
        b"&",
        b"\x00",
        b"\xff",
        b"\xed\xa0\x80",
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b":",
        b"\\u",
        b"//",
    ),
    *(
        b" itemscope",
        b" itemprop=a",
        b" itemref=x",
        b" id=x",
        b" typeof",
        b" property=a:b",
        b" vocab=",
        b" rel=a:b",
    ),
    *(b" inlist", b" about=[", b" resource=_:x", b" datatype=rdf:HTML", b" lang=x-", b' class="h-card p-name"'),
    *(
        b"<script type=application/ld+json>",
        b"</script>",
        b'"@context":',
        b'"@id":',
        b'"@graph":',
        b'"@type":[',
        b"@list",
    ),
    *(
        b"@prefix ",
        b"@base <",
        b"_:b ",
        b"[ ",
        b"( ",
        b" ) .",
        b"<<( ",
        b" )>>",
        b"{| ",
        b'"""',
        b"^^<",
        b"@en",
        b" .\n",
    ),
    *(
        b"<!ENTITY a '&a;'>",
        b"&a;",
        b"rdf:parseType='Literal'",
        b"xml:base='",
        b"rdf:li",
        b"<![CDATA[",
        b"\xef\xbb\xbf",
    ),
    *(b"<base href=", b"<template>", b"<table>", b"<svg>", b"<!--", b"]]>", b"http://", b"%", b"\xf0\x9f\x8c\x9e"),
]
TYPES = [
    "text/html",
    "text/plain",
    "application/ld+json",
    "text/turtle",
    "application/rdf+xml",
    "application/n-quads",
]
SLOW = 8.0  # seconds for bytes that take milliseconds


def drawn(chance: random.Random) -> tuple[bytes, str]:
    """A mutated page, or a mutated file of RDF under its own type or another one."""
    if chance.randrange(3):
        content_type = chance.choice(["text/html"] * 5 + TYPES)
        return mutated(chance.choice(PAGES), chance.choice(PAGES), chance), content_type
    content_type, file = chance.choice(SAMPLES)
    other = chance.choice(SAMPLES)[1]
    return mutated(file, other, chance), content_type if chance.randrange(4) else chance.choice(TYPES)


def mutated(page: bytes, other: bytes, chance: random.Random) -> bytes:
    """A few random changes: cut, repeat, insert, swap, and pieces of another page."""
    for _ in range(chance.randint(1, 6)):
        start = chance.randrange(len(page) + 1)
        end = min(len(page), start + chance.randrange(40))
        change = chance.randrange(6)
        if change == 0:
            page = page[:start] + page[end:]
        elif change == 1:
            page = page[:start] + page[start:end] * chance.randint(2, 5) + page[end:]
        elif change == 2:
            page = page[:start] + chance.choice(PIECES) + page[start:]
        elif change == 3:
            page = page[:start] + bytes([chance.randrange(256)]) + page[start + 1 :]
        elif change == 4:
            cut = chance.randrange(len(other) + 1)
            page = page[:start] + other[cut : cut + 80] + page[start:]
        else:
            page = page[end:] + page[:start]
    return page


def check(body: bytes, content_type: str = "text/html") -> None:
    start = time.thread_time()
    found = extract(body, base="http://example.com/dir/page.html", content_type=content_type)
    _ = found.types, found.mf2, found.counts
    assert all(link.url.startswith(("http://", "https://")) for link in found.links)
    assert all(len(link.before) <= CONTEXT and len(link.after) <= CONTEXT for link in found.links)
    assert not any("Error" in fault.reason.partition(":")[0] for fault in found.faults), found.faults
    list(pyoxigraph.parse(found.nquads().encode(), format=pyoxigraph.RdfFormat.N_QUADS))
    assert time.thread_time() - start < SLOW


@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32))
def test_mutations_of_pages_and_files(seed: int) -> None:
    check(*drawn(random.Random(seed)))


@settings(deadline=None, max_examples=100)
@given(body=st.binary(max_size=200), content_type=st.sampled_from(TYPES))
def test_any_bytes(body: bytes, content_type: str) -> None:
    check(body, content_type)


def main(count: int, first: int = 0) -> None:
    """Many mutations, with what went wrong."""
    failed = 0
    for seed in range(first, first + count):
        body, content_type = drawn(random.Random(seed))
        try:
            check(body, content_type)
        except Exception as error:
            failed += 1
            print(f"seed {seed}, {content_type}: {type(error).__name__}: {str(error)[:300]}")
    print(f"{count:,} mutations, {failed:,} failed")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
