"""A page's statements as one text, for a process that reads them."""

from __future__ import annotations

from itertools import chain, islice

from sundog.objectives.memory import Memory
from sundog.objectives.page import PageView
from sundog.rdf.namespaces import one_schema_org
from sundog.rdf.terms import comparable_dates
from sundog.urls.iris import page_iri

MOST_STATEMENTS = 50_000


def page_statements(page: PageView, memory: Memory, asker: object) -> list[tuple[str, ...]]:
    """All syntaxes together; a fault if there are too many."""
    count = sum(map(len, page.statements.values()))
    if count > MOST_STATEMENTS:
        memory.faults.append((str(asker), f"saw {MOST_STATEMENTS:,} of the page's {count:,} statements"))
    return list(islice(chain.from_iterable(page.statements.values()), MOST_STATEMENTS))


def as_nquads(page: PageView, statements: list[tuple[str, ...]]) -> str:
    """All in the graph of the page, also what the page puts in another graph: as in the store of a crawl.

    >>> page = PageView("http://a.example/", {}, [], {})
    >>> as_nquads(page, [("_:b", "<https://schema.org/name>", '"x"', "<http://other.example/>")])
    '_:b <http://schema.org/name> "x" <http://a.example/> .\\n'
    """
    end = f" <{page_iri(page.url)}> .\n"
    text = end.join([" ".join(statement[:3]) for statement in statements])
    return comparable_dates(one_schema_org(f"{text}{end}")) if text else ""


def as_ntriples(statements: list[tuple[str, ...]]) -> str:
    text = " .\n".join([" ".join(statement[:3]) for statement in statements])
    return comparable_dates(one_schema_org(f"{text} .\n")) if text else ""
