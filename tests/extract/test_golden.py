"""Golden pages: one for each rule of Microdata to RDF, JSON-LD in HTML, RDFa in HTML and the social metas."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph
import pytest

from sundog.extract import extract

PAGES = Path(__file__).parent.parent / "pages"
URL = "http://example.com/dir/page.html"
SYNTAXES = {
    "md": ["microdata"],
    "jsonld": ["jsonld"],
    "rdfa": ["rdfa", "opengraph"],
    "og": ["opengraph", "twitter", "dublincore"],
}
CASES = sorted(path.parent.name for path in PAGES.glob("*/expected.nq"))


def canonical(nquads: str) -> set[str]:
    dataset = pyoxigraph.Dataset(pyoxigraph.parse(nquads.encode(), format=pyoxigraph.RdfFormat.N_QUADS))
    dataset.canonicalize(pyoxigraph.CanonicalizationAlgorithm.UNSTABLE)
    return {str(quad) for quad in dataset}


@pytest.mark.parametrize("case", CASES)
def test_golden_page(case: str) -> None:
    body = (PAGES / case / "page.html").read_bytes()
    found = extract(body, base=URL, syntaxes=SYNTAXES[case.partition("-")[0]])
    assert canonical(found.nquads()) == canonical((PAGES / case / "expected.nq").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES)
def test_other_syntaxes_do_not_disturb(case: str) -> None:
    """All at once find what each finds alone, without faults but those of JSON-LD and of lost items."""
    body = (PAGES / case / "page.html").read_bytes()
    together = extract(body, base=URL)
    for name, statements in together.by_syntax.items():
        assert extract(body, base=URL, syntaxes=[name]).by_syntax[name] == statements
    assert {fault.syntax for fault in together.faults} <= {"jsonld", "microdata"}
    assert all("in no other item" in fault.reason for fault in together.faults if fault.syntax == "microdata")


def test_items_in_no_other_item_are_reported() -> None:
    referred = b"<p itemscope itemref=c></p><p id=c itemscope itemprop=b><b itemscope itemprop=d></b></p>"
    body = b"<p itemscope itemprop=a></p>" + referred
    (fault,) = extract(body, base=URL).faults
    assert fault == ("microdata", "items with itemprop in no other item, read as top-level items: 1")


def test_there_are_golden_pages() -> None:
    assert len(CASES) > 90
