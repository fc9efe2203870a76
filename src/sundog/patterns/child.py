"""Program: the patterns of a spec over one page after the other. What comes first is the patterns themselves."""

from __future__ import annotations

import os
import resource
from typing import Any

from sundog.patterns.document import PageDocument
from sundog.patterns.engines.base import QueryError
from sundog.patterns.evaluate import Evaluator
from sundog.patterns.values import CrawlPage, Surroundings
from sundog.sandbox.child import Answer, CannotReadError, serve


def prepare(setup: Any) -> tuple[Answer, Any]:
    try:
        evaluator = Evaluator(setup)
        evaluator.apply(page_of({"url": "http://nothing.example/"}), None)  # loads all that is loaded late
    except QueryError as error:
        raise CannotReadError(str(error)) from None
    lock_down()

    def answer(request: Any) -> Any:
        return evaluator.apply(page_of(request), request.get("names"))._asdict()

    return answer, None


def page_of(request: Any) -> PageDocument:
    around = Surroundings(**request.get("surroundings", {}))
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
    used = max(int(name) for name in os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 64
    resource.setrlimit(resource.RLIMIT_NOFILE, (used, used))


if __name__ == "__main__":
    serve(prepare)
