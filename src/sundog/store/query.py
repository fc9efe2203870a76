"""SPARQL over a crawl's statements, in a process that is ended when its time is over.

The page is the graph of its statements; without GRAPH, a query sees those of all pages together.
"""

from __future__ import annotations

import csv
import io
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from sundog.errors import SundogError
from sundog.processes.sandbox import Sandbox, StoppedError
from sundog.rdf.namespaces import one_schema_org
from sundog.rdf.sparql import check_query
from sundog.store.directory import STATEMENTS
from sundog.store.formats.csv import no_formula
from sundog.store.reader import open_readonly
from sundog.store.writer import CrawlStore

MOST_MEMORY = 4 << 30
Term = dict[str, str]  # as in SPARQL 1.1 Query Results JSON: type, value and perhaps xml:lang or datatype


class Answer(NamedTuple):
    """``cut``: there are more rows; ``behind``: pages of a running crawl whose statements were not seen."""

    columns: list[str]
    rows: list[list[Term | None]]
    boolean: bool | None
    cut: bool
    behind: int

    def texts(self) -> list[list[str]]:
        """The rows as plain text, for tables."""
        if self.boolean is not None:
            return [[str(self.boolean).lower()]]
        return [[_text(term) for term in row] for row in self.rows]

    def json(self) -> dict[str, Any]:
        """The W3C's JSON form of results."""
        if self.boolean is not None:
            return {"head": {}, "boolean": self.boolean}
        found = [
            {name: term for name, term in zip(self.columns, row, strict=True) if term is not None}
            for row in self.rows
        ]
        return {"head": {"vars": self.columns}, "results": {"bindings": found}}

    def csv(self) -> str:
        """With what spreadsheets would take for formulas marked as text; ``json`` has it as it is."""
        out = io.StringIO()
        csv.writer(out).writerows([[no_formula(cell) for cell in row] for row in [self.columns, *self.texts()]])
        return out.getvalue()


def query(directory: Path | str, sparql: str, *, seconds: float = 60.0, most_rows: int = 100_000) -> Answer:
    """Ask a crawl, finished or running. Common prefixes need not be declared."""
    check_query(sparql)
    directory = Path(directory)
    behind = _complete_index(directory)
    request = {"path": str(directory / STATEMENTS), "query": one_schema_org(sparql), "most_rows": most_rows}
    answer = _run_in_sandbox(request, seconds)
    return Answer(answer["columns"], answer["rows"], answer["boolean"], answer["cut"], behind)


def _complete_index(directory: Path) -> int:
    """How many pages the index lacks; none if nobody is writing, for then it is completed first."""
    with open_readonly(directory) as reader:
        behind = reader.pages_to_index
    if behind or not (directory / STATEMENTS).is_dir():
        with suppress(SundogError), CrawlStore.open(directory) as store:
            behind = store.pages_to_index if store.index_fault else 0
    return behind


def _run_in_sandbox(request: dict[str, Any], seconds: float) -> dict[str, Any]:
    sandbox = Sandbox("sundog.processes.query", None, seconds=seconds, memory=MOST_MEMORY)
    try:
        answer: dict[str, Any] = sandbox.ask(request)
        return answer
    except StoppedError as stopped:
        raise SundogError(f"the query {stopped}") from None
    finally:
        sandbox.close()


def _text(term: Term | None) -> str:
    if term is None:
        return ""
    return f"_:{term['value']}" if term["type"] == "bnode" else term["value"]
