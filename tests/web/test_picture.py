"""What of a page can be drawn, whatever is in it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sundog.patterns.example import page_tree
from sundog.patterns.example.tree import elements
from sundog.web.new.frame import SCRIPT, SHEET, frame_document, frame_policy
from sundog.web.new.picture import ATTRIBUTES, MOST_ELEMENTS, TAGS, Picture, picture_of
from sundog.web.new.picture_styles import safe_declarations, safe_sheet
from tests.engines.live.webs import HOME
from tests.web.sites import Site

LOADING = re.compile(r"url|src\(|image|expression|@import|@font-face|fixed", re.IGNORECASE)


def drawn(body: str) -> Picture:
    return picture_of(page_tree(body.encode(), HOME, "text/html"))


def texts(picture: Picture) -> list[Any]:
    return [part[1] for part in picture.parts if len(part) == 2 and part[1].strip()]


def test_only_what_is_in_the_lists() -> None:
    form = "<form action=/x onsubmit=a()><input><button onclick=b() name=n>Go</button></form>"
    body = f"{form}<svg><text>no</text></svg>"
    picture = drawn(
        f"<p onclick=c() data-x=1 class=k style='color:red;background:url(x)'>Hi</p>{body}<x-y href=z>Card</x-y>"
    )
    found = [part for part in picture.parts if len(part) == 4]
    assert all(tag in TAGS and set(attributes) <= ATTRIBUTES for _, _, tag, attributes in found)
    assert texts(picture) == ["Hi", "Go", "Card"]
    assert next(part[3] for part in found if part[2] == "p") == {"class": "k", "style": "color:red;"}
    assert not {"href", "src", "srcset", "name", "action", "is", "slot", "tabindex", "autofocus"} & ATTRIBUTES
    assert (
        not {"script", "style", "iframe", "object", "embed", "form", "input", "svg", "math", "base", "link"} & TAGS
    )


def test_numbers_are_those_of_the_page() -> None:
    page = page_tree(b"<p>a<script>x</script><b>c</b>", HOME, "text/html")
    every = elements(page)
    for number, _, tag, _ in (part for part in picture_of(page).parts if len(part) == 4):
        assert str(every[number].tag) == tag


def test_long_and_deep_pages_are_cut() -> None:
    long = drawn("<p><b>x</b></p>" * MOST_ELEMENTS)
    assert long.cut
    assert sum(len(part) == 4 for part in long.parts) == MOST_ELEMENTS
    assert drawn(f"<p>{'x' * 2_000_000}").cut
    assert not drawn("<div>" * 5_000 + "x").cut


@pytest.mark.parametrize(
    "sheet",
    [
        "p { background: URL( //evil ) }",
        r"p { background: u\72 l(//evil) }",
        r"p { background: \000075rl(//evil) }",
        "p { cursor: image-set('//evil' 1x); background: cross-fade(//evil) }",
        "@import '//evil'; @IMPORT url(//evil);",
        r"@\69mport '//evil';",
        "@font-face { font-family: x; src: url(//evil) }",
        "@media screen { @import '//evil'; p { background: url(//evil) } }",
        "@supports (background: url(//evil)) { p { color: red } }",
        "p { color: red; /* } */ background: url(//evil) }",
        'p { content: "\n; } q { background: url(//evil) }',
        "p { width: expression(alert(1)); -moz-binding: url(//evil); behavior: url(//evil) }",
        "p { position: fixed } q { POSITION :/**/ sticky }",
        "</style><script>alert(1)</script> p { background: url(//evil) }",
        "p { --x: url(//evil); background: var(--x) }",
    ],
)
def test_nothing_loads(sheet: str) -> None:
    assert not LOADING.search(re.sub(r"\\", "", safe_sheet(sheet)))
    assert "evil" not in safe_sheet(sheet)
    assert "evil" not in safe_declarations(sheet.partition("{")[2])


def test_what_is_harmless_stays() -> None:
    assert safe_sheet(r".md\:flex > a[href^='http'] { display: flex !important }") == (
        r".md\:flex > a[href^='http'] {display: flex !important;}"
    )
    assert safe_sheet("@media (max-width: 9em) { p { color: red } q { margin: 0 } }") == (
        "@media (max-width: 9em) {p {color: red;}q {margin: 0;}}"
    )


@example("'\\'\n{")  # the quotation mark at its end is escaped
@given(st.text(st.sampled_from("abu rl()[]{};:'\"\\/*@\n75 importsc-"), max_size=120))
def test_no_text_makes_a_sheet_that_loads(text: str) -> None:
    """What is written is read again as it was: nothing new appears in it."""
    safe = safe_sheet(text)
    assert "url(" not in safe.lower()
    assert safe_sheet(safe) == safe


def test_the_frame_runs_its_own_script_only(site: Site) -> None:
    answer = site.client.get("/new/frame")
    policy = answer.headers["content-security-policy"]
    assert policy == frame_policy()
    assert policy.startswith("sandbox allow-scripts; default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    assert "'self'" not in policy.replace("frame-ancestors 'self'", "")
    assert answer.text == frame_document()
    for path in (SCRIPT, SHEET):
        assert "</" not in path.read_text().replace("</small>", "")
