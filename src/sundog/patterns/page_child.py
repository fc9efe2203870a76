"""Program: applies the patterns of a spec to one page after the other. The first request is the patterns."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from sundog.patterns.crawl_view import CrawlPage, CrawlView, WaitingPage
from sundog.patterns.definitions import LANGUAGES, PATTERN_KINDS
from sundog.patterns.document import PageDocument
from sundog.patterns.engines import Engine, QueryError, make_engine
from sundog.patterns.evaluate import Evaluator
from sundog.processes.serve import Answer, CannotReadError, serve


def prepare(setup: Any) -> tuple[Answer, Any]:
    try:
        engines = loaded_engines({each["engine"] for kind in PATTERN_KINDS for each in setup[kind]})
        lock_down()
        evaluator = Evaluator(setup, engines)
    except QueryError as error:
        raise CannotReadError(str(error)) from None

    def answer(request: Any) -> Any:
        return evaluator.apply(page_of(request), request.get("names"))

    return answer, None


def loaded_engines(names: Iterable[str]) -> dict[str, Engine]:
    """Each has run a query of ours: what an engine loads late must be there before ``lock_down``."""
    engines = {name: make_engine(name) for name in names}
    page = page_of({"url": "http://nothing.example/", "body": b"<a href=b>c"})
    for name, engine in engines.items():
        harmless = LANGUAGES[name].harmless
        engine.data(harmless, [], "")(page)
        engine.links(harmless, "")(page)
        page.resolve("d")
    return engines


def page_of(request: Any) -> PageDocument:
    view = CrawlView(**request.get("crawl_view", {}))
    view = view._replace(
        parents=[CrawlPage(*each) for each in view.parents],
        path=[CrawlPage(*each) for each in view.path],
        waiting=[WaitingPage(*each) for each in view.waiting],
    )
    return PageDocument(
        request["url"],
        request.get("body", b""),
        request.get("content_type", "text/html"),
        request.get("statements", ""),
        view,
    )


def lock_down() -> None:
    """From now on no file can be written, and no file or connection opened."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    first_free = 0
    with suppress(OSError):
        while os.fstat(first_free):
            first_free += 1
    resource.setrlimit(resource.RLIMIT_NOFILE, (first_free, first_free))


if __name__ == "__main__":
    serve(prepare)
