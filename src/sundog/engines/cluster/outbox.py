"""Links to hosts of other shards, on their way.

The outbox is a table of the shard's own database, ``foreign_links``: a page's links to others are committed with
the page. What is sent is read from there, so nothing that could still be lost is ever sent, and nothing is lost
that was not sent. How far a receiver is, it says itself: every answer is the step up to which it has committed. So
a sender remembers nothing, and a receiver that lost its disk gets all of it again.
"""

from __future__ import annotations

import sqlite3
from collections import deque
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import orjson

from sundog.engines.cluster.messages import Parcel, Row
from sundog.sharding.ownership import Owners
from sundog.store import open_readonly
from sundog.store.database import CHOSEN, as_ids
from sundog.store.events import unpacked_links
from sundog.store.shards import LOG_ID

LINKS_A_PARCEL = 1_000
PAGES_AT_ONCE = 500
ROWS = "SELECT step, links FROM foreign_links WHERE step > ? AND step <= ? ORDER BY step LIMIT ?"
LAST = "SELECT coalesce(max(step), 0) FROM foreign_links"
URLS = f"SELECT id, url, depth FROM urls WHERE id IN {CHOSEN}"
MOST = 1 << 62
# Names of states of a shard's database, and what they say:
TAKEN = "taken"  # by the log of a sender: the step up to which all that it sent is in ours
LEASE = "lease"  # what this shard may spend: pool, version, fetches, bytes; in which round, and spent before
TAUGHT = "taught"  # how often it has taken in what others have learned


class Outbox:
    """Reads the log of shard ``number`` while that is written."""

    def __init__(self, directory: Path, number: int, owners: Owners) -> None:
        self._number, self._owners = number, owners
        self._reader = open_readonly(directory)
        self._log: str = self._reader.state(LOG_ID)
        self._read = 0  # the step up to which the log was read
        self._taken: dict[int, int] = {}  # by receiver: what it has committed, as far as it said
        self._waiting: dict[int, deque[Row]] = {}  # by receiver, in the order of steps
        self.sent = 0

    def close(self) -> None:
        self._reader.close()

    @property
    def pending(self) -> int:
        return sum(map(len, self._waiting.values()))

    def question(self) -> Parcel:
        """An empty one: the answer says how far the receiver is."""
        return Parcel(self._number, self._log, 0, 0, b"[]")

    def has_mail_for(self, receiver: int) -> bool:
        """Something waits, or nobody knows."""
        return bool(self._waiting.get(receiver)) or receiver not in self._taken

    def knows(self, receiver: int) -> bool:
        return receiver in self._taken

    def begin(self, taken: dict[int, int]) -> None:
        """These receivers have said how far they are; what all of them have is not read again."""
        self._taken |= taken
        self._read = min(taken.values(), default=0)

    def collect(self) -> None:
        """What was committed since the last time."""
        last = int(self._reader.connection.execute(LAST).fetchone()[0])
        while self._read < last:
            rows, self._read = self._rows(self._read, last)
            for row in rows:
                owner = self._owners.of(row[2])
                if owner != self._number and row[0] > self._taken.get(owner, MOST):
                    self._waiting.setdefault(owner, deque()).append(row)

    def parcel(self, receiver: int) -> Parcel | None:
        """The next one; whole steps, so that a step says how far a receiver is."""
        waiting = self._waiting.get(receiver)
        if not waiting:
            return None
        rows: list[Row] = []
        for _, of_step in groupby(waiting, itemgetter(0)):
            if len(rows) >= LINKS_A_PARCEL:
                break
            rows += of_step
        return Parcel(self._number, self._log, self._taken[receiver], rows[-1][0], orjson.dumps(rows))

    def took(self, receiver: int, through: int) -> None:
        """The receiver has committed all up to this step; if it once had more, it gets the rest again."""
        if through < self._taken.get(receiver, self._read):
            self._waiting[receiver] = deque(self._again(receiver, through))
        self._taken[receiver] = through
        waiting = self._waiting.get(receiver, deque())
        while waiting and waiting[0][0] <= through:
            waiting.popleft()
            self.sent += 1

    def _again(self, receiver: int, after: int) -> list[Row]:
        found: list[Row] = []
        while after < self._read:
            rows, after = self._rows(after, self._read)
            found += [row for row in rows if self._owners.of(row[2]) == receiver]
        return found

    def _rows(self, after: int, last: int) -> tuple[list[Row], int]:
        """Links of some steps, and the step up to which these are all."""
        connection: sqlite3.Connection = self._reader.connection
        steps = connection.execute(ROWS, (after, last, PAGES_AT_ONCE)).fetchall()
        batches = [(step, unpacked_links(links)) for step, links in steps]
        ids = [number for _, batch in batches for number in batch.targets.tolist()]
        texts = [number for _, batch in batches for number in (*batch.anchors.tolist(), *batch.paths.tolist())]
        url = {number: (url, depth) for number, url, depth in connection.execute(URLS, (as_ids(ids),))}
        text = self._reader.texts_of(texts)
        rows: list[Row] = []
        for step, batch in batches:
            count = len(batch.targets)
            scores = batch.scores.tolist() if len(batch.scores) else [0.0] * count
            groups = batch.groups.tolist() if len(batch.groups) else [0] * count
            columns = (batch.targets.tolist(), batch.anchors.tolist(), batch.paths.tolist(), scores, groups)
            for target, anchor, path, score, group in zip(*columns, strict=True):
                name, depth = url[target]
                rows.append((step, depth, name, text.get(anchor, ""), text.get(path, ""), score, group))
        return rows, batches[-1][0] if len(batches) == PAGES_AT_ONCE else last
