"""A page costs at most its own result: what goes wrong with one never ends the crawl.

The way of a page has stages (``Stage``). Whatever is raised at one of them becomes a ``StageError``, and that
becomes the page's outcome: a failure ``internal: <stage>: <what>``, or a refusal if nobody was asked. Tracebacks
go to ``errors.log`` in the crawl's directory.

- *choose*: the policy cannot choose, which ends the crawl; that a choice cannot be logged costs that page only.
- *gate*, *robots*: before anything is asked, so the page is refused and costs nothing.
- *fetch*, *read*: in a task of its own. The task leaves the error where it would have left the visit.
- *intake*, *links*: when the page has come, and nothing is learned or logged of it yet.
- *judge*: costs the page its reward only. Its statements and links are kept, with a fault ``internal: judge``.
- *store*, *observe*: ``Journal.observe`` logs the outcome, then the session learns of it; if either fails, neither
  has happened. So the log is always the sequence of calls that the session has had, and can be replayed. The page
  is then observed as failed. If that fails, too, it stays in flight, and is asked again when the crawl is resumed.
- *after*: what only memory knows of a page that is logged. The page keeps its result.
- *recall*: the same, when a crawl is resumed.
- *loop*: whatever else is done for one page. It fails, if it is still in flight.
- *show*, *report*: of no page. Who watches the crawl and fails is told nothing more; a report or a result that
  cannot be made can be made later.

What is wrong with the crawl as a whole ends it: a SundogError of the store (disk, database), Ctrl-C, cancellation.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from time import time
from typing import Literal, TypeVar

from sundog.errors import SundogError
from sundog.fetch.values import Page, Trouble, trouble
from sundog.model import INTERNAL
from sundog.store.directory import ERRORS
from sundog.texts import printable, utc_moment

logger = logging.getLogger(__name__)
T = TypeVar("T")
Stage = Literal[
    "choose", "gate", "robots", "fetch", "read", "render", "intake", "links", "judge", "store", "observe", "after",
    "recall", "loop", "show", "report",
]  # fmt: skip
OF_THE_CRAWL = ("gate", "intake", "store", "after", "recall", "loop")  # here, a SundogError is the store's
NOBODY_ASKED = ("gate", "robots")
LONGEST = 200  # characters of what an exception says
LONGEST_TRACEBACK = 10_000
MOST_BYTES = 5_000_000  # of errors.log; a crawl may have millions of bad pages, but they are bad in few ways


class StageError(Exception):
    """Something of one page failed; ``error`` says what, ``page`` is what the server gave, if it did."""

    def __init__(self, stage: Stage, error: Exception, page: Page | None = None) -> None:
        super().__init__(f"{stage}: {type(error).__name__}: {error}"[:LONGEST])
        self.stage, self.error, self.page = stage, error, page


def at_stage(stage: Stage, page: Page | None = None) -> AbstractContextManager[None]:
    """What is raised within is of one page, unless it is of the crawl as a whole."""
    return _AtStage(stage, page)


class _AtStage:
    """A dozen of them for each page: a generator would take three times as long."""

    __slots__ = ("_page", "_stage")

    def __init__(self, stage: Stage, page: Page | None) -> None:
        self._stage, self._page = stage, page

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: BaseException | None, __: object) -> bool | None:
        if error is None or not isinstance(error, Exception) or isinstance(error, StageError):
            return None  # nothing, an end of the whole, or of a stage within
        if isinstance(error, SundogError) and self._stage in OF_THE_CRAWL:
            return None
        raise StageError(self._stage, error, self._page) from error


class _Survived(_AtStage):
    """The same, written to a log."""

    __slots__ = ("_log", "_url")

    def __init__(self, stage: Stage, page: Page | None, log: ErrorLog, url: str) -> None:
        super().__init__(stage, page)
        self._log, self._url = log, url

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if error is None:
            return False
        try:
            super().__exit__(kind, error, trace)
        except StageError as failed:
            error = failed
        if not isinstance(error, StageError):
            return False
        self._log.write(self._url, error)
        return True


def trouble_of(error: StageError) -> Trouble:
    """
    >>> str(trouble_of(StageError("read", RecursionError("too deep"))))
    'internal: read: RecursionError: too deep'
    """
    failed, page = trouble(INTERNAL, str(error), was_asked=error.stage not in NOBODY_ASKED), error.page
    if page is None:
        return failed
    return failed._replace(
        url=page.url,
        status=page.status,
        redirects=page.redirects,
        asked_at=page.asked_at,
        answered_at=page.answered_at,
    )


class ErrorLog:
    """``errors.log``: tracebacks, for those who mend Sundog. What pages say in them cannot steer a terminal."""

    def __init__(self, directory: Path) -> None:
        self._path = directory / ERRORS

    def survived(self, stage: Stage, url: str = "") -> AbstractContextManager[bool | None]:
        """What is raised within is written here, and that is all."""
        return _Survived(stage, None, self, url)

    def write(self, url: str, failed: StageError) -> None:
        """That it cannot be written is no reason to stop a crawl; if the disk is full, the store says so."""
        lines = "".join(traceback.format_exception(failed.error))[-LONGEST_TRACEBACK:].splitlines()
        entry = [f"{utc_moment(time())} {INTERNAL}: {failed.stage}: {url}", *lines]
        told = printable(f"{failed}: {url}")  # others take this text, and surrogates cannot be written as UTF-8
        logger.info("%s: %s", INTERNAL, told)  # no warning: a site of bad pages would fill the screen
        with suppress(OSError), self._path.open("a", encoding="utf-8", errors="replace") as file:
            if file.tell() < MOST_BYTES:
                file.write("\n".join(map(printable, entry)) + "\n\n")


def until_it_fails(show: Callable[[T], object], errors: ErrorLog) -> Callable[[T], None]:
    """Calls it until it raises: that somebody cannot watch a crawl is no reason to stop it."""
    works = True

    def shown(what: T) -> None:
        nonlocal works
        if works:
            works = False
            with errors.survived("show"):
                show(what)
                works = True

    return shown
