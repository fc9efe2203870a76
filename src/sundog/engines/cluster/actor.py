"""A shard as an actor of Ray: the crawl runs in a thread of its own, and messages come and go in Ray's.

A restarted actor runs its constructor again and remembers nothing: the crawl comes back from its own log.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from sundog.engines.cluster.address_slots import LONG_SLICE, Slice, SlotBook
from sundog.engines.cluster.membership import Membership
from sundog.engines.cluster.messages import (
    Hello,
    Lesson,
    Order,
    Parcel,
    Report,
    Setup,
    Statement,
    installed_version,
)
from sundog.engines.cluster.outbox import Outbox
from sundog.engines.live.page_failures import ErrorLog, StageError
from sundog.engines.live.progress import Snapshot
from sundog.engines.live.run import crawl, resume
from sundog.engines.live.wiring import manners_of
from sundog.errors import SundogError
from sundog.files import write_whole
from sundog.sharding.ownership import Owners
from sundog.spec.crawl import parse_spec
from sundog.store import open_readonly
from sundog.store.directory import DATABASE, SPEC

T = TypeVar("T")
SECONDS_A_DELIVERY = 0.5  # between two looks into the outbox
CALLS_A_SECOND = 20  # that a shard makes to others: with many of them, deliveries are rarer and larger
SECONDS_AFTER_ERROR = 1.0
SECONDS_TO_ANSWER = 15.0  # after which another shard is asked again
SECONDS_FOR_THE_LOCK = 60.0  # that a process which was lost may take to let go of its directory


class ShardActor:
    """``start`` it with handles of all shards, then ask for a ``report`` once in a while."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._owners = Owners(setup.shards, setup.split)
        spec = parse_spec(setup.spec)
        self._incarnation = secrets.token_hex(6)
        budget = spec.fetches if setup.round is None else setup.round.budget
        self._membership = Membership(setup.number, self._owners, budget, self._incarnation, setup.round)
        manners = manners_of(spec)
        is_new = not (Path(setup.directory) / DATABASE).exists()  # else an earlier one may have granted slices
        began = time.time() - (2 * LONG_SLICE if is_new else 0.0)
        self._book = SlotBook(manners.address_gap, manners.address_concurrency, began)
        self._thread: threading.Thread | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._outbox: Outbox | None = None
        self._snapshot: Snapshot | None = None
        self._items_before: Counter[str] = Counter()
        self._summary: dict[str, Any] | None = None
        self._failure = ""

    async def hello(self) -> Hello:
        return Hello(installed_version(), os.uname().nodename, os.getpid(), self._incarnation)

    async def start(self, shards: list[Any]) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._crawl, name="crawl", daemon=True)
            self._thread.start()
            self._tasks = [asyncio.create_task(work(shards)) for work in (self._deliver, self._get_slots)]
            for task in self._tasks:
                task.add_done_callback(self._task_ended)

    async def receive(self, parcel: Parcel) -> int:
        """The step of the sender up to which all is committed here."""
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._membership.put((parcel, _settling(answer)))
        return await answer

    async def learn(self, lesson: Lesson) -> Statement | None:
        """Take in what others have learned; returns what was learned here, as of a commit; None: nothing is."""
        answer: asyncio.Future[Statement | None] = asyncio.get_running_loop().create_future()
        if lesson.incarnation != self._incarnation or self._summary is not None or self._failure:
            return None
        self._membership.put((lesson, _settling(answer)))
        return await answer

    async def slots(self, shard: int, wants: dict[str, int]) -> dict[str, Slice]:
        """Slices of time for addresses that are this shard's."""
        return self._book.grant(shard, wants, time.time())

    async def obey(self, order: Order) -> None:
        if order.incarnation == self._incarnation:
            self._membership.put(order)

    async def report(self) -> Report:
        unread = self._membership.unread
        standing, outbox = self._membership.look(), self._outbox
        return Report(
            incarnation=self._incarnation,
            budget=standing.budget,
            before=standing.before,
            log=standing.log,
            is_running=self._membership.is_running,
            rest=standing.rest if outbox is not None else "",
            received=standing.received,
            sent=outbox.sent if outbox else 0,
            pending=(outbox.pending if outbox else 0) + unread,
            taught=standing.taught,
            snapshot=self._snapshot,
            left=self._membership.left,
            items=self._items_before + Counter(self._snapshot.items if self._snapshot else {}),
            no_seed=self._membership.seed_trouble,
            failure=self._failure,
            summary=self._summary,
            node=os.uname().nodename,
            pid=os.getpid(),
            version=installed_version(),
        )

    # -- the crawl's thread ------------------------------------------------------------------------------

    def _crawl(self) -> None:
        directory = Path(self._setup.directory)
        try:
            self._summary = self._run(directory)
        except SundogError as error:
            self._failure = str(error)
        except BaseException as error:
            failed = StageError("loop", error if isinstance(error, Exception) else RuntimeError(repr(error)))
            if directory.is_dir():
                ErrorLog(directory).write("", failed)
            self._failure = f"{failed}; {directory}/errors.log has the traceback"
        finally:
            self._membership.closed()

    def _run(self, directory: Path) -> dict[str, Any]:
        until = time.monotonic() + SECONDS_FOR_THE_LOCK
        while True:
            try:
                return self._begin_or_go_on(directory)
            except SundogError as error:
                if "in use by another process" not in str(error) or time.monotonic() > until:
                    raise
            time.sleep(0.5)

    def _begin_or_go_on(self, directory: Path) -> dict[str, Any]:
        membership, watch = self._membership, self._watch
        if _has_crawl(directory):
            self._items_before = _items_in(directory)
            write_whole(
                directory / SPEC, self._setup.spec.encode()
            )  # that of the whole crawl may have been edited
            return resume(directory, watch=watch, tell=lambda _: None, company=membership)
        spec = parse_spec(self._setup.spec)
        with tempfile.TemporaryDirectory() as folder:
            for name, text in self._setup.files.items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return crawl(spec, directory, folder=folder, watch=watch, company=membership)

    def _watch(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def _task_ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self._failure = self._failure or f"it cannot speak with other shards: {error}"

    # -- deliveries --------------------------------------------------------------------------------------

    async def _deliver(self, shards: list[Any]) -> None:
        """Links to others, in batches; one call to a receiver at a time."""
        others = {number: shard for number, shard in enumerate(shards) if number != self._setup.number}
        pause = max(SECONDS_A_DELIVERY, len(others) / CALLS_A_SECOND)
        while not self._membership.is_running:
            await asyncio.sleep(0.1)
        outbox = Outbox(Path(self._setup.directory), self._setup.number, self._owners)
        question = outbox.question()
        answers = await asyncio.gather(
            *(_answer(shard.receive.remote(question)) for shard in others.values()), return_exceptions=True
        )
        outbox.begin(
            {number: found for number, found in zip(others, answers, strict=True) if isinstance(found, int)}
        )
        self._outbox = outbox
        on_the_way: dict[int, asyncio.Task[None]] = {}
        while self._thread is not None and self._thread.is_alive():
            outbox.collect()
            for number, shard in others.items():
                if (number not in on_the_way or on_the_way[number].done()) and outbox.has_mail_for(number):
                    on_the_way[number] = asyncio.create_task(self._deliver_to(outbox, number, shard))
            await asyncio.sleep(pause)
        outbox.close()

    async def _get_slots(self, shards: list[Any]) -> None:
        """From the first moment on: also robots.txt of its seeds is asked for by addresses.

        One call at a time to each shard that has addresses which are wanted. One that does not answer, because it
        was lost, must not keep the others from being asked.
        """
        pause = max(SECONDS_A_DELIVERY, len(shards) / CALLS_A_SECOND)
        asked: dict[int, asyncio.Task[None]] = {}
        while self._thread is not None and self._thread.is_alive():
            for owner, wants in self._wanted_slots().items():
                if owner not in asked or asked[owner].done():
                    asked[owner] = asyncio.create_task(self._ask_for_slots(owner, shards[owner], wants))
            self._book.forget(time.time())
            await asyncio.sleep(pause)

    def _wanted_slots(self) -> dict[int, dict[str, int]]:
        """By the shard that grants them."""
        by_owner: dict[int, dict[str, int]] = {}
        if (addresses := self._membership.addresses) is not None:
            for address, in_flight in addresses.wants(time.time()).items():
                by_owner.setdefault(self._owners.of_address(address), {})[address] = in_flight
        return by_owner

    async def _ask_for_slots(self, owner: int, shard: Any, wants: dict[str, int]) -> None:
        """Without an answer they are asked for later."""
        number = self._setup.number
        with suppress(Exception):  # as in ``_deliver_to``
            mine = owner == number
            granted = self.slots(number, wants) if mine else _answer(shard.slots.remote(number, wants))
            self._membership.grant(await granted)

    async def _deliver_to(self, outbox: Outbox, number: int, shard: Any) -> None:
        """All that waits for one receiver. One that cannot be reached gets it later."""
        try:
            if not outbox.knows(number):
                outbox.took(number, await _answer(shard.receive.remote(outbox.question())))
            while (parcel := outbox.parcel(number)) is not None:
                outbox.took(number, await _answer(shard.receive.remote(parcel)))
        except Exception:  # it has died, or is about to come back: Ray has many names for that
            await asyncio.sleep(SECONDS_AFTER_ERROR)


async def _answer(reference: Any) -> Any:
    """Of another shard. Calls to one that was lost may never end, and what is sent twice does no harm."""
    return await asyncio.wait_for(reference, SECONDS_TO_ANSWER)


def _settling(answer: asyncio.Future[T]) -> Callable[[T], None]:
    """Gives the answer from another thread, if somebody still waits for it."""
    loop = answer.get_loop()

    def settle(value: T) -> None:
        if not answer.done():
            answer.set_result(value)

    def answered(value: T) -> None:
        loop.call_soon_threadsafe(settle, value)

    return answered


def _items_in(directory: Path) -> Counter[str]:
    """That data patterns have found so far."""
    with open_readonly(directory) as reader:
        data = [each.name for each in parse_spec(reader.spec_text).patterns.data]
        found = reader.match_counts(data) if data else {}
    return Counter({name: found[name]["found"] for name in data})


def _has_crawl(directory: Path) -> bool:
    """One that was stopped before it began has an empty database, or none."""
    if not (directory / DATABASE).is_file():
        return False
    try:
        open_readonly(directory).close()
    except SundogError as error:
        if "stopped before it began" in str(error):
            return False
        raise
    return True
