"""Names to addresses, each checked: connections go to the very addresses that were found public."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from aiohttp.abc import AbstractResolver, ResolveResult

from sundog.fetch.addresses import is_public

LookUp = Callable[[str, int], list[str]]
THREADS = 32  # look-ups at once; more than the event loop's own pool, for one slow name server stalls many
MOST_REMEMBERED = 100_000


class PrivateAddressError(OSError):
    """A name leads to an address that is not public."""


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
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="look-up")
        self._first_address: dict[str, str] = {}

    def address_of(self, host: str) -> str:
        """The first address of the host as last looked up; empty if it was not."""
        return self._first_address.get(host, "")

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        loop = asyncio.get_running_loop()
        try:
            addresses = await loop.run_in_executor(self._threads, self._look_up, host, port)
        except UnicodeError as error:  # labels that are empty or too long
            raise OSError(f"no possible name: {host}") from error
        self._check(host, addresses)
        if len(self._first_address) >= MOST_REMEMBERED:
            self._first_address.clear()
        self._first_address[host] = addresses[0]
        return [_result(host, address, port) for address in addresses]

    def _check(self, host: str, addresses: list[str]) -> None:
        if not addresses:
            raise OSError(f"no address of {host}")
        if not self._allow_private:
            for address in addresses:
                if not is_public(address):
                    raise PrivateAddressError(f"{host} leads to {address}")

    async def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


def _result(host: str, address: str, port: int) -> ResolveResult:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    numeric = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV
    return ResolveResult(hostname=host, host=address, port=port, family=family, proto=0, flags=numeric)
