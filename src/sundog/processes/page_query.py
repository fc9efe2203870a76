"""Program: the same query over one page after the other. To the first request it answers as for an empty page."""

from __future__ import annotations

from typing import Any

import pyoxigraph as ox

from sundog.processes.query_results import queried
from sundog.processes.serve import Answer, serve


def prepare(setup: Any) -> tuple[Answer, Any]:
    query, most_rows, most_characters = setup["query"], setup["most_rows"], setup["most_characters"]

    def answer(nquads: Any) -> Any:
        return queried(_loaded(nquads), query, most_rows, most_characters)

    return answer, answer("")


def _loaded(nquads: str) -> Any:
    """Blank nodes keep their labels; lines that are no statements cost the others nothing."""
    store = ox.Store()
    try:
        store.extend(ox.parse(nquads, ox.RdfFormat.N_QUADS, lenient=True))
    except (SyntaxError, ValueError):
        for line in nquads.splitlines():
            try:
                store.extend(ox.parse(line, ox.RdfFormat.N_QUADS, lenient=True))
            except (SyntaxError, ValueError):
                continue
    return store


if __name__ == "__main__":
    serve(prepare)
