"""One table of syntaxes: who cannot derive from it agrees with it."""

from __future__ import annotations

from sundog.extract.registry import EXTRACTORS
from sundog.extract.registry import SYNTAXES as EXTRACTED
from sundog.syntaxes import MARKUP, NAMES, STORED
from sundog.worlds.synthetic.software import MARKUP_SYNTAXES


def test_the_places_of_stored_syntaxes_stay() -> None:
    """They are part of ids in every crawl.db."""
    assert STORED[:6] == ("jsonld", "microdata", "rdfa", "microformats", "opengraph", "rdf")
    assert STORED[:6] == NAMES[:6]


def test_every_syntax_has_an_extractor_and_every_extractor_a_row() -> None:
    assert set(EXTRACTED) == set(NAMES)
    assert list(EXTRACTORS)[:7] == "jsonld microdata rdfa microformats opengraph twitter dublincore".split()
    assert EXTRACTED[-1] == "rdf"  # statements come in this order


def test_synthetic_webs_have_syntaxes_that_there_are() -> None:
    assert set(MARKUP_SYNTAXES) <= set(MARKUP)
