"""The statements in Oxigraph, ready for SPARQL: an index over what ``crawl.db`` holds.

Oxigraph keeps eleven orders of every statement, so a write costs it several times what all the rest of a page
costs the store. So it is fed in groups and by a thread (it releases the interpreter's lock meanwhile), a little
behind the commits. ``crawl.db`` knows up to which step it is complete, and what a crash leaves out is brought in
when the crawl is opened again. Replacing a page's graph twice changes nothing.

No page and no index ends a crawl. A page whose statements Oxigraph refuses is set aside, and the others come in.
An index that fails as a whole, as on a full disk, is left alone until it is to be complete. One that kills
processes is left alone by the third (``loading_mark``).
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

import pyoxigraph

from sundog.errors import SundogError, cause_of
from sundog.rdf.namespaces import one_schema_org
from sundog.rdf.terms import comparable_dates
from sundog.store.loading_mark import LoadingMark
from sundog.store.statements import graph_iri, nquads

GROUP = 32_000  # statements that are brought in at once
BULK = 3_000  # from so many on, writing new files is cheaper than going through the write-ahead log
PORTION = 1 << 23  # characters; Oxigraph needs about ten bytes of memory for each that it loads at once
SECONDS = 2.0  # a slow crawl does not let its readers wait longer than this,
SECONDS_OF_MANY = 8.0  # nor a fast one longer than this: the more at once, the less each of them costs
MANY = 2_000  # statements in the time of a slow one
FORMAT = pyoxigraph.RdfFormat.N_QUADS
DEADLY = "two processes died of it, so this one left it alone; sundog resume tries it once more"
LONGEST_REASON = 200  # characters: it may quote the page
HARMLESS = pyoxigraph.Quad(*[pyoxigraph.NamedNode("urn:sundog:probe")] * 3)


class PageStatements(NamedTuple):
    step: int
    url: str
    triples: str  # N-Triples

    @property
    def size(self) -> int:
        return self.triples.count("\n")


class Refused(NamedTuple):
    """A page that the index cannot take."""

    step: int
    reason: str


def in_groups(rows: Iterable[tuple[int, str, str]]) -> Iterator[list[PageStatements]]:
    """Rows (step, URL, triples) in the order of steps, as groups of whole pages."""
    group: list[PageStatements] = []
    size = 0
    for (step, url), parts in groupby(rows, key=itemgetter(0, 1)):
        page = PageStatements(step, url, "".join([triples for _, _, triples in parts]))
        group.append(page)
        size += page.size
        if size >= GROUP:
            yield group
            group, size = [], 0
    if group:
        yield group


class StatementIndex:
    """The store on disk. One that is damaged is made anew: ``fresh`` says that it is empty."""

    def __init__(self, path: Path) -> None:
        self.fresh = not path.is_dir() or not any(path.iterdir())
        try:
            self._store = pyoxigraph.Store(str(path))
        except RuntimeError:  # damaged
            shutil.rmtree(path, ignore_errors=True)
            self._store, self.fresh = pyoxigraph.Store(str(path)), True
        except OSError as error:
            raise SundogError(f"{path} cannot be opened: {error}") from None

    def replace(self, pages: Sequence[PageStatements]) -> list[Refused]:
        """Give these pages these statements and no others; of two versions of a page the later one counts.

        Returns the pages that cannot be had. An error is one of the index as a whole.
        """
        try:
            self._replace(pages)
            return []
        except OSError:
            raise
        except BaseException as error:  # Oxigraph may panic, and that is no Exception
            _raise_if_ours(error)
            latest = {page.url: page for page in pages}.values()
            return [refused for page in latest if (refused := self._replace_one(page))]

    def _replace_one(self, page: PageStatements) -> Refused | None:
        try:
            self._replace([page])
        except OSError:
            raise
        except BaseException as error:
            _raise_if_ours(error)
            self._check_works()
            return Refused(page.step, cause_of(error)[:LONGEST_REASON] or type(error).__name__)
        return None

    def _check_works(self) -> None:
        """What takes a harmless statement is not broken: the page was at fault."""
        self._store.add(HARMLESS)
        self._store.remove(HARMLESS)

    def _replace(self, pages: Sequence[PageStatements]) -> None:
        texts = {graph_iri(page.url): page.triples for page in pages}
        for graph in texts:
            node = pyoxigraph.NamedNode(graph[1:-1])
            if self._store.contains_named_graph(node):
                self._store.remove_graph(node)
        for quads in _portions(texts):
            try:
                self._load(quads)
            except (SyntaxError, ValueError):
                self._load_readable(quads)

    def _load(self, quads: str) -> None:
        load = self._store.bulk_load if quads.count("\n") >= BULK else self._store.load
        load(quads, FORMAT, lenient=True)

    def _load_readable(self, quads: str) -> None:
        """Without the lines that are no statements. They must not cost the others their place."""
        lines = [f"{line}\n" for line in quads.split("\n") if line]  # literals may hold what else ends a line
        self._store.load("".join(filter(_is_readable, lines)), FORMAT, lenient=True)

    def flush(self) -> None:
        """Leave nothing in the write-ahead log: opening it for reading would have to go through that."""
        self._store.flush()

    def close(self) -> None:
        del self._store


def _portions(texts: Mapping[str, str]) -> Iterator[str]:
    """Triples by their graphs as N-Quads: a dump alone may be more than fits into memory several times."""
    gathered: list[str] = []
    size = 0
    for graph, triples in texts.items():
        start = 0
        while start < len(triples):
            end = triples.find("\n", start + PORTION - size) + 1 or len(triples)
            gathered.append(nquads(graph, comparable_dates(one_schema_org(triples[start:end]))))
            size += end - start
            start = end
            if size >= PORTION:
                yield "".join(gathered)
                gathered, size = [], 0
    if gathered:
        yield "".join(gathered)


def _is_readable(line: str) -> bool:
    try:
        return len(list(pyoxigraph.parse(line, FORMAT, lenient=True))) == 1
    except (SyntaxError, ValueError):
        return False


def _raise_if_ours(error: BaseException) -> None:
    """Somebody wants the process to end: that is no fault of a page."""
    if isinstance(error, KeyboardInterrupt | SystemExit):
        raise error


class _Loaded(NamedTuple):
    step: int
    refused: list[Refused]


class Indexer:
    """Feeds the index in a thread, a little behind the commits. ``done``: the step up to which it is complete.

    ``fault``: why the index as a whole fails. Then it stays behind, for ``crawl.db`` has all that it lacks.
    """

    def __init__(self, index: StatementIndex, done: int, mark: LoadingMark) -> None:
        self.done = done
        self.fault = DEADLY if mark.is_deadly else ""
        self._index, self._mark = index, mark
        self._refused: list[Refused] = []
        self._waiting: list[PageStatements] = []
        self._size = 0
        self._thread = ThreadPoolExecutor(1, "statements")
        self._running: Future[_Loaded] | None = None
        self._started = time.monotonic()

    def add(self, page: PageStatements) -> None:
        if not self.fault:
            self._waiting.append(page)
            self._size += page.size

    def advance(self) -> None:
        """Start on what waits if that is worth it; wait only if the thread cannot keep pace."""
        if self._running and (self._running.done() or self._size >= 4 * GROUP):
            self._wait_for_thread()
        if self._waiting and self._running is None and self._is_due():
            self._start()

    def _is_due(self) -> bool:
        waited = time.monotonic() - self._started
        return self._size >= GROUP or waited >= (SECONDS if self._size < MANY else SECONDS_OF_MANY)

    def complete(self) -> None:
        """Bring in everything, now."""
        self._wait_for_thread()
        if self._waiting:
            self._start()
            self._wait_for_thread()
        if not self.fault:
            self._guarded(self._index.flush)

    def catch_up(self, groups: Iterable[list[PageStatements]]) -> None:
        """Bring in what it lacks, as ``crawl.db`` has it."""
        if self._mark.is_deadly:
            return
        self.fault = ""
        for group in groups:
            self._guarded(partial(self._load_group, group))
            if self.fault:
                return

    def take_refused(self) -> list[Refused]:
        """Pages that the index cannot take, since the last time."""
        taken, self._refused = self._refused, []
        return taken

    def close(self) -> None:
        self._thread.shutdown()
        self._index.close()

    def _start(self) -> None:
        group, self._waiting, self._size = self._waiting, [], 0
        self._started = time.monotonic()
        self._running = self._thread.submit(self._load_group, group)

    def _load_group(self, group: list[PageStatements]) -> _Loaded:
        with self._mark.held(self.done):
            return _Loaded(group[-1].step, self._index.replace(group))

    def _wait_for_thread(self) -> None:
        if self._running:
            running, self._running = self._running, None
            self._guarded(running.result)

    def _guarded(self, action: Callable[[], _Loaded | None]) -> None:
        """Later pages must not pass for all of them: after a failure nothing more is taken."""
        try:
            loaded = action()
        except BaseException as error:
            self.fault = cause_of(error) or type(error).__name__
            self._waiting, self._size = [], 0
            _raise_if_ours(error)
        else:
            if loaded:
                self.done = loaded.step
                self._refused += loaded.refused
