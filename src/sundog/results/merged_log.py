"""The logs of shards as one: each event with the numbers of the merged crawl, in the order of what happened."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import orjson

from sundog.frontier.arrays import longer
from sundog.model import HeadResult, LinkBatch
from sundog.store import (
    Budgeted,
    CrawlReader,
    CrawlStore,
    Decided,
    GivenBack,
    HeadAnswered,
    NearMiss,
    Observed,
    PageRecord,
    PatternFindings,
    RenderChoice,
    Revisited,
    Revisiting,
    RoundBegun,
    Seeded,
)
from sundog.store.database import transaction
from sundog.store.events import READERS, no_links, unpacked_links
from sundog.store.statements import ids_of_steps, split_triples
from sundog.syntaxes import STORED

UNKNOWN, OFFERED, IN_FLIGHT, DONE = range(4)  # states of a candidate
COMMIT_EVERY = 2_000  # events
EVENTS = """SELECT l.step, l.event, l.subject, l.at, l.value, l.data, f.links, f.known, o.duplicate_of
  FROM log l LEFT JOIN foreign_links f ON f.step = l.step LEFT JOIN outcomes o ON o.step = l.step
  WHERE l.event IN ('seeded', 'decided', 'near', 'fetched', 'failed', 'refused', 'given back', 'looked',
    'round', 'revisiting', 'revisited')
  UNION ALL SELECT step, 'robots', NULL, NULL, NULL, json_array(origin, digest, trouble), NULL, NULL, NULL
  FROM robots_files ORDER BY 1"""
OUTCOME = f"""SELECT status, trouble, final_url, content_type, size, seconds, content_hash, types, faults,
  {", ".join(STORED)} FROM outcomes WHERE step = ?"""
VISIT = """SELECT r.result, r.status, r.age, r.size, r.reason, s.signs FROM revisits r
  LEFT JOIN signs s ON s.step = r.step WHERE r.step = ?"""
AGES = "SELECT round, age FROM rounds"
OF_PAGES = (("validators", 1, 4), ("hints", 2, 3), ("own_hints", 1, 4))  # tables: columns of ids, and all columns
OTHER_KEYS = "SELECT hash FROM contents WHERE candidate = ? AND hash IS NOT ?"
Progress = Callable[[int, int], None]


class _Row(NamedTuple):
    """An event of a shard's log, with the links to other shards that were committed with it."""

    step: int
    event: str
    subject: int
    at: float | None
    value: float | None
    data: str
    foreign: str | None
    known: str | None
    duplicate_of: int | None


class _Began(NamedTuple):
    """A round, in one shard or in the merged crawl: its number, when it began, and the crawl's age by then."""

    number: int = 0
    at: float = 0.0
    age: float = 0.0


class _Shard:
    """The ids of one shard's strings, and what they are in the merged crawl."""

    def __init__(self, reader: CrawlReader) -> None:
        self.reader = reader
        self.candidates = np.zeros(1024, np.int32)
        self.texts = np.zeros(1024, np.int32)
        self.skipped: set[int] = set()  # candidates whose decision was left out, and so is its end
        self.near: dict[int, float] = {}  # how near pages came that are observed next
        self.rendered: dict[int, str] = {}  # and whether they were rendered
        self.round = _Began()
        self.again: set[int] = set()  # candidates that are visited again

    def rows(self) -> Iterator[_Row]:
        return map(_Row._make, self.reader.connection.execute(EVENTS))

    def timed(self, number: int) -> Iterator[tuple[int, float, int, int, _Row]]:
        """In the order of the log; what has no time of its own happened with what was before it. A round begins in
        all shards after the one before has ended in all of them, whatever their clocks say."""
        now, of_round = 0.0, 0
        for row in self.rows():
            now = max(now, row.at or 0.0)
            of_round = row.subject if row.event == "round" else of_round
            yield of_round, now, number, row.step, row


