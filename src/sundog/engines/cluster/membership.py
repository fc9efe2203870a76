"""A shard's place among the others, as its crawl sees it: parcels, orders and lessons come in, and are committed.

Messages come in Ray's thread and are put into a box; the crawl's thread empties it once a round.
"""

from __future__ import annotations

import asyncio
import math
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
import orjson

from sundog.completeness.left import LeftByHost
from sundog.engines.cluster.address_slots import SharedAddressPace, Slice
from sundog.engines.cluster.messages import Lesson, Order, Parcel, Row, Statement, seconds_a_round
from sundog.engines.cluster.outbox import LEASE, TAKEN, TAUGHT
from sundog.engines.live.company import OneShard
from sundog.engines.live.page_failures import StageError
from sundog.engines.live.rounds.round import RoundRequest
from sundog.fetch.address_pace import AddressPace
from sundog.learn.sharing import Learned
from sundog.model import BUDGET_SPENT, Link, Outlook
from sundog.sharding.budget import NO_PAGES, Amounts, Lease, Report
from sundog.sharding.ownership import Owners
from sundog.store import CrawlStore
from sundog.store.shards import LOG_ID

Answer = Callable[[int], None]
Stated = Callable[[Statement | None], None]
ONE_PAGE = Outlook(np.zeros(1), np.ones(1, np.int64), np.ones(1, np.int64), np.full(1, np.inf))


class Standing(NamedTuple):
    """What the crawl's thread last said of itself."""

    lease: Lease = Lease()  # committed
    used: Amounts = Amounts()
    outlook: Outlook = NO_PAGES
    capacity: int = 0
    rest: str = ""
    received: int = 0
    taught: int = 0
    log: str = ""
    before: int = 0  # spent before the round

    @property
    def budget(self) -> Report:
        """Who has nothing to fetch, for whatever reason, needs nothing; who would if it might, needs some."""
        outlook = self.outlook if self.rest in ("", BUDGET_SPENT) else NO_PAGES
        if self.rest == BUDGET_SPENT and not outlook.total:
            outlook = ONE_PAGE  # they have come since it looked
        return Report(self.lease, self.used, outlook, self.capacity)


class Leased(NamedTuple):
    """A lease as it is kept: in a round it counts from the round's beginning, up to which ``before`` was spent."""

    lease: Lease = Lease()
    round: int = 0  # 0: none, it counts from the beginning of all
    before: int = 0

    def from_now_on(self, number: int, used: Amounts) -> Leased:
        """In another round, or in none any more: what was leased and not used is void.

        >>> Leased(Lease(1, 5, Amounts(100))).from_now_on(1, Amounts(60))
        Leased(lease=Lease(pool=1, version=6, most=Amounts(fetches=0, bytes=0)), round=1, before=60)
        >>> Leased(Lease(2, 8, Amounts(10)), 1, 60).from_now_on(0, Amounts(70)).lease.most.fetches
        70
        """
        before = used.fetches if number else 0
        most = used._replace(fetches=used.fetches - before)
        return Leased(Lease(self.lease.pool, self.lease.version + 1, most), number, before)


