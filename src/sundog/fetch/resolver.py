"""Names to addresses, each checked: connections go to the very addresses that were found public, and counted.

Look-ups come before a request's turn, because the turn goes by address. What was found is kept for a while;
aiohttp keeps nothing of its own, so what it connects to is what the request was counted at.
"""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from aiohttp.abc import AbstractResolver, ResolveResult

from sundog.fetch.addresses import counted_as, is_public

LookUp = Callable[[str, int], list[str]]
MOST_LOOK_UPS = 128  # at once, each in a thread: one slow name server stalls many
MOST_REMEMBERED = 100_000
MOST_ADDRESSES = 8  # of one name; others are not connected to, so they need not be counted
KEPT_FOR = 300.0  # seconds until a name is looked up again
CONNECT_WITHIN = 60.0  # seconds more for a request that got its turn at the last moment, and connects now
FAILURE_KEPT_FOR = 10.0  # seconds in which whoever asks next learns of a failure, unless somebody has


class PrivateAddressError(OSError):
    """A name leads to an address that is not public."""


class Found(NamedTuple):
    """What a name leads to; ``counted`` are the addresses as politeness counts them, and ``moves`` says how often
    they have changed."""

    at: float
    addresses: tuple[str, ...]
    counted: tuple[str, ...]
    moves: int


def system_addresses(host: str, port: int) -> list[str]:
    """What the system's resolver answers, each address once."""
    answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
    return list(dict.fromkeys(str(answer[4][0]) for answer in answers))


class CheckedResolver(AbstractResolver):
    """aiohttp connects to what this answers and to nothing else, so a name cannot change between check and use.

    A name with one private address is refused altogether: no honest site mixes them.
    """

    def __init__(self, look_up: LookUp, *, allow_private: bool) -> None:
        self._look_up = look_up
        self._allow_private = allow_private
        self._places = asyncio.Semaphore(MOST_LOOK_UPS)
        self._found: dict[str, Found] = {}  # the oldest first
        self._failed: dict[str, tuple[float, OSError]] = {}
        self._under_way: dict[str, asyncio.Task[Found]] = {}

    def known(self, host: str) -> Found | None:
        """What was found a short while ago."""
        found = self._found.get(host)
        return found if found is not None and time.monotonic() < found.at + KEPT_FOR else None

    def first_address(self, host: str) -> str:
        """As last looked up; empty if it was not."""
        found = self._found.get(host)
        return found.addresses[0] if found is not None else ""

    def moves_of(self, host: str) -> int:
        """How often the name has led elsewhere than before."""
        found = self._found.get(host)
        return found.moves if found is not None else 0

    def has_failed(self, host: str) -> bool:
        """Whether the last look-up was in vain, and nobody knows yet."""
        failure = self._failed.get(host)
        return failure is not None and time.monotonic() < failure[0] + FAILURE_KEPT_FOR

    async def find(self, host: str, port: int = 0, *, connects: bool = False) -> Found:
        """What is known, or else a look-up, one at a time of a name; raises OSError. A failure is told once.

        ``connects``: what was known a moment ago will do.
        """
        found = self._found.get(host)
        if found is not None and time.monotonic() < found.at + KEPT_FOR + CONNECT_WITHIN * connects:
            return found
        if self.has_failed(host):
            raise self._failed.pop(host)[1]
        task = self._under_way.get(host)
        if task is None:
            task = self._under_way[host] = asyncio.create_task(self._find(host, port))
            task.add_done_callback(lambda done: self._has_ended(host, done))
        return await asyncio.shield(task)

    def note_failure(self, host: str, error: OSError) -> None:
        """Let the next who asks know of it at once."""
        self._failed.pop(host, None)
        self._failed[host] = (time.monotonic(), error)
        _forget_oldest(self._failed)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Of a request that waited for its turn the name is known, and nothing is awaited here."""
        found = await self.find(host, port, connects=True)
        return [_result(host, address, port) for address in found.addresses]

    async def close(self) -> None:
        """Nobody waits for a look-up any more; its thread ends by itself."""
        for task in list(self._under_way.values()):
            task.cancel()

    async def _find(self, host: str, port: int) -> Found:
        addresses = await self._ask(host, port)
        self._check(host, addresses)
        addresses = addresses[:MOST_ADDRESSES]
        counted = tuple(sorted(set(map(counted_as, addresses))))
        before = self._found.pop(host, None)
        moves = before.moves + (before.counted != counted) if before else 0
        found = self._found[host] = Found(time.monotonic(), tuple(addresses), counted, moves)
        _forget_oldest(self._found)
        return found

    async def _ask(self, host: str, port: int) -> list[str]:
        """In a thread that holds its place until it ends, and that nobody waits for when the process ends."""
        await self._places.acquire()
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[list[str]] = loop.create_future()

        def tell(addresses: list[str], error: Exception | None) -> None:
            self._places.release()
            if answer.cancelled():
                return
            if error is None:
                answer.set_result(addresses)
            else:
                answer.set_exception(error)

        def ask() -> None:
            addresses, failure = [], None
            try:
                addresses = self._look_up(host, port)
            except UnicodeError:  # labels that are empty or too long
                failure = OSError(f"no possible name: {host}")
            except Exception as error:
                failure = error if isinstance(error, OSError) else OSError(f"no look-up of {host}: {error!r}")
            with suppress(RuntimeError):  # the loop is closed, and nobody wants to know
                loop.call_soon_threadsafe(tell, addresses, failure)

        threading.Thread(target=ask, name="look-up", daemon=True).start()
        return await answer

    def _has_ended(self, host: str, task: asyncio.Task[Found]) -> None:
        del self._under_way[host]
        if not task.cancelled():
            task.exception()  # whoever waited has it; if nobody did, it is no error

    def _check(self, host: str, addresses: list[str]) -> None:
        if not addresses:
            raise OSError(f"no address of {host}")
        if not self._allow_private:
            for address in addresses:
                if not is_public(address):
                    raise PrivateAddressError(f"{host} leads to {address}")


def _forget_oldest(remembered: dict[str, Any]) -> None:
    if len(remembered) > MOST_REMEMBERED:
        del remembered[next(iter(remembered))]


def _result(host: str, address: str, port: int) -> ResolveResult:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    numeric = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV
    return ResolveResult(hostname=host, host=address, port=port, family=family, proto=0, flags=numeric)
