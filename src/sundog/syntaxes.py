"""The syntaxes of structured data, once: everything that lists, counts, stores or names them reads this table.

A new syntax is a row here, a row in ``extract/registry.py``, and its own module.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Syntax(NamedTuple):
    """``name``: in objectives, in ``--syntax``, of the column in ``crawl.db``. ``title``: for people."""

    name: str
    title: str
    markup: bool = False  # counts for the objective `any`
    stored: bool = True  # crawls look for it and keep it; `sundog extract` knows the others, too


# Append only: the place of a stored syntax is part of the ids of statements in crawl.db.
SYNTAXES: Final = (
    Syntax("jsonld", "JSON-LD", markup=True),
    Syntax("microdata", "Microdata", markup=True),
    Syntax("rdfa", "RDFa", markup=True),
    Syntax("microformats", "Microformats", markup=True),
    Syntax("opengraph", "OpenGraph"),
    Syntax("rdf", "RDF"),
    Syntax("twitter", "Twitter cards", stored=False),
    Syntax("dublincore", "Dublin Core", stored=False),
    Syntax("state", "State of scripts"),
)
NAMES: Final = tuple(syntax.name for syntax in SYNTAXES)
STORED: Final = tuple(syntax.name for syntax in SYNTAXES if syntax.stored)
MARKUP: Final = tuple(syntax.name for syntax in SYNTAXES if syntax.markup)
TITLES: Final = {syntax.name: syntax.title for syntax in SYNTAXES}


def titles_of(names: tuple[str, ...]) -> str:
    """
    >>> titles_of(("jsonld", "microdata", "rdfa"))
    'JSON-LD, Microdata or RDFa'
    """
    *first, last = (TITLES[name] for name in names)
    return f"{', '.join(first)} or {last}" if first else last
