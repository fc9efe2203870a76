"""An extractor: Highwire metas, ``<meta name="citation_title" content="…">``, as journals write."""

from __future__ import annotations

from sundog.extract.guards import Report, TimeBox
from sundog.extract.output import Statements
from sundog.extract.page import HtmlPage
from sundog.extract.registry import Extractor
from sundog.rdf.terms import iri, literal

PREFIX = "citation_"
VOCABULARY = "https://www.google.com/intl/en/scholar/inclusion.html#"


def read_highwire(page: HtmlPage, box: TimeBox, out: Statements, report: Report) -> None:
    """One statement about the page for each meta."""
    subject = iri(page.url)
    if subject is None:
        return
    for name, attrs in page.named_metas:
        predicate = iri(VOCABULARY + name) if name.lower().startswith(PREFIX) else None
        if predicate is not None:
            out.append((subject, predicate, literal(attrs["content"], attrs.get("lang", ""))))


HIGHWIRE = Extractor("meta[name]", read_highwire)
