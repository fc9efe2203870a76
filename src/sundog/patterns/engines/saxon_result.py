"""Result patterns in XQuery and XPath 3.1: the whole crawl is the document."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson

from sundog.patterns.document import PageDocument
from sundog.patterns.engines.saxon import SaxonEngine
from sundog.patterns.values import Surroundings


def compiled(saxon: SaxonEngine, query: str, form: str, where: str) -> Callable[[str], Any]:
    """From the crawl as XML to ``{"text": …}`` for xml, else to ``{"records": …}``."""
    run = saxon.compiled_over_crawl(query, where)

    def result(crawl: str) -> Any:
        page = PageDocument("", b"", "text/html", "", Surroundings())
        page.whole_crawl = crawl
        found = run(page)
        if form == "xml":
            return {"text": "<result/>" if found is None else saxon.read("document", found)}
        return {"records": [] if found is None else _unwrapped(orjson.loads(saxon.read("records", found)))}

    return result


def _unwrapped(records: Any) -> Any:
    """What is a list of one list or map is that; ``plain`` makes lists of all values, singles are single again."""
    plain = [_single(each) for each in records]
    return plain[0] if len(plain) == 1 and isinstance(plain[0], list) else plain


def _single(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _member(inner) for name, inner in value.items()}
    return [_single(each) for each in value] if isinstance(value, list) else value


def _member(values: Any) -> Any:
    if not isinstance(values, list):
        return values
    return _single(values[0]) if len(values) == 1 else [_single(each) for each in values] or None
