"""Program: where in a page's source stands what XPath and CSS patterns find. What comes first is the queries."""

from __future__ import annotations

from typing import Any

import turbohtml

from sundog.extract.media import charset_of, kind_of, unpacked
from sundog.patterns.child import lock_down, page_of
from sundog.patterns.document import MAX_BYTES, PageDocument
from sundog.patterns.engines import make_engine
from sundog.patterns.engines.base import QueryError
from sundog.patterns.engines.nodes import NodeEngine, as_list
from sundog.sandbox.child import Answer, CannotReadError, serve

MOST_PLACES = 10_000


def prepare(setup: Any) -> tuple[Answer, Any]:
    """``setup``: engine and query, by the pattern's name."""
    finders = {}
    try:
        for name, (language, query) in setup.items():
            engine = make_engine(language)
            assert isinstance(engine, NodeEngine)
            finders[name] = engine.compile(query)
    except QueryError as error:
        raise CannotReadError(str(error)) from None
    lock_down()

    def answer(request: Any) -> Any:
        page = with_positions(page_of(request), request)
        found = {name: as_list(finder(page, page.tree)) for name, finder in finders.items()}
        return {name: [place_of(node) for node in nodes[:MOST_PLACES]] for name, nodes in found.items()}

    return answer, None


def with_positions(page: PageDocument, request: Any) -> PageDocument:
    """The same page, whose elements know their lines. Crawls have no use for that, so they leave it out."""
    body = unpacked(request["body"].encode("latin-1"), MAX_BYTES, [])
    if kind_of(request["content_type"], page.url, body) in ("html", ""):
        tree = turbohtml.parse(
            body,
            encoding=charset_of(request["content_type"]),
            detect_encoding=True,
            positions=True,
            allow_declarative_shadow_roots=False,
        )
        for template in tree.find_all("template"):
            template.clear()
        page.__dict__["tree"] = tree
    return page


def place_of(node: Any) -> tuple[int, int, str]:
    if not isinstance(node, turbohtml.Element):
        return 0, 0, ""
    line, column = node.source_line, node.source_col
    return line or 0, 0 if column is None else column + 1, node.xpath_path()


if __name__ == "__main__":
    serve(prepare)
