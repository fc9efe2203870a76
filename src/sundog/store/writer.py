"""Writing a crawl: events are appended, and committed in groups.

Invariants:

1. A commit holds a prefix of the sequence of events, with every string and statement that belongs to it.
2. What is committed survives the end of the process, whatever ends it.
3. Each decision ends at most once: with an outcome, with the answer to a HEAD request, or given back.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import orjson

from sundog.errors import SundogError
from sundog.files import write_whole
from sundog.model import INDEX_FAULT
from sundog.store import database, warc
from sundog.store.buffer import Buffer, as_json
from sundog.store.directory import (
    DATABASE,
    INDEXING,
    SPEC,
    STATEMENTS,
    SUMMARY,
    WARC,
    Lock,
    check_crawl,
    prepare_new,
)
from sundog.store.events import (
    Budgeted,
    Charged,
    Decided,
    Event,
    ForeignLinks,
    GivenBack,
    HeadAnswered,
    NearMiss,
    Observed,
    PatternFindings,
    Prepared,
    Received,
    RenderChoice,
    Rested,
    Revisited,
    Revisiting,
    RoundBegun,
    Seeded,
    Taught,
    Triple,
    Waited,
    clean,
    row_of,
)
from sundog.store.index import Indexer, PageStatements, StatementIndex, in_groups
from sundog.store.loading_mark import LoadingMark
from sundog.store.reader import GRAPH_NAMES, INDEXED, NOT_ENDED, WARC_LENGTH, CrawlReader
from sundog.store.statements import STEP, ids_of_steps

DEEPEST = 65_535
IN_FLIGHT = f"SELECT subject, step FROM log {NOT_ENDED}"
FORGET_INDEX_FAULTS = f"""UPDATE outcomes SET faults = (SELECT nullif(json_group_array(json(value)), '[]')
  FROM json_each(faults) WHERE json_extract(value, '$[0]') <> '{INDEX_FAULT}')
  WHERE step IN (SELECT o.step FROM outcomes o, json_each(o.faults) f
    WHERE json_extract(f.value, '$[0]') = '{INDEX_FAULT}')"""
NOT_INDEXED = f"SELECT {STEP}, {{graph}}, s.triples FROM {database.STATEMENTS} WHERE s.id >= ? ORDER BY s.id"


class CrawlStore(CrawlReader):
    """One crawl, open for writing by this process alone. Make one with ``create`` or ``open``."""

    def __init__(self, directory: Path, connection: sqlite3.Connection, lock: Lock) -> None:
        super().__init__(directory, connection)
        self._lock = lock
        self._buffer = Buffer()
        self._exchanges: list[bytes] = []
        self._new_statements: list[PageStatements] = []
        with database.plain_errors(self._path):
            self._step = self.steps
            self._texts = self._count("SELECT coalesce(max(id), -1) + 1 FROM texts")
            self._parents, self._depths = array("i"), array("H")
            for parent, depth in connection.execute("SELECT coalesce(parent, -1), depth FROM urls ORDER BY id"):
                self._parents.append(parent)
                self._depths.append(depth)
            self._in_flight: dict[int, int] = dict(connection.execute(IN_FLIGHT))
        self._documents_are_graphs = self.documents_are_graphs
        self._indexer = self._open_index()
        self._indexed = 0  # what the database knows of that
        self._warc = self._open_warc() if (directory / WARC).exists() else None

    @classmethod
    def create(cls, directory: Path | str, spec_text: str) -> CrawlStore:
        """Begin a crawl in a new or empty directory."""
        directory = Path(directory)
        prepare_new(directory)
        with ExitStack() as undo:
            lock = Lock(directory)
            undo.callback(lock.release)
            connection = database.connect_new(directory / DATABASE)
            undo.callback(connection.close)
            write_whole(directory / SPEC, spec_text.encode())
            database.build(connection)
            store = cls(directory, connection, lock)
            undo.pop_all()
        return store

    @classmethod
    def open(cls, directory: Path | str) -> CrawlStore:
        """Go on with a crawl, however it ended."""
        directory = Path(directory)
        check_crawl(directory, write=True)
        with ExitStack() as undo:
            lock = Lock(directory)
            undo.callback(lock.release)
            connection = database.open_for_writing(directory / DATABASE)
            undo.callback(connection.close)
            store = cls(directory, connection, lock)
            undo.pop_all()
        return store

    # -- what happens --------------------------------------------------------------------------------

    def append(
        self,
        event: Event,
        *,
        urls: Sequence[str] = (),
        texts: Sequence[str] = (),
        statements: Mapping[str, Sequence[Triple]] | None = None,
        answers: Sequence[Any] = (),
        findings: PatternFindings | None = None,
        exchange: warc.Exchange | None = None,
        foreign: ForeignLinks | None = None,
        signs: Mapping[str, Any] | None = None,
        hints: Mapping[int, float] | None = None,
    ) -> None:
        """Take an event, with the strings that it was the first to mention, in the order of their ids.

        ``statements`` are a fetched page's by syntax, ``answers`` what it adds to the objective's answer (any
        JSON), ``findings`` what patterns found on it, ``exchange`` what goes to the WARC file, ``foreign`` links
        that it has to hosts of other shards, ``signs`` why a page that was visited again has less than before,
        ``hints`` when a sitemap or feed says that candidates last changed.
        """
        self._check(event, len(self._depths) + len(urls))
        self._step += 1
        decided = self._close_decision(event)
        if urls or texts:
            self._add_strings(event, urls, texts)
        self._buffer.add_event(self._step, row_of(event, decided))
        if foreign is not None:
            self._buffer.add_foreign(self._step, foreign)
        if hints and isinstance(event, Observed | Revisited):
            self._buffer.hints += [(candidate, event.candidate, at) for candidate, at in hints.items()]
        if isinstance(event, Revisited):
            self._buffer.add_revisit(self._step, decided, event)
            if signs:
                self._buffer.add_signs(self._step, event.candidate, signs)
            if event.is_version:
                self._add_statements(event, statements or {})
        if isinstance(event, Observed):
            self._buffer.add_outcome(self._step, decided, event)
            if statements:
                self._add_statements(event, statements)
        if isinstance(event, Observed) or (isinstance(event, Revisited) and event.is_version):
            if answers:
                self._buffer.add_answers(self._step, answers)
            if findings:
                self._buffer.add_findings(self._step, findings)
            if exchange is not None:
                self._exchanges.append(warc.records(exchange))

    @contextmanager
    def all_or_nothing(self) -> Iterator[None]:
        """If what is done within fails, what was appended within is taken back. There must be no commit in it."""
        step, texts, urls, in_flight = self._step, self._texts, len(self._depths), dict(self._in_flight)
        rows, exchanges, pages = self._buffer.size, len(self._exchanges), len(self._new_statements)
        try:
            yield
        except BaseException:
            self._step, self._texts, self._in_flight = step, texts, in_flight
            self._buffer.cut(rows)
            for each, length in (
                (self._parents, urls),
                (self._depths, urls),
                (self._exchanges, exchanges),
                (self._new_statements, pages),
            ):
                del each[length:]
            raise

    def commit(self) -> None:
        """Make everything appended so far durable, in one transaction."""
        if self._indexer.done != self._indexed:
            self.save(INDEXED, self._indexer.done)
            self._buffer.add_index_faults(self._indexer.take_refused())
        if self._exchanges:
            self._write_exchanges()
        if not self._buffer.is_empty:
            with database.plain_errors(self._path), database.transaction(self.connection):
                self._buffer.write(self.connection)
            self._buffer = Buffer()
            self._indexed = self._indexer.done
        for page in self._new_statements:
            self._indexer.add(page)
        self._new_statements.clear()
        self._indexer.advance()  # last: a failing index must not keep the crawl from its database

    def advance_index(self) -> None:
        """Bring the index on while nothing else happens, as when a crawl waits for a host: readers wait, too."""
        self._indexer.advance()
        if self._indexer.done != self._indexed:
            self.commit()

    def name_graphs_by_documents(self) -> None:
        """Graphs have the URLs to which redirects led. Call it before the first event."""
        self._documents_are_graphs = True
        self.save(GRAPH_NAMES, "documents")

    def save(self, name: str, value: Any) -> None:
        """A small state under a name, as JSON; written with the next commit."""
        self._buffer.states[name] = as_json(value)

    def save_host(self, host: str, state: Any) -> None:
        """What politeness knows of a host, as JSON; written with the next commit."""
        self._buffer.host_states[host] = as_json(state)

    def note_robots(self, origin: str, digest: str, trouble: str) -> None:
        """What robots.txt of an origin was, or why it could not be had; written with the next commit."""
        self._buffer.add_robots(self._step, origin, digest, trouble)

    def seen_content(self, key: bytes) -> int | None:
        """The candidate that first had this content or name, committed or not."""
        committed = super().seen_content(key)
        return self._buffer.contents.get(key) if committed is None else committed

    def still_has(self, candidate: int, content_hash: bytes) -> bool:
        """Whether a page that had this content has it still; one that is not committed yet has."""
        query = "SELECT content_hash FROM outcomes WHERE candidate = ? ORDER BY step DESC LIMIT 1"
        row = self.connection.execute(query, (candidate,)).fetchone()
        return row is None or row[0] == content_hash

    def depth(self, candidate: int) -> int:
        """Links from a seed to where it was first found."""
        return self._depths[candidate]

    def parent(self, candidate: int) -> int | None:
        """The page on which it was first found; none for seeds."""
        parent = self._parents[candidate]
        return None if parent < 0 else parent

    def write_summary(self, summary: Mapping[str, Any]) -> None:
        write_whole(self.directory / SUMMARY, orjson.dumps(dict(summary), option=orjson.OPT_INDENT_2))

    def index(self) -> None:
        """Commit, and bring ``statements/`` up to that, now; ``index_fault`` says if it cannot be."""
        self.commit()
        self._indexer.complete()
        if self._indexer.fault:  # it may have been a full disk
            self._catch_up(self._indexer)
        self.commit()

    @property
    def index_fault(self) -> str:
        """Why the index stays behind; empty if it does not. The crawl goes on without it."""
        return self._indexer.fault

    def close(self) -> None:
        """Commit what was appended, complete the index and let go of the directory."""
        with ExitStack() as last:  # each of these, whatever goes wrong with another
            last.callback(self._lock.release)
            last.callback(super().close)
            last.callback(self._close_warc)
            last.callback(self._indexer.close)
            self.index()

    # -- behind it -----------------------------------------------------------------------------------

    def _check(self, event: Event, known: int) -> None:
        """An event that cannot have happened would make every later resume impossible."""
        match event:
            case Decided() | Revisiting():
                if event.candidate in self._in_flight or not 0 <= event.candidate < known:
                    raise SundogError(f"candidate {event.candidate} is unknown, or decided already")
                return
            case Rested() | Budgeted() | Waited() | RoundBegun() | Taught() | Prepared():
                return
            case Charged() if event.candidate in self._in_flight or not 0 <= event.candidate < known:
                raise SundogError(f"candidate {event.candidate} has no outcome yet: it cannot have cost anything")
            case NearMiss() | RenderChoice() | Observed() | Revisited() | GivenBack() | HeadAnswered() if (
                event.candidate not in self._in_flight
            ):
                raise SundogError(f"candidate {event.candidate} was not decided, or its outcome is known")
            case Observed() | Revisited() | Received():
                ids = event.links.targets
            case Seeded():
                ids = event.candidates
            case Charged() | NearMiss() | RenderChoice() | GivenBack() | HeadAnswered():
                return
        if len(ids) and (int(ids.min()) < 0 or int(ids.max()) >= known):
            raise SundogError("an event mentions a candidate whose URL came neither with it nor before")

    def _close_decision(self, event: Event) -> int:
        """Returns the step of the decision that this event ends, if it ends one."""
        if isinstance(event, Decided | Revisiting):
            self._in_flight[event.candidate] = self._step
        elif isinstance(event, Observed | Revisited | GivenBack | HeadAnswered):
            return self._in_flight.pop(event.candidate)
        return 0

    def _add_strings(self, event: Event, urls: Sequence[str], texts: Sequence[str]) -> None:
        parent = event.candidate if isinstance(event, Observed | Revisited) else None
        if isinstance(event, Received) and event.depths is not None:
            depths = [min(depth, DEEPEST) for depth in event.depths]
        else:
            depths = [0 if parent is None else min(self._depths[parent] + 1, DEEPEST)] * len(urls)
        self._buffer.add_urls(len(self._depths), urls, parent, depths)
        self._parents.extend([-1 if parent is None else parent] * len(urls))
        self._depths.extend(depths)
        self._buffer.add_texts(self._texts, texts)
        self._texts += len(texts)

    def _add_statements(self, event: Observed | Revisited, statements: Mapping[str, Sequence[Triple]]) -> None:
        triples = self._buffer.add_statements(self._step, event.candidate, statements)
        if not triples and isinstance(event, Revisited):
            self._buffer.add_no_statements(self._step)
        if triples or isinstance(event, Revisited):
            moved = event.record.final_url if event.record and self._documents_are_graphs else None
            url = (moved and clean(moved)) or self._buffer.url(event.candidate) or self.url(event.candidate)
            self._new_statements.append(PageStatements(self._step, url, triples))

    def _open_warc(self) -> warc.WarcFile:
        return warc.WarcFile(self.directory / WARC, self.state(WARC_LENGTH, 0))

    def _close_warc(self) -> None:
        if self._warc:
            self._warc.close()

    def _write_exchanges(self) -> None:
        self._warc = self._warc or self._open_warc()
        self._warc.append(b"".join(self._exchanges))
        self._exchanges.clear()
        self.save(WARC_LENGTH, self._warc.size)

    def _open_index(self) -> Indexer:
        """The index with all that is committed: a crash may have left it behind, or it was lost."""
        index = StatementIndex(self.directory / STATEMENTS)
        if index.fresh:  # a crash on the way must not leave the progress of the lost one
            with database.plain_errors(self._path), database.transaction(self.connection):
                self.connection.execute("DELETE FROM states WHERE name = ?", (INDEXED,))
                self.connection.execute(FORGET_INDEX_FAULTS)
        mark = LoadingMark(self.directory / INDEXING, self.indexed)
        indexer = Indexer(index, self.indexed, mark)
        self._catch_up(indexer)
        return indexer

    def _catch_up(self, indexer: Indexer) -> None:
        first, _ = ids_of_steps(indexer.done + 1, indexer.done + 1)
        with database.plain_errors(self._path):
            rows = self.connection.execute(NOT_INDEXED.format(graph=self.graph_column), (first,))
            indexer.catch_up(in_groups(rows))
