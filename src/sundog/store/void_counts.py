"""What a crawl has collected, in numbers: the figures of its VoID description. Memory does not grow with it."""

from __future__ import annotations

import hashlib
import sqlite3
from collections import Counter
from collections.abc import Iterable
from urllib.parse import urlsplit

from sundog.store.entities import page_texts
from sundog.store.reader import CrawlReader
from sundog.store.statements import split_triples

TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
MOST_KEYS = 100_000  # of a counter: a host may invent names without end
BATCH = 10_000


class BoundedCounter(Counter[str]):
    """Knows no more than so many keys; those that came first are counted."""

    def note(self, key: str, times: int = 1) -> None:
        if key in self or len(self) < MOST_KEYS:
            self[key] += times


class Distinct:
    """How many different strings were added, counted in a temporary table of the database."""

    def __init__(self, connection: sqlite3.Connection, name: str) -> None:
        self._connection, self._name = connection, name
        self._batch: set[int] = set()
        connection.execute(f"CREATE TEMP TABLE {name}(key INTEGER PRIMARY KEY) WITHOUT ROWID")

    def add(self, text: str) -> None:
        key = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest()
        self._batch.add(int.from_bytes(key, "big", signed=True))
        if len(self._batch) >= BATCH:
            self._write()

    def _write(self) -> None:
        rows = ((key,) for key in self._batch)
        self._connection.executemany(f"INSERT OR IGNORE INTO {self._name} VALUES (?)", rows)
        self._batch.clear()

    def close(self) -> int:
        """The number; the table is gone afterwards."""
        self._write()
        (count,) = self._connection.execute(f"SELECT count(*) FROM {self._name}").fetchone()
        self._connection.execute(f"DROP TABLE {self._name}")
        return int(count)


class Collected:
    """Counts of all statements of a crawl."""

    def __init__(self, reader: CrawlReader) -> None:
        self.triples = 0
        self.properties, self.classes = BoundedCounter(), BoundedCounter()
        self.documents, self.triples_by_host, self.links = BoundedCounter(), BoundedCounter(), BoundedCounter()
        self.first, self.last = float("inf"), float("-inf")
        self._subjects = Distinct(reader.connection, "void_subjects")
        self._objects = Distinct(reader.connection, "void_objects")
        for page in page_texts(reader):
            self.first, self.last = min(self.first, page.at), max(self.last, page.at)
            self.triples_by_host.note(host_of(page.graph), self._take(split_triples(page.triples)))
        self.subjects, self.objects = self._subjects.close(), self._objects.close()
        self.pages = 0
        for (url,) in reader.connection.execute(DOCUMENTS.format(graph=reader.graph_column)):
            self.pages += 1
            self.documents.note(host_of(url))

    def _take(self, triples: Iterable[tuple[str, ...]]) -> int:
        count = 0
        for subject, predicate, value in triples:
            count += 1
            self._subjects.add(subject)
            self._objects.add(value)
            self.properties.note(predicate)
            if predicate == TYPE and value.startswith("<"):
                self.classes.note(value)
            elif subject.startswith("<http") and value.startswith("<http"):
                self._note_link(host_of(subject[1:-1]), host_of(value[1:-1]))
        self.triples += count
        return count

    def _note_link(self, here: str, there: str) -> None:
        if here != there:
            self.links.note(f"{here} {there}")


DOCUMENTS = """SELECT {graph} FROM outcomes o JOIN urls u ON u.id = o.candidate
  WHERE EXISTS (SELECT 1 FROM statements s WHERE s.id BETWEEN 8 * o.step AND 8 * o.step + 7)
    AND NOT EXISTS (SELECT 1 FROM outcomes later WHERE later.candidate = o.candidate AND later.step > o.step)"""


def host_of(url: str) -> str:
    """Scheme and authority; '' if there is none.

    >>> host_of("http://a.example/x")
    'http://a.example'
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""