class Membership:
    """The company of shard ``number``."""

    def __init__(
        self, number: int, owners: Owners, budget: int, incarnation: str = "", round: RoundRequest | None = None
    ) -> None:
        """``budget``: of the whole crawl, or of the round."""
        self._number, self._owners, self._budget, self._incarnation = number, owners, budget, incarnation
        self.round = round
        self._box: deque[tuple[Parcel, Answer] | tuple[Lesson, Stated] | Order] = deque()
        self._unanswered: list[tuple[Parcel, Answer]] = []
        self._to_state: list[tuple[Lesson, Stated]] = []
        self._taken: dict[str, int] = {}
        self._received = self._taught = self._statement = self._lesson = 0
        self._told: Learned | None = None  # what was learned here, as of the last statement
        self._live: OneShard | None = None
        self._is_asked = True  # for a look at what waits
        self._wake: Callable[[], object] = lambda: None
        self._guard = Lock()
        self._leased = Leased()
        self.standing = Standing()
        self.seed_trouble = ""
        self.addresses: SharedAddressPace | None = None

    # -- from Ray's thread -----------------------------------------------------------------------------

    def put(self, message: tuple[Parcel, Answer] | tuple[Lesson, Stated] | Order) -> None:
        self._box.append(message)
        with self._guard:
            self._wake()

    def look(self) -> Standing:
        """The crawl's thread looks again soon."""
        self._is_asked = True
        return self.standing

    @property
    def is_running(self) -> bool:
        return self._live is not None

    @property
    def left(self) -> LeftByHost | None:
        """In all; None: nobody has looked so far."""
        told = None if self._live is None else self._live.left.told
        return None if told is None else told.without_hosts

    @property
    def unread(self) -> int:
        """Parcels."""
        waiting = [message for message in list(self._box) if not isinstance(message, Order)]
        return len(self._unanswered) + sum(isinstance(message[0], Parcel) for message in waiting)

    def grant(self, slices: Mapping[str, Slice]) -> None:
        """Of time, in which addresses may be asked."""
        if self.addresses is not None and slices:
            self.addresses.take(slices, time.time())
            with self._guard:
                self._wake()

    def closed(self) -> None:
        """The crawl has ended: there is nobody to wake any more, and nothing more to be said."""
        with self._guard:
            self._wake = lambda: None
        waiting: list[Any] = [*self._to_state, *self._box]
        for message in waiting:
            if isinstance(message[0], Lesson):
                message[1](None)

    # -- from the crawl's thread -----------------------------------------------------------------------

    @property
    def lease(self) -> Lease:
        """With what it had spent before the round: so a crawl counts."""
        lease, before = self._leased.lease, self._leased.before
        return lease._replace(most=lease.most._replace(fetches=lease.most.fetches + before)) if before else lease

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
            match self._box.popleft():
                case Order() as order:
                    self._obey(order, live)
                case Lesson() as lesson, state:
                    self._learn(lesson, state, live)
                case Parcel() as parcel, answer:
                    self._take(parcel, answer, live)

    def committed(self) -> None:
        answered, self._unanswered = self._unanswered, []
        for parcel, answer in answered:
            answer(self._taken.get(parcel.log, 0))
        asked, self._to_state = self._to_state, []
        for lesson, state in asked:
            state(self._state(lesson))
        self.standing = self.standing._replace(lease=self._leased.lease, taught=self._taught)

    def rests(self, reason: str) -> None:
        live = self._live
        if live is None:
            return
        if self._is_asked or reason != self.standing.rest:
            self._is_asked = False
            capacity = math.ceil(live.capacity * seconds_a_round(self._owners.shards))  # until the next report
            self.standing = self.standing._replace(outlook=live.journal.outlook(), capacity=capacity)
        self.standing = self.standing._replace(rest=reason, used=self._used(live), received=self._received)

    def _begin(self, live: OneShard) -> None:
        store = live.journal.store
        self._taken, self._taught = store.state(TAKEN, {}), store.state(TAUGHT, 0)
        self._leased = leased_in(store.state(LEASE, 0))
        number = (self.round.number or 0) if self.round is not None else 0
        if number != self._leased.round:
            self._hold(self._leased.from_now_on(number, live.used), store)
        log = store.state(LOG_ID)
        if log is None:
            log = secrets.token_hex(8)
            store.save(LOG_ID, log)
        store.commit()
        self._plan_for(self._budget, live)
        loop = asyncio.get_running_loop()
        with self._guard:
            self._wake = partial(_wake, loop, live.wake)
        self.standing = Standing(
            self._leased.lease, self._used(live), taught=self._taught, log=log, before=self._leased.before
        )
        self._live = live

    def _obey(self, order: Order, live: OneShard) -> None:
        if order.stop:
            live.stop(order.stop)
        lease = self._leased.lease.obeying(order.pool)
        if order.grant is not None:
            lease = lease.after(order.grant)
        if order.gives_back:
            lease = lease.lowered(self._used(live))
        if lease != self._leased.lease:
            self._hold(self._leased._replace(lease=lease), live.journal.store)
        if order.horizon:
            self._plan_for(max(order.horizon, lease.most.fetches + 1), live)
        live.commit_soon()

    def _hold(self, leased: Leased, store: CrawlStore) -> None:
        self._leased = leased
        store.save(LEASE, [*leased.lease[:2], *leased.lease.most, leased.round, leased.before])

    def _used(self, live: OneShard) -> Amounts:
        used = live.used
        return used._replace(fetches=used.fetches - self._leased.before)

    def _plan_for(self, horizon: int, live: OneShard) -> None:
        """The policy weighs exploration by what is left. To it that is what the whole crawl has left: who finds
        more gets more. A small change is not worth a line in the log."""
        horizon, planned = horizon + self._leased.before, live.journal.session.budget
        if horizon > planned or horizon < 0.9 * planned:
            live.journal.extend(horizon)

    def _take(self, parcel: Parcel, answer: Answer, live: OneShard) -> None:
        """Each step of a sender is taken once; a gap is not taken at all, and the sender begins where we are."""
        taken = self._taken.get(parcel.log, 0)
        if parcel.through > taken >= parcel.since:
            rows: list[Row] = [row for row in orjson.loads(parcel.rows) if row[0] > taken]
            links = [Link(row[2], row[3], row[4], score=row[5], group=row[6]) for row in rows]
            with _noted(live):
                live.journal.receive(parcel.sender, parcel.through, links, [row[1] for row in rows])
            self._taken[parcel.log] = parcel.through
            self._received += len(rows)
            live.journal.store.save(TAKEN, self._taken)
        self._unanswered.append((parcel, answer))
        live.commit_soon()

    def _learn(self, lesson: Lesson, state: Stated, live: OneShard) -> None:
        """A lesson is for a shard that has taken in just so many."""
        if not live.journal.session.shares_learning:
            state(None)
            return
        if lesson.delta is not None and lesson.version == self._taught:
            with _noted(live):
                live.journal.take_in_learning(lesson.delta)
            self._taught, self._lesson = self._taught + 1, lesson.number
            live.journal.store.save(TAUGHT, self._taught)
        self._to_state.append((lesson, state))
        live.commit_soon()

    def _state(self, lesson: Lesson) -> Statement | None:
        """What the session knows now is what is committed."""
        if self._live is None:
            return None
        session = self._live.journal.session
        learned = session.learned()
        is_all = self._told is None or lesson.heard != self._statement
        own = learned.since(None if is_all else self._told)
        self._told, self._statement = learned, self._statement + 1
        taken = session.learned_by_others() if is_all else None
        return Statement(self._incarnation, self._statement, own, self._taught, self._lesson, taken)


def _wake(loop: asyncio.AbstractEventLoop, wake: Callable[[], object]) -> None:
    """In the loop's own thread; a loop that is closed has nobody to wake."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(wake)


@contextmanager
def _noted(live: OneShard) -> Iterator[None]:
    """What goes wrong with a message is the shard's failure, and in its errors.log."""
    try:
        yield
    except StageError as error:
        live.journal.errors.write("", error)
        raise


def leased_in(state: Any) -> Leased:
    """As it was saved; a crawl of an earlier version has saved a number of fetches, or nothing of rounds."""
    if isinstance(state, int):
        return Leased(Lease(most=Amounts(state)))
    pool, version, fetches, size, *of_round = state
    return Leased(Lease(pool, version, Amounts(fetches, size)), *of_round)
