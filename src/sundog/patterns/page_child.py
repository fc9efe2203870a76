"""Program: the patterns of a spec over one page after the other. What comes first is the patterns themselves."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from sundog.patterns.crawl_view import CrawlPage, CrawlView
from sundog.patterns.document import PageDocument
from sundog.patterns.engines import HARMLESS, Engine, QueryError, make_engine
from sundog.patterns.evaluate import Evaluator
from sundog.processes.serve import Answer, CannotReadError, serve


def prepare(setup: Any) -> tuple[Answer, Any]:
    try:
        engines = loaded_engines({each["engine"] for kind in ("data", "link", "stop") for each in setup[kind]})
        lock_down()
        evaluator = Evaluator(setup, engines)
    except QueryError as error:
        raise CannotReadError(str(error)) from None

    def answer(request: Any) -> Any:
        return evaluator.apply(page_of(request), request.get("names"))

    return answer, None


def loaded_engines(names: Iterable[str]) -> dict[str, Engine]:
    """Used once, with queries of ours: what they load late must be there before files are out of reach."""
    engines = {name: make_engine(name) for name in names}
    page = page_of({"url": "http://nothing.example/", "body": b"<a href=b>c"})
    for name, engine in engines.items():
        engine.data(HARMLESS[name], [], "")(page)
        engine.links(HARMLESS[name], "")(page)
        page.resolve("d")
    return engines


def page_of(request: Any) -> PageDocument:
    around = CrawlView(**request.get("surroundings", {}))
    around = around._replace(
        parents=[CrawlPage(*each) for each in around.parents], path=[CrawlPage(*each) for each in around.path]
    )
    return PageDocument(
        request["url"],
        request.get("body", b""),
        request.get("content_type", "text/html"),
        request.get("statements", ""),
        around,
    )


def lock_down() -> None:
    """No file can be written, and none opened any more: neither can a connection."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    first_free = 0
    with suppress(OSError):
        while os.fstat(first_free):
            first_free += 1
    resource.setrlimit(resource.RLIMIT_NOFILE, (first_free, first_free))


if __name__ == "__main__":
    serve(prepare)
