"""Program: explains URLs of crawls, and keeps the session that it has replayed.

For a page that was not fetched, all choices of its crawl are made again. Whoever asks of one such page asks of the
next: the session is kept until the crawl has gone on, or another crawl is asked of.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from sundog.errors import SundogError
from sundog.processes.serve import Answer, CannotReadError, serve
from sundog.replay import Replayed
from sundog.results.explain import explain
from sundog.spec.crawl import CrawlSpec
from sundog.store import CrawlReader
from sundog.store.directory import DATABASE


class ReplayCache:
    """The session of the crawl that was asked of last."""

    def __init__(self) -> None:
        self._of: tuple[Any, ...] | None = None
        self._replayed: Replayed | None = None

    def replayed(self, reader: CrawlReader, spec: CrawlSpec) -> Replayed:
        file = (reader.directory / DATABASE).stat()
        crawl = (file.st_dev, file.st_ino, reader.steps)
        if self._replayed is None or crawl != self._of:
            self._replayed = None  # two of them may be too much
            self._replayed, self._of = Replayed(reader, spec), crawl
        return self._replayed


def prepare(setup: Any) -> tuple[Answer, Any]:
    cache = ReplayCache()

    def answer(request: Any) -> Any:
        try:
            return asdict(explain(Path(request["directory"]), request["url"], cache.replayed))
        except SundogError as error:
            raise CannotReadError(str(error)) from None

    return answer, None


if __name__ == "__main__":
    serve(prepare)
