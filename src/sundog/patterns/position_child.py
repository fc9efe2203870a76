"""Program: where in a page's source matches of XPath and CSS patterns stand. The first request is the queries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import turbohtml

from sundog.patterns.document import PageDocument
from sundog.patterns.engines import QueryError, make_engine
from sundog.patterns.engines.nodes import NodeEngine, as_list
from sundog.patterns.page_child import lock_down, page_of
from sundog.processes.serve import Answer, CannotReadError, serve

MOST_POSITIONS = 10_000
WHOLE = ""  # stands for the item or the link itself, among the names of its fields

Positions = dict[str, tuple[int, int, str]]


def prepare(setup: Any) -> tuple[Answer, Any]:
    """``setup``: language, query and fields of each pattern, by its name."""
    try:
        finders = {name: PositionFinder(*given) for name, given in setup.items()}
    except QueryError as error:
        raise CannotReadError(str(error)) from None
    lock_down()

    def answer(request: Any) -> Any:
        page = page_of(request)
        page.positions = True
        return {name: finder.positions(page) for name, finder in finders.items()}

    return answer, None


class PositionFinder:
    """``fields``: name, query and whether there is no item without it."""

    def __init__(self, language: str, find: str, fields: Sequence[tuple[str, str, bool]]) -> None:
        engine = make_engine(language)
        assert isinstance(engine, NodeEngine)
        self._find = engine.compile(find) if find else None
        self._fields = [(name, engine.compile(query), needed) for name, query, needed in fields]

    def positions(self, page: PageDocument) -> list[Positions]:
        """One for each item or link that the pattern is likely to give."""
        nodes = as_list(self._find(page, page.tree)) if self._find else [page.tree]
        return [found for node in nodes[:MOST_POSITIONS] if (found := self._of_item(page, node)) is not None]

    def _of_item(self, page: PageDocument, node: Any) -> Positions | None:
        positions = {WHOLE: position_of(node)} if self._find else {}
        for name, find, needed in self._fields:
            found = as_list(find(page, node))
            if found:
                positions[name] = position_of(found[0])
            elif needed:
                return None
        return positions


def position_of(node: Any) -> tuple[int, int, str]:
    if not isinstance(node, turbohtml.Element):
        return 0, 0, ""
    line, column = node.source_line, node.source_col
    return line or 0, 0 if column is None else column + 1, node.xpath_path()


if __name__ == "__main__":
    serve(prepare)
