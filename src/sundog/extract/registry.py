"""Which extractor reads which syntax of a page. A new one is a row here and a row in ``syntaxes.py``, or comes
with an installed package: then crawls count and keep its statements as ``rdf``.

Native RDF is no syntax of pages: ``api`` hands such files to ``rdf``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from sundog.extract import jsonld, metas
from sundog.extract.guards import Report, TimeBox
from sundog.extract.microdata import read_microdata
from sundog.extract.microformats import read_microformats
from sundog.extract.microformats.roots import may_have_roots
from sundog.extract.output import Statements
from sundog.extract.page import HtmlPage
from sundog.extract.rdfa import read_rdfa
from sundog.extract.state import read_state
from sundog.plugins import Plugins

Out = list[Any]  # statements: of three terms, or of four where a syntax has graphs
Read = Callable[[HtmlPage, TimeBox, Statements, Report], None]


class Extractor(NamedTuple):
    """``selector``: what a page must have, or it cannot have this syntax ('' if it is asked otherwise)."""

    selector: str
    read: Read


def _without_report(read: Callable[[HtmlPage, TimeBox, Statements], None]) -> Read:
    """An extractor that has nothing to report: what it cannot read is not there."""
    return lambda page, box, out, _: read(page, box, out)


def _read_microformats(page: HtmlPage, box: TimeBox, out: Out) -> None:
    if may_have_roots(page.document.classes()):
        page.ready(box)
        read_microformats(page, box, out)


# They run in this order, and it is the order of the statements.
EXTRACTORS: Final = {
    "jsonld": Extractor("script[type]", jsonld.read_scripts),
    "microdata": Extractor("[itemscope]", read_microdata),
    "rdfa": Extractor("", _without_report(read_rdfa)),
    "microformats": Extractor("", _without_report(_read_microformats)),
    "opengraph": Extractor("", _without_report(metas.read_opengraph)),
    "twitter": Extractor("", _without_report(metas.read_twitter)),
    "dublincore": Extractor("", _without_report(metas.read_dublin_core)),
    "state": Extractor("", read_state),
}
SYNTAXES: Final = (*EXTRACTORS, "rdf")


def _plugged(name: str, given: Any) -> Extractor:
    if not isinstance(given, Extractor):
        raise ValueError(f"an Extractor of sundog.extract.registry is expected, not {given!r:.80}")
    return given


PLUGINS: Plugins[Extractor] = Plugins("sundog.extractors", _plugged, lambda: (*SYNTAXES, "page"))


def all_syntaxes() -> tuple[str, ...]:
    """Those of Sundog, then those of installed packages."""
    return (*SYNTAXES, *PLUGINS.all())


def find_extractor(name: str) -> Extractor | None:
    """None for native RDF, which is no syntax of pages."""
    return EXTRACTORS.get(name) or (PLUGINS.load(name) if name not in SYNTAXES else None)
