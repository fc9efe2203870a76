"""Hydration state: the data from which a page's scripts build it, left in the page for them.

Frameworks put it into scripts and attributes. It is found without running anything (``sources``), decoded from the
form that the framework gives it (``encodings``, ``literals``), and searched for things that schema.org has a class
for (``things``). State is a program's memory and mostly junk, so only objects that are clearly such things count,
and JSON-LD that is in it.
"""

from __future__ import annotations

from sundog.extract.guards import Report, TimeBox
from sundog.extract.output import Statements
from sundog.extract.page import HtmlPage
from sundog.extract.state.sources import find_state
from sundog.extract.state.things import read_things

__all__ = ["has_state", "read_state"]


def read_state(page: HtmlPage, box: TimeBox, out: Statements, report: Report) -> None:
    """Append the statements of all state on the page; what could not be read is reported."""
    documents = list(find_state(page.document, box, report))
    if documents:
        read_things(documents, page, box, out, report)


def has_state(page: HtmlPage) -> bool:
    """Whether a framework has left any on the page, whatever is in it."""
    return any(True for _ in find_state(page.document, TimeBox(1.0), lambda reason: None))
