"""SPARQL over a crawl's statements, in a process that is ended when its time is over.

The page is the graph of its statements; without GRAPH, a query sees those of all pages together.
"""

from __future__ import annotations

import csv
import io
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from sundog.errors import SundogError, UsageError
from sundog.processes.query import too_large
from sundog.processes.sandbox import Sandbox, StoppedError
from sundog.rdf.answer_formats import CSV, AnswerFormat, check_format
from sundog.rdf.namespaces import one_schema_org
from sundog.rdf.sparql import check_query
from sundog.short_repr import rows_as_html
from sundog.store.database import LATEST
from sundog.store.database import STATEMENTS as WITH_PAGES
from sundog.store.directory import STATEMENTS
from sundog.store.formats.csv import no_formula
from sundog.store.index import StatementIndex, in_groups
from sundog.store.reader import open_as_of, open_readonly
from sundog.store.statements import STEP
from sundog.store.writer import CrawlStore

MOST_MEMORY = 4 << 30
MOST_BYTES = 20_000_000  # of an answer as text
MOST_ROWS = 100_000
ROWS_SHOWN = 100  # in a notebook
DAMAGE = "RuntimeError: Corruption: "  # what Oxigraph says of an index that it cannot read
LATEST_PAGES = f"SELECT {STEP}, {{graph}}, s.triples FROM {WITH_PAGES} WHERE {LATEST} ORDER BY s.id"
Term = dict[str, str]  # as in SPARQL 1.1 Query Results JSON: type, value and perhaps xml:lang or datatype


class Graphs(NamedTuple):
    """IRIs of pages: those that a query sees without GRAPH, as one, and those that GRAPH finds."""

    default: list[str]
    named: list[str]


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

    def _repr_html_(self) -> str:
        shown = self.texts()
        rest = self.cut or len(shown) > ROWS_SHOWN
        return rows_as_html(self.columns or ["answer"], shown[:ROWS_SHOWN], more=rest)

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


def query(
    directory: Path | str,
    sparql: str,
    *,
    seconds: float = 60.0,
    most_rows: int = MOST_ROWS,
    graphs: Graphs | None = None,
    as_of: int | None = None,
) -> Answer:
    """Ask a crawl, finished or running, or as it was after the step ``as_of``. Common prefixes are known."""
    answer, behind = _ask(Path(directory), sparql, seconds, graphs, {"most_rows": most_rows}, as_of)
    return Answer(answer["columns"], answer["rows"], answer["boolean"], answer["cut"], behind)


def query_text(
    directory: Path | str,
    sparql: str,
    form: AnswerFormat,
    *,
    seconds: float = 60.0,
    most_bytes: int = MOST_BYTES,
    graphs: Graphs | None = None,
    as_of: int | None = None,
) -> tuple[str, int]:
    """The whole answer in a format of the W3C, and how many pages it has not seen. One that is larger is refused.

    As CSV it is ``Answer.csv``: what spreadsheets would take for formulas is marked as text.
    """
    check_format(check_query(sparql), form)
    if form == CSV:
        answer = query(directory, sparql, seconds=seconds, graphs=graphs, as_of=as_of)
        text, behind = answer.csv(), answer.behind
        if answer.cut or len(text.encode()) > most_bytes:
            raise UsageError(too_large(f"{MOST_ROWS:,} rows" if answer.cut else f"{most_bytes:,} bytes"))
        return text, behind
    more = {"media_type": form.media_type, "most_bytes": most_bytes}
    return _ask(Path(directory), sparql, seconds, graphs, more, as_of)


def _ask(
    directory: Path, sparql: str, seconds: float, graphs: Graphs | None, more: dict[str, Any], as_of: int | None
) -> tuple[Any, int]:
    check_query(sparql)
    if as_of is not None:
        with tempfile.TemporaryDirectory() as folder:
            _index_as_of(directory, as_of, Path(folder) / STATEMENTS)
            return _ask_index(Path(folder), sparql, seconds, graphs, more), 0
    behind = _complete_index(directory)
    return _ask_index(directory, sparql, seconds, graphs, more), behind


def _index_as_of(directory: Path, step: int, path: Path) -> None:
    """The statements of an earlier state, for the time being."""
    index = StatementIndex(path)
    with open_as_of(directory, step) as reader:
        for group in in_groups(reader.connection.execute(LATEST_PAGES.format(graph=reader.graph_column))):
            index.replace(group)
    index.flush()
    index.close()


def _ask_index(directory: Path, sparql: str, seconds: float, graphs: Graphs | None, more: dict[str, Any]) -> Any:
    request = {"path": str(directory / STATEMENTS), "query": one_schema_org(sparql), **more}
    if graphs:
        request["graphs"] = graphs._asdict()
    try:
        return _run_in_sandbox(request, seconds)
    except SundogError as error:
        if DAMAGE not in str(error):
            raise
        raise SundogError(
            f"{directory / STATEMENTS} is damaged; sundog repair {directory} makes it anew"
        ) from None


def _complete_index(directory: Path) -> int:
    """How many pages the index lacks; none if nobody is writing, for then it is completed first."""
    with open_readonly(directory) as reader:
        behind = reader.pages_to_index
    if behind or not (directory / STATEMENTS).is_dir():
        with suppress(SundogError), CrawlStore.open(directory) as store:
            behind = store.pages_to_index if store.index_fault else 0
    return behind


def _run_in_sandbox(request: dict[str, Any], seconds: float) -> Any:
    sandbox = Sandbox("sundog.processes.query", None, seconds=seconds, memory=MOST_MEMORY)
    try:
        return sandbox.ask(request)
    except StoppedError as stopped:
        raise StoppedError(f"the query {stopped}") from None
    finally:
        sandbox.close()


def _text(term: Term | None) -> str:
    if term is None:
        return ""
    return f"_:{term['value']}" if term["type"] == "bnode" else term["value"]
