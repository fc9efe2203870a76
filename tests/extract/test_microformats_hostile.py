"""No page breaks the parser, makes it slow, or makes something that JSON cannot hold."""

from __future__ import annotations

import json
import time
from typing import Any

import pyoxigraph
from hypothesis import given, settings
from hypothesis import strategies as st

from sundog.extract.dom import parse_html
from sundog.extract.microformats import parse, statements
from sundog.extract.microformats.classic import PROPERTIES, ROOTS
from sundog.extract.microformats.dates import join_date, time_of
from sundog.extract.microformats.parse import read_items
from sundog.extract.microformats.roots import VOCABULARY

URL = "http://example.com/"
WORDS = [
    *(f"h-{name}" for name in sorted(VOCABULARY)),
    *ROOTS,
    *sorted({name for table in PROPERTIES.values() for name in table}),
    *"p-name u-url u-photo dt-start dt-end e-content value value-title include item h-full h-x-y h-odd p-".split(),
]
TAGS = "div p a img span time abbr data object area video template td b".split()
VALUES = [
    "",
    " ",
    "#a",
    "#b",
    "a",
    "b c",
    "//[",
    "http://[::1",
    "javascript:x",
    "2009-06-26",
    "7pm",
    "25:99",
    "\x00",
    "é",
]
ATTRIBUTES = "id href src alt title datetime value data itemref headers rel lang".split()

classes = st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join)
attributes = st.dictionaries(
    st.sampled_from(ATTRIBUTES), st.sampled_from([*VALUES, "tag", "bookmark"]), max_size=4
)


@st.composite
def soup(draw: st.DrawFn) -> str:
    """Tags that open and close as they like, with classes of all vocabularies."""
    parts: list[str] = []
    for _ in range(draw(st.integers(1, 25))):
        tag = draw(st.sampled_from(TAGS))
        if draw(st.integers(0, 3)) == 0:
            parts.append(f"</{tag}>")
            continue
        others = "".join(f' {name}="{value}"' for name, value in draw(attributes).items())
        parts.append(f'<{tag} class="{draw(classes)}"{others}>{draw(st.sampled_from(VALUES))}')
    return "".join(parts)


@settings(max_examples=300, deadline=None)
@given(soup())
def test_any_soup_is_read(text: str) -> None:
    found = parse(parse_html(text), URL)
    assert json.loads(json.dumps(found)) == found
    lines = "".join(f"{' '.join(statement)} .\n" for statement in statements(found["items"]))
    list(pyoxigraph.parse(lines.encode(), format=pyoxigraph.RdfFormat.N_TRIPLES))


@settings(max_examples=300)
@given(st.lists(st.text(alphabet="0123456789-:TZ+apm. ", max_size=20), max_size=4))
def test_any_pieces_of_a_date_are_joined(pieces: list[str]) -> None:
    assert isinstance(join_date(pieces), str)
    assert all(isinstance(time_of(piece), str) for piece in pieces)


def seconds(text: str) -> float:
    document = parse_html(text)
    start = time.thread_time()
    found = parse(document, URL)
    elapsed = time.thread_time() - start
    json.dumps(found)
    statements(found["items"])
    return elapsed


def test_items_in_items() -> None:
    assert seconds('<div class="p-a h-card">' * 5_000 + "x") < 2


def test_properties_in_properties() -> None:
    deep = '<div class="h-entry">' + '<b class="p-name e-content u-url dt-start">' * 5_000
    assert seconds(deep + '<i class="value">x</i>' * 50_000) < 5


def test_roots_that_wait_for_evidence() -> None:
    assert seconds('<div class="h-odd">' * 5_000 + '<b class="p-name">' * 50_000) < 5


def test_many_items_below_deep_nesting() -> None:
    assert seconds("<div>" * 5_000 + '<a class="h-card" href=x>y</a>' * 20_000) < 5


def test_includes_of_everything_by_everything() -> None:
    ids = " ".join(f"i{i}" for i in range(300))
    cards = "".join(f'<div class="vcard" id="i{i}" itemref="{ids}"><b class="fn">x</b></div>' for i in range(300))
    assert seconds(cards) < 5
    assert seconds(f'<div class="vcard" itemref="{" ".join(map(str, range(100_000)))}">' + cards) < 5


def test_includes_of_a_large_part() -> None:
    large = '<div id="large">' + '<b class="note">x</b>' * 50_000 + "</div>"
    assert seconds(large + '<p class="vcard"><a class="include" href="#large"></a></p>' * 5_000) < 5


def test_the_first_items_of_too_much_are_kept() -> None:
    bomb = '<b class="p-note">' * 400 + '<img alt="x">' * 20_000
    found = parse(parse_html('<p class="h-card">Ada</p><div class="h-card">' + bomb), URL)
    assert found["items"][0]["properties"]["name"] == ["Ada"]


def test_long_attributes() -> None:
    spaced = f'<div class="h-event"><b class="dt-start"><i class="value">7{" " * 100_000}x</i>'
    assert seconds(spaced) < 1
    assert seconds(f'<div class="h-card {"p-x " * 200_000}">x') < 1
    assert seconds(f'<div class="hentry"><a href="x" rel="{"tag " * 200_000}">x') < 1


def test_nested_items_share_the_search_for_properties() -> None:
    """Many properties below many items: the innermost item's are looked at once, not once an item."""
    text = '<div class="h-card">' * 60 + '<b class="p-name">y</b>' * 20_000
    items: list[Any] = []
    read_items(parse_html(text), URL, items)  # without a time box, which a busy machine would exceed
    assert len(items) == 1
    assert items[0]["type"] == ["h-card"]