class LogMerger:
    def __init__(self, store: CrawlStore, readers: Sequence[CrawlReader], progress: Progress) -> None:
        self._store, self._shards = store, [_Shard(reader) for reader in readers]
        self._progress = progress
        self._urls: dict[str, int] = {}
        self._texts: dict[str, int] = {}
        self._new_urls: list[str] = []
        self._new_texts: list[str] = []
        self._state = np.zeros(1024, np.uint8)  # of candidates: offered, in flight, done
        self._round, self._done = _Began(), 0  # fetches and visits
        self._ages: dict[int, float] = {}  # of the oldest shard, by round
        for reader in readers:
            for number, age in reader.connection.execute(AGES):
                self._ages[number] = max(age, self._ages.get(number, 0.0))

    def run(self) -> None:
        total = sum(shard.reader.steps for shard in self._shards)
        if any(shard.reader.documents_are_graphs for shard in self._shards):
            self._store.name_graphs_by_documents()
        streams = [shard.timed(number) for number, shard in enumerate(self._shards)]
        for done, (*_, number, _, row) in enumerate(heapq.merge(*streams)):
            self._take(self._shards[number], row)
            if done % COMMIT_EVERY == 0:
                self._store.commit()
                self._progress(done, total)
        self._store.commit()
        for shard in self._shards:
            for host, state in shard.reader.host_states().items():
                self._store.save_host(host, state)
            self._copy_what_is_known(shard)

    def _copy_what_is_known(self, shard: _Shard) -> None:
        """Of pages as they are now: by what they are known again, and what says when they change."""
        with transaction(self._store.connection):
            for table, ids, columns in OF_PAGES:
                rows = shard.reader.connection.execute(f"SELECT * FROM {table}").fetchall()
                names = shard.reader.urls_of(number for row in rows for number in row[:ids])
                known = {number: self._urls[url] for number, url in names.items() if url in self._urls}
                values = [
                    (*(known[number] for number in row[:ids]), *row[ids:])
                    for row in rows
                    if known.keys() >= set(row[:ids])
                ]
                query = f"INSERT OR REPLACE INTO {table} VALUES ({', '.join('?' * columns)})"
                self._store.connection.executemany(query, values)

    def _take(self, shard: _Shard, row: _Row) -> None:
        match row.event:
            case "seeded":
                batch = READERS["seeded"](row.subject, row.at, row.value, row.data)
                assert isinstance(batch, Seeded)
                self._seed(self._candidates(shard, batch.candidates))
            case "decided":
                self._decide(shard, row)
                return
            case "near":
                shard.near[row.subject] = row.value or 0.0
                return
            case "rendered":
                shard.rendered[row.subject] = row.data
                return
            case "round":
                self._begin_round(shard, row)
                return
            case "robots":
                self._store.note_robots(*(text or "" for text in orjson.loads(row.data)))
                return
            case "revisiting":
                self._visit_again(shard, row)
                return
            case _ if row.subject in shard.skipped:
                shard.skipped.discard(row.subject)
                shard.near.pop(row.subject, None)
                shard.rendered.pop(row.subject, None)
                return
            case "given back":
                candidate = int(self._candidates(shard, np.array([row.subject]))[0])
                self._state[candidate] = DONE if row.subject in shard.again else OFFERED
                shard.again.discard(row.subject)
                self._append(GivenBack(candidate))
            case "revisited":
                self._observe_again(shard, row)
            case "looked":
                candidate = int(self._candidates(shard, np.array([row.subject]))[0])
                self._state[candidate] = OFFERED
                self._append(HeadAnswered(candidate, row.at or 0.0, HeadResult(*orjson.loads(row.data))))
            case _:
                self._observe(shard, row)
        if row.event not in ("fetched", "revisited") and row.foreign is not None:
            self._seed(self._candidates(shard, unpacked_links(row.foreign).targets))

    def _begin_round(self, shard: _Shard, row: _Row) -> None:
        """When the first shard begins it. Its age is that of the shard that is oldest: those are as old as the
        crawl."""
        event = READERS["round"](row.subject, row.at, row.value, row.data)
        assert isinstance(event, RoundBegun)
        shard.round = _Began(event.number, event.now, event.age)
        if event.number > self._round.number:
            age = max(self._ages.get(event.number, 0.0), self._round.age)
            self._round = _Began(event.number, event.now, age)
            self._append(event._replace(age=age))
            self._append(Budgeted(self._done + event.budget))

    def _visit_again(self, shard: _Shard, row: _Row) -> None:
        candidate = int(self._candidates(shard, np.array([row.subject]))[0])
        if self._state[candidate] != DONE:
            shard.skipped.add(row.subject)
            return
        self._state[candidate] = IN_FLIGHT
        shard.again.add(row.subject)
        event = READERS["revisiting"](candidate, row.at, row.value, row.data)
        assert isinstance(event, Revisiting)
        self._append(event)

    def _observe_again(self, shard: _Shard, row: _Row) -> None:
        """Links to pages that another shard knew are not found anew."""
        candidate = int(self._candidates(shard, np.array([row.subject]))[0])
        self._state[candidate] = DONE
        shard.again.discard(row.subject)
        result, status, age, size, reason, signs = shard.reader.connection.execute(VISIT, (row.step,)).fetchone()
        links = self._links(shard, row) if row.data is not None else no_links()
        unknown = np.flatnonzero(self._state[links.targets] == UNKNOWN)
        self._state[links.targets[unknown]] = OFFERED
        is_version = result in ("changed", "gone")
        same_as = None
        if row.duplicate_of is not None:
            same_as = int(self._candidates(shard, np.array([row.duplicate_of]))[0])
        event = Revisited(
            candidate=candidate,
            now=row.at or 0.0,
            age=self._round.age + max(0.0, shard.round.at - self._round.at + age - shard.round.age),
            result=result,
            reward=row.value or 0.0,
            reason=reason or "",
            links=links if result == "changed" else _part(links, unknown),
            found=len(np.unique(links.targets[unknown])),
            record=self._record(shard.reader, row, same_as)
            if is_version
            else PageRecord(status=status, size=size),
        )
        more = self._found(shard.reader, row) if is_version else {}
        self._done += result != "refused"
        self._append(event, signs=orjson.loads(signs) if signs else None, **more)

    def _seed(self, candidates: Any) -> None:
        new = candidates[self._state[candidates] == UNKNOWN]
        if len(new):
            self._state[new] = OFFERED
            self._append(Seeded(new))

    def _decide(self, shard: _Shard, row: _Row) -> None:
        """What was decided twice, by a shard that had it before another one, was done once."""
        candidates = self._candidates(shard, np.array([row.subject]))
        candidate = int(candidates[0])
        if self._state[candidate] in (IN_FLIGHT, DONE):
            shard.skipped.add(row.subject)
            return
        self._seed(candidates)  # clocks of two nodes may differ
        event = READERS["decided"](candidate, row.at, row.value, row.data)
        self._state[candidate] = IN_FLIGHT
        assert isinstance(event, Decided)
        self._append(event)

    def _observe(self, shard: _Shard, row: _Row) -> None:
        candidate = int(self._candidates(shard, np.array([row.subject]))[0])
        same_as = None
        if row.duplicate_of is not None:
            same_as = int(self._candidates(shard, np.array([row.duplicate_of]))[0])
        record = self._record(shard.reader, row, same_as)
        self._state[candidate] = DONE
        at = row.at or 0.0
        if row.event == "fetched":
            if (rendered := shard.rendered.pop(row.subject, None)) is not None:
                self._append(RenderChoice(candidate, 0.0, *orjson.loads(rendered)))
            near = shard.near.pop(row.subject, 0.0)
            if near:
                self._append(NearMiss(candidate, near))
            links = self._links(shard, row)
            event = Observed(candidate, at, "fetched", row.value or 0.0, "", links, record, near=near)
            fresh = links.targets[self._state[links.targets] == UNKNOWN]
            self._state[fresh] = OFFERED
        elif row.event == "failed":
            event = Observed(candidate, at, "failed", reason=row.data, record=record, same_as=same_as)
        else:
            event = Observed(candidate, at, "refused", reason=row.data, record=record)
        self._done += row.event != "refused"
        self._append(event, **self._found(shard.reader, row))

    def _links(self, shard: _Shard, row: _Row) -> LinkBatch:
        parts = [unpacked_links(text) for text in (row.data, row.foreign, row.known) if text]
        batches = [part for part in parts if len(part.targets)]
        if not batches:
            return parts[0]

        def joined(place: int) -> Any:
            """Those that some have, and others have not, are 0."""
            if not any(len(batch[place]) for batch in batches):
                return ()
            fields = [batch[place] if len(batch[place]) else np.zeros(len(batch.targets)) for batch in batches]
            return np.concatenate(fields)

        targets, anchors, paths = (np.concatenate([batch[place] for batch in batches]) for place in range(3))
        return LinkBatch(
            self._candidates(shard, targets),
            self._text_ids(shard, anchors),
            self._text_ids(shard, paths),
            joined(3),
            np.asarray(joined(4), np.int32) if any(len(batch.groups) for batch in batches) else (),
        )

    def _record(self, reader: CrawlReader, row: _Row, same_as: int | None) -> PageRecord:
        connection = reader.connection
        found = connection.execute(OUTCOME, (row.step,)).fetchone()
        status, trouble, final_url, content_type, size, seconds, content_hash, types, faults, *counts = found
        hops = connection.execute("SELECT url FROM hops WHERE step = ? ORDER BY rowid", (row.step,))
        keys = connection.execute(OTHER_KEYS, (row.subject, content_hash)) if row.event == "fetched" else ()
        return PageRecord(
            status,
            trouble,
            final_url,
            [url for (url,) in hops],
            content_type,
            size,
            seconds,
            content_hash,
            [key for (key,) in keys],
            same_as,
            dict(zip(STORED, counts, strict=True)),
            orjson.loads(types or "[]"),
            [tuple(each) for each in orjson.loads(faults or "[]")],
        )

    def _found(self, reader: CrawlReader, row: _Row) -> dict[str, Any]:
        """Statements, answers and items that came with the page."""
        connection, step = reader.connection, (row.step,)
        own = f"_:p{row.subject}-"
        query = "SELECT syntax, triples FROM statements WHERE id BETWEEN ? AND ? ORDER BY id"
        statements = {
            syntax: [tuple(_renamed(term, own) for term in triple) for triple in split_triples(triples)]
            for syntax, triples in connection.execute(query, ids_of_steps(row.step, row.step))
        }
        answers = connection.execute("SELECT answer FROM answers WHERE step = ? ORDER BY id", step)
        items: dict[str, list[Any]] = {}
        for pattern, item in connection.execute(
            "SELECT pattern, item FROM found_items WHERE step = ? ORDER BY id", step
        ):
            items.setdefault(pattern, []).append(orjson.loads(item))
        stops = connection.execute("SELECT pattern FROM found_matches WHERE step = ? AND kind = 'stop'", step)
        return {
            "statements": statements,
            "answers": [orjson.loads(answer) for (answer,) in answers],
            "findings": PatternFindings(items, {}, [pattern for (pattern,) in stops]),
        }

    # -- ids -----------------------------------------------------------------------------------------

    def _candidates(self, shard: _Shard, ids: Any) -> Any:
        shard.candidates = _with_ids(shard.candidates, ids, shard.reader.urls_of, self._urls, self._new_urls)
        self._state = longer(self._state, len(self._urls) + 1)
        return shard.candidates[ids] - 1

    def _text_ids(self, shard: _Shard, ids: Any) -> Any:
        known = ids[ids >= 0]
        shard.texts = _with_ids(shard.texts, known, shard.reader.texts_of, self._texts, self._new_texts)
        found = np.full(len(ids), -1, np.int32)
        found[ids >= 0] = shard.texts[known] - 1
        return found

    def _append(self, event: Any, **more: Any) -> None:
        self._store.append(event, urls=self._new_urls, texts=self._new_texts, **more)
        self._new_urls.clear()
        self._new_texts.clear()


def _part(links: LinkBatch, places: Any) -> LinkBatch:
    return LinkBatch(*(field[places] if len(field) else field for field in links))


def _with_ids(
    table: Any, ids: Any, strings: Callable[[Any], dict[int, str]], known: dict[str, int], new: list[str]
) -> Any:
    """The table of a shard's ids with these ones in it: each has its number in the merged crawl, and one more.

    Strings that nobody had before get the next number.
    """
    if not len(ids):
        return table
    table = longer(table, int(ids.max()) + 1)
    missing = np.unique(ids[table[ids] == 0])
    if len(missing):
        found = strings(missing.tolist())
        for number in missing.tolist():
            text = found[number]
            if text not in known:
                known[text] = len(known)
                new.append(text)
            table[number] = known[text] + 1
    return table


def _renamed(term: str, own: str) -> str:
    """A blank node as the page had it: the store gives it the label of its page again."""
    return f"_:{term[len(own) :]}" if term.startswith(own) else term
