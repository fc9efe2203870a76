"""Golden pages, one a rule of the microformats2 parsing specification and of the classic formats; and the RDF."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sundog.extract.dom import parse_html
from sundog.extract.guards import TimeBox
from sundog.extract.microformats import parse, read_microformats, statements
from sundog.extract.microformats.roots import may_have_roots
from sundog.extract.page import HtmlPage

PAGES = Path(__file__).parent.parent / "pages"
URL = "http://example.com/dir/page.html"
CASES = sorted(path.name for path in PAGES.glob("mf[12]-*"))


def read(text: str) -> dict[str, Any]:
    page = HtmlPage(parse_html(text), URL)
    return parse(page.document, page.base.url)


def plain(value: Any) -> Any:
    """As JSON, with white space that a page would not show made one space."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [plain(each) for each in value]
    return " ".join(value.split())


@pytest.mark.parametrize("case", CASES)
def test_golden_page(case: str) -> None:
    expected = json.loads((PAGES / case / "expected.json").read_text(encoding="utf-8"))
    found = read((PAGES / case / "page.html").read_text(encoding="utf-8"))
    assert {key: plain(found[key]) for key in expected} == plain(expected)


def test_there_are_golden_pages() -> None:
    assert len(CASES) > 40


@pytest.mark.parametrize("case", CASES)
def test_no_page_with_items_is_passed_over(case: str) -> None:
    """The quick check of a page's classes never misses one."""
    document = parse_html((PAGES / case / "page.html").read_bytes())
    has_items = bool(parse(document, "http://example.com/")["items"])
    assert may_have_roots(document.classes()) or not has_items


def test_statements() -> None:
    items = read(
        '<div class="h-entry" lang="en"><h1 class="p-name">Hi "you"</h1><img class="u-photo" src="/a.png" alt="A">'
        '<time class="dt-published">2001-01-01</time><a class="p-author u-author h-card" href="/ada">Ada</a>'
        '<div class="e-content">Some <b>text</b></div><p class="p-note"></p><b class="p-location adr">Here</b>'
        '<div class="h-cite"><a class="u-url" href="a b">x</a></div></div>'
    )["items"]
    found = [" ".join(statement) for statement in statements(items)]
    mf = "http://microformats.org/profile/"
    a = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
    assert found == [
        f"_:f1 {a} <{mf}h-entry>",
        f'_:f1 <{mf}name> "Hi \\"you\\""@en',
        f'<http://example.com/a.png> <{mf}alt> "A"@en',
        f"_:f1 <{mf}photo> <http://example.com/a.png>",
        f'_:f1 <{mf}published> "2001-01-01"',
        f"_:f2 {a} <{mf}h-card>",
        f'_:f2 <{mf}name> "Ada"@en',
        f"_:f2 <{mf}url> <http://example.com/ada>",
        f"_:f1 <{mf}author> _:f2",
        f"_:f1 <{mf}author> _:f2",
        f'_:f1 <{mf}content> "Some text"@en',
        f'_:f1 <{mf}location> "Here"@en',
        f"_:f3 {a} <{mf}h-cite>",
        f"_:f3 <{mf}url> <http://example.com/dir/a%20b>",
        f'_:f3 <{mf}name> "x"@en',
        f"_:f1 <{mf}children> _:f3",
    ]


@pytest.mark.parametrize("case", CASES)
def test_statements_do_not_need_markup(case: str) -> None:
    page = HtmlPage(parse_html((PAGES / case / "page.html").read_text(encoding="utf-8")), URL)
    found: list[tuple[str, str, str]] = []
    read_microformats(page, TimeBox(10), found)
    assert found == statements(parse(page.document, page.base.url)["items"])
