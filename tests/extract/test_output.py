"""A page says no more than a multiple of its own bytes: short pages that would make endless statements are cut."""

from __future__ import annotations

import json
import tracemalloc

import pytest

from sundog.extract import extract
from sundog.extract.output import A_STATEMENT, LEAST, MOST, room_of

URL = "http://example.com/page"
TEXT = "word " * 2_000
NAMES = [f"n{n}" for n in range(2_000)]


def names(prefix: str) -> str:
    return " ".join(prefix + name for name in NAMES)


def jsonld(document: object) -> str:
    return f"<script type=application/ld+json>{json.dumps(document)}</script>"


LONG = "http://v.example/" + "x" * 1_900 + "/"
HUGE = "http://v.example/" + "x" * 100_000 + "/"
PAGES = {
    "rdfa names x text": f"<p vocab=http://v.example/ property='{names('')}'>{TEXT}",
    "rdfa names x vocabulary": f"<p vocab='{HUGE}' property='{names('')}'>x",
    "rdfa names x prefix": f"<p prefix='a: {HUGE}' typeof='{names('a:')}'>x",
    "rdfa rel x children": f"<p rel='{names('foaf:')}'>" + "<a href=x></a>" * 2_000,
    "rdfa rel x children in lists": f"<p inlist rel='{names('foaf:')}'>" + "<a href=x></a>" * 2_000,
    "rdfa nested text": "<div property=dc:title>" * 400 + TEXT * 4,
    "rdfa nested text in lists": "<div inlist property=dc:title>" * 400 + TEXT * 4,
    "rdfa nested names": f"<div prefix='a: {HUGE}'>" + "<div about='[a:b]' typeof=foaf:Agent>" * 400,
    "rdfa copies": f"<div resource='#p' typeof=rdfa:Pattern><b property='{names('dc:')}'>x</b></div>"
    + "".join(f"<div about='#{n}'><link property=rdfa:copy href='#p'></div>" for n in range(2_000)),
    "microdata names x text": f"<p itemscope itemtype=http://v.example/T><b itemprop='{names('')}'>{TEXT}",
    "microdata names x type": f"<p itemscope itemtype={HUGE}T><b itemprop='{names('')}'>x",
    "microdata nested text": "<div itemscope>" + "<div itemprop=name>" * 400 + TEXT * 4,
    "microdata items x text": "".join(f"<p itemscope itemref=t>{n}</p>" for n in range(2_000))
    + f"<b id=t itemprop=name>{TEXT}",
    "opengraph names x text": f"<meta property='{names('og:')}' content='{TEXT}'>",
    "twitter names x text": f"<meta name='{names('twitter:')}' content='{TEXT}'>",
    "dublincore names x text": f"<meta name='{names('dc.')}' content='{TEXT}'>",
    "microformats nested text": "<div class=h-card>" + "<div class='p-name p-note p-org'>" * 100 + TEXT * 4,
    "microformats names x text": f"<div class=h-card><p class='{' '.join(f'p-{n}-a' for n in range(100))}'>{TEXT}",
    "jsonld terms x vocabulary": jsonld(
        {"@context": {"@vocab": LONG}, "@graph": [{name: 1 for name in NAMES} for _ in range(10)]}
    ),
    "jsonld values x vocabulary": jsonld({"@context": {"@vocab": LONG, "p": {"@type": "@vocab"}}, "p": NAMES}),
    "jsonld values x datatype": jsonld({"@context": {"@vocab": LONG, "p": {"@type": "x"}}, "p": NAMES}),
}


@pytest.mark.parametrize("case", PAGES)
def test_a_page_that_says_too_much_is_cut(case: str) -> None:
    body = PAGES[case].encode()
    tracemalloc.start()
    found = extract(body, base=URL, seconds=60)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    faults = [fault.reason for fault in found.faults if fault.syntax == case.partition(" ")[0]]
    assert any("too long for a page of its size" in reason for reason in faults), found.faults
    written = sum(sum(map(len, statement)) + A_STATEMENT for statement in found.statements)
    assert written <= room_of(len(body))
    assert peak < 100_000_000


def test_what_was_found_before_counts() -> None:
    found = extract(("<b property=dc:title>first</b>" + PAGES["rdfa names x text"]).encode(), base=URL)
    assert '"first"' in found.nquads()
    assert len(found.by_syntax["rdfa"]) > 10


def test_pages_that_repeat_little_are_whole() -> None:
    """Each statement here is ten times as long as its element."""
    cards = "".join(f"<b property=dc:title>{n}</b>" for n in range(5_000))
    found = extract(cards.encode(), base="http://example.com/" + "x" * 200)
    assert found.counts["rdfa"] == 5_000
    assert not found.faults


def test_a_base_that_no_url_can_have_is_none() -> None:
    found = extract(f"<base href='{HUGE}'><a href=x>x</a>".encode(), base=URL)
    assert [link.url for link in found.links] == ["http://example.com/x"]


def test_room() -> None:
    assert room_of(0) == LEAST
    assert room_of(10**9) == MOST
