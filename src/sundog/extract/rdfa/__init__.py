"""RDFa 1.1 in HTML.

What every page has is no RDFa: OpenGraph metas, which have a syntax of their own here, and ``rel`` values
that are neither in a vocabulary nor terms of RDFa.
"""

from __future__ import annotations

import re

from sundog.extract.dom import Element
from sundog.extract.opengraph import is_social_meta
from sundog.extract.page import Page
from sundog.extract.rdfa.copying import with_copies
from sundog.extract.rdfa.initial import TERMS
from sundog.extract.rdfa.reader import Reader
from sundog.extract.terms import Triple
from sundog.extract.timebox import TimeBox

__all__ = ["read_rdfa"]

_TERMS = re.compile("|".join(TERMS), re.IGNORECASE)


def read_rdfa(page: Page, box: TimeBox, out: list[Triple]) -> None:
    """Append the page's RDFa statements to ``out``."""
    speaking = _speaking(page.document.elements)
    if speaking:
        Reader(page, box, out).read(_with_surroundings(speaking))
        out[:] = with_copies(out)


def _speaking(elements: list[Element]) -> list[Element]:
    """Elements that may write a statement."""
    has_vocabulary = any("vocab" in element.attrs for element in elements)
    found = []
    for element in elements:
        attrs = element.attrs
        if "property" in attrs:
            if not is_social_meta(element):
                found.append(element)
                continue
        if "typeof" in attrs or "vocab" in attrs:
            found.append(element)
        elif "rel" in attrs or "rev" in attrs:
            words = f"{attrs.get('rel', '')} {attrs.get('rev', '')}"
            if has_vocabulary or ":" in words or _TERMS.search(words):
                found.append(element)
    return found


def _with_surroundings(speaking: list[Element]) -> list[Element]:
    """The same with everything around them, in document order."""
    marked = set(speaking)
    for element in speaking:
        parent = element.parent
        while parent is not None and parent not in marked:
            marked.add(parent)
            parent = parent.parent
    return sorted(marked, key=lambda element: element.index)
