"""The formats in which SPARQL queries are answered, once: tables of solutions, and graphs."""

from __future__ import annotations

from typing import Final, NamedTuple

from sundog.errors import UsageError


class AnswerFormat(NamedTuple):
    name: str
    media_type: str
    ending: str  # of a file


CSV: Final = AnswerFormat("csv", "text/csv", "csv")
TABLES: Final = (
    AnswerFormat("json", "application/sparql-results+json", "json"),
    AnswerFormat("xml", "application/sparql-results+xml", "xml"),
    CSV,
    AnswerFormat("tsv", "text/tab-separated-values", "tsv"),
)
GRAPHS: Final = (
    AnswerFormat("turtle", "text/turtle", "ttl"),
    AnswerFormat("ntriples", "application/n-triples", "nt"),
    AnswerFormat("rdfxml", "application/rdf+xml", "rdf"),
    AnswerFormat("jsonld", "application/ld+json", "jsonld"),
)


def formats_of(form: str) -> tuple[AnswerFormat, ...]:
    """For a query of this form, the usual one first.

    >>> [each.name for each in formats_of("DESCRIBE")]
    ['turtle', 'ntriples', 'rdfxml', 'jsonld']
    """
    return GRAPHS if form in ("CONSTRUCT", "DESCRIBE") else TABLES


def check_format(form: str, chosen: AnswerFormat) -> None:
    offered = formats_of(form)
    if chosen not in offered:
        what = "a graph" if offered is GRAPHS else "a table"
        names = ", ".join(each.name for each in offered)
        raise UsageError(f"{form} answers with {what}, which cannot be {chosen.name}: ask for {names}")
