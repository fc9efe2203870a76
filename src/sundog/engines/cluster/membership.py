"""A shard's place among the others, as its crawl sees it: parcels and orders come in, and are committed.

Messages come in Ray's thread and are put into a box; the crawl's thread empties it once a round.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from threading import Lock
from typing import NamedTuple

import orjson

from sundog.engines.cluster.address_slots import SharedAddressPace, Slice
from sundog.engines.cluster.messages import Order, Parcel, Row
from sundog.engines.cluster.outbox import LEASE, LOG_ID, TAKEN
from sundog.engines.live.company import OneShard
from sundog.engines.live.page_failures import StageError
from sundog.fetch.address_pace import AddressPace
from sundog.model import Link
from sundog.sharding.ownership import Owners

Answer = Callable[[int], None]


class Standing(NamedTuple):
    """What the crawl's thread last said of itself."""

    order: int = 0
    lease: int = 0
    spent: int = 0
    rest: str = ""
    received: int = 0
    worth: float = 0.0


class Membership:
    """The company of shard ``number``."""

    def __init__(self, number: int, owners: Owners, budget: int) -> None:
        """``budget``: of the whole crawl."""
        self._number, self._owners, self._budget = number, owners, budget
        self._box: deque[tuple[Parcel, Answer] | Order] = deque()
        self._unanswered: list[tuple[Parcel, Answer]] = []
        self._taken: dict[str, int] = {}
        self._order = self._received = 0
        self._live: OneShard | None = None
        self._wake: Callable[[], object] = lambda: None
        self._guard = Lock()
        self.lease = 0
        self.standing = Standing()
        self.seed_trouble = ""
        self.addresses: SharedAddressPace | None = None

    # -- from Ray's thread -----------------------------------------------------------------------------

    def put(self, message: tuple[Parcel, Answer] | Order) -> None:
        self._box.append(message)
        with self._guard:
            self._wake()

    @property
    def is_running(self) -> bool:
        return self._live is not None

    @property
    def unread(self) -> int:
        return len(self._box) + len(self._unanswered)

    def grant(self, slices: Mapping[str, Slice]) -> None:
        """Of time, in which addresses may be asked."""
        if self.addresses is not None and slices:
            self.addresses.slices |= slices
            with self._guard:
                self._wake()

    def closed(self) -> None:
        """The crawl has ended: there is nobody to wake any more."""
        with self._guard:
            self._wake = lambda: None

    # -- from the crawl's thread -----------------------------------------------------------------------

    def owns(self, url_or_host: str) -> bool:
        return self._owners.of(url_or_host) == self._number

    def address_pace(self, gap: float, most: int) -> AddressPace:
        """Without a gap nobody has asked for politeness."""
        if not gap:
            return AddressPace(gap=gap, most=most)
        self.addresses = SharedAddressPace(gap=gap, most=most)
        return self.addresses

    def no_seed(self, reason: str) -> None:
        self.seed_trouble = reason

    def attend(self, live: OneShard) -> None:
        if self._live is None:
            self._begin(live)
        while self._box:
            message = self._box.popleft()
            if isinstance(message, Order):
                self._obey(message, live)
            else:
                self._take(*message, live)

    def committed(self) -> None:
        answered, self._unanswered = self._unanswered, []
        for parcel, answer in answered:
            answer(self._taken.get(parcel.log, 0))
        self.standing = self.standing._replace(order=self._order, lease=self.lease)

    def rests(self, reason: str) -> None:
        live = self._live
        if live is not None:
            self.standing = self.standing._replace(
                rest=reason, spent=int(live.spent), received=self._received, worth=live.worth
            )

    def _begin(self, live: OneShard) -> None:
        store = live.journal.store
        self._taken = store.state(TAKEN, {})
        self.lease = int(store.state(LEASE, 0))
        if store.state(LOG_ID) is None:
            store.save(LOG_ID, secrets.token_hex(8))
            store.commit()
        self._plan_for(self._budget, live)
        loop = asyncio.get_running_loop()
        with self._guard:
            self._wake = partial(loop.call_soon_threadsafe, live.wake)
        self.standing = self.standing._replace(lease=self.lease, spent=int(live.spent))
        self._live = live

    def _obey(self, order: Order, live: OneShard) -> None:
        self._order = order.number
        if order.stop:
            live.stop(order.stop)
        lease = max(order.lease, int(live.spent)) if order.lease < self.lease else order.lease
        if lease != self.lease:
            self.lease = lease
            live.journal.store.save(LEASE, lease)
        if order.horizon:
            self._plan_for(max(order.horizon, lease + 1), live)
        live.commit_soon()

    def _plan_for(self, horizon: int, live: OneShard) -> None:
        """The policy weighs exploration by what is left. To it that is what the whole crawl has left: who finds
        more gets more. A small change is not worth a line in the log."""
        before = live.journal.session.budget
        if horizon > before or horizon < 0.9 * before:
            live.journal.extend(horizon)

    def _take(self, parcel: Parcel, answer: Answer, live: OneShard) -> None:
        """Each step of a sender is taken once; a gap is not taken at all, and the sender begins where we are."""
        taken = self._taken.get(parcel.log, 0)
        if parcel.through > taken >= parcel.since:
            rows: list[Row] = [row for row in orjson.loads(parcel.rows) if row[0] > taken]
            links = [Link(row[2], row[3], row[4], score=row[5], group=row[6]) for row in rows]
            try:
                live.journal.receive(parcel.sender, parcel.through, links, [row[1] for row in rows])
            except StageError as error:
                live.journal.errors.write("", error)
                raise
            self._taken[parcel.log] = parcel.through
            self._received += len(rows)
            live.journal.store.save(TAKEN, self._taken)
        self._unanswered.append((parcel, answer))
        live.commit_soon()
