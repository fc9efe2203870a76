"""What a server may have under a URL: a document, a thing that is described elsewhere, or nothing any more."""

from __future__ import annotations

from typing import NamedTuple

Triple = tuple[str, str, str]  # terms as in N-Triples


class Document(NamedTuple):
    """``form`` is how the triples are written, ``declared`` what the server says of it ('' if nothing)."""

    url: str
    triples: list[Triple]
    form: str
    declared: str
    headers: tuple[str, ...] = ()


class Thing(NamedTuple):
    """Answers 303: ``data`` to those who want RDF, ``page`` to others if there is one."""

    url: str
    data: str
    page: str = ""


class Negotiated(NamedTuple):
    """Answers with one of two documents of the same URL, by what is wanted."""

    data: Document
    page: Document


class Gone(NamedTuple):
    """Answers with this status; ``location`` is where a redirect leads."""

    url: str
    status: int
    location: str = ""


Entry = Document | Thing | Negotiated | Gone
