"""Program: where in a page's source stands what XPath and CSS patterns find. What comes first is the queries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import turbohtml

from sundog.patterns.document import PageDocument
from sundog.patterns.engines import QueryError, make_engine
from sundog.patterns.engines.nodes import NodeEngine, as_list
from sundog.patterns.page_child import lock_down, page_of
from sundog.processes.serve import Answer, CannotReadError, serve

MOST_PLACES = 10_000
WHOLE = ""  # stands for the item or the link itself, among the names of its fields

Placed = dict[str, tuple[int, int, str]]


def prepare(setup: Any) -> tuple[Answer, Any]:
    """``setup``: language, query and fields of each pattern, by its name."""
    try:
        finders = {name: PlaceFinder(*given) for name, given in setup.items()}
    except QueryError as error:
        raise CannotReadError(str(error)) from None
    lock_down()

    def answer(request: Any) -> Any:
        page = page_of(request)
        page.positions = True
        return {name: finder.places(page) for name, finder in finders.items()}

    return answer, None


class PlaceFinder:
    """``fields``: name, query and whether there is no item without it."""

    def __init__(self, language: str, find: str, fields: Sequence[tuple[str, str, bool]]) -> None:
        engine = make_engine(language)
        assert isinstance(engine, NodeEngine)
        self._find = engine.compile(find) if find else None
        self._fields = [(name, engine.compile(query), needed) for name, query, needed in fields]

    def places(self, page: PageDocument) -> list[Placed]:
        """One for each item or link that the pattern is likely to give."""
        nodes = as_list(self._find(page, page.tree)) if self._find else [page.tree]
        return [placed for node in nodes[:MOST_PLACES] if (placed := self._placed(page, node)) is not None]

    def _placed(self, page: PageDocument, node: Any) -> Placed | None:
        placed = {WHOLE: place_of(node)} if self._find else {}
        for name, find, needed in self._fields:
            found = as_list(find(page, node))
            if found:
                placed[name] = place_of(found[0])
            elif needed:
                return None
        return placed


def place_of(node: Any) -> tuple[int, int, str]:
    if not isinstance(node, turbohtml.Element):
        return 0, 0, ""
    line, column = node.source_line, node.source_col
    return line or 0, 0 if column is None else column + 1, node.xpath_path()


if __name__ == "__main__":
    serve(prepare)
