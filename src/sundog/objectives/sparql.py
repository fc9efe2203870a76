"""``FILE.rq``: a SPARQL query on every page. The rows of a SELECT are the answer that grows while it crawls."""

from __future__ import annotations

from typing import Any

from sundog.errors import SundogError, UsageError
from sundog.objectives.condition import Condition
from sundog.objectives.entities import Entities, digest
from sundog.objectives.memory import Find, Memory
from sundog.objectives.page import PageView
from sundog.objectives.statements import as_nquads, page_statements
from sundog.objectives.tokens import Tokens
from sundog.processes.sandbox import Sandbox, StoppedError
from sundog.rdf.namespaces import one_schema_org
from sundog.rdf.sparql import QUERY_ENDINGS, check_query

PROGRAM = "sundog.processes.query"
SECONDS = 2.0  # a page
MOST_MEMORY = 1 << 30
MOST_ROWS = 10_000  # a page
MOST_CHARACTERS = 4_000_000  # of a page's rows
FORMS = ("ASK", "SELECT")


class Sparql(Condition):
    form = "FILE.rq"
    summary = "SPARQL on a page's graph; ASK: relevant or not; SELECT: rows that were on no page before"
    example = "cars.rq"
    costly = True

    def __init__(self, name: str, query: str, form: str) -> None:
        self.name, self.query = name, one_schema_org(query)
        self.remembers = form == "SELECT"

    def __str__(self) -> str:
        return self.name

    @classmethod
    def reads(cls, word: str) -> bool:
        return word.endswith(QUERY_ENDINGS)

    @classmethod
    def read(cls, word: str, tokens: Tokens) -> Condition:
        query = tokens.file(word)
        try:
            condition = cls(word, query, check_query(query))
            _check_form(query)
            condition.begin(memory := Memory())
            memory.close()
        except SundogError as error:
            raise tokens.error(f"{word}: {error}") from None
        return condition

    def begin(self, memory: Memory) -> None:
        setup = {"query": self.query, "most_rows": MOST_ROWS, "most_characters": MOST_CHARACTERS}
        sandbox = memory.processes[self] = Sandbox(PROGRAM, setup, seconds=SECONDS, memory=MOST_MEMORY)
        sandbox.start()

    def reward(self, page: PageView, memory: Memory) -> float:
        answer = self._answer(page, memory)
        if not self.remembers:
            return float(answer["boolean"] or 0.0)
        rows = answer["rows"]
        if not rows:
            return 0.0
        keys = _row_keys(rows, page)
        new = memory.new(self, keys)
        if new:
            row_of = dict(zip(keys, rows, strict=True))
            memory.finds.append(Find(self, new, [_binding(answer["columns"], row_of[key]) for key in new]))
        return float(len(new))

    def _answer(self, page: PageView, memory: Memory) -> dict[str, Any]:
        sandbox = memory.processes[self]
        statements = page_statements(page, memory, self)
        try:
            answer: dict[str, Any] = sandbox.ask(as_nquads(page, statements)) if statements else sandbox.ready
        except StoppedError as stopped:
            memory.faults.append((self.name, str(stopped)))
            return {"boolean": None, "rows": []}
        if answer["cut"]:
            memory.faults.append((self.name, f"has more rows on this page than the {len(answer['rows']):,} kept"))
        return answer


def _check_form(query: str) -> None:
    if check_query(query) not in FORMS:
        raise UsageError("an objective asks or selects: begin the query with ASK or SELECT")


def _row_keys(rows: list[list[Any]], page: PageView) -> list[bytes]:
    """Rows of different pages are the same if their terms are; blank nodes, if their entities are."""
    entities: Entities | None = None
    keys = []
    for row in rows:
        parts = []
        for term in row:
            if term is not None and term["type"] == "bnode":
                entities = entities or Entities(page)
                parts.append(entities.identity(f"_:{term['value']}").hex())
            else:
                parts.append("|".join(term.values()) if term else "")
        keys.append(digest(*parts))
    return keys


def _binding(columns: list[str], row: list[Any]) -> dict[str, Any]:
    """As in SPARQL 1.1 Query Results JSON."""
    return {name: term for name, term in zip(columns, row, strict=True) if term is not None}
