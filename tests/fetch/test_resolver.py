"""A name is looked up once for its turn and its connection, and what is slow or wrong with one harms no other."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

from sundog.fetch import resolver as module
from sundog.fetch.resolver import MOST_ADDRESSES, CheckedResolver, PrivateAddressError

LOOPBACK = ["127.0.0.1"]


def resolver(look_up: Any, *, allow_private: bool = True) -> CheckedResolver:
    return CheckedResolver(look_up, allow_private=allow_private)


def test_a_name_is_looked_up_once_by_all_who_ask() -> None:
    asked: list[str] = []

    def look_up(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.2", "127.0.0.1"]

    async def run() -> None:
        names = resolver(look_up)
        assert names.known("a.example") is None
        found = await asyncio.gather(*(names.find("a.example") for _ in range(5)))
        assert {each.counted for each in found} == {("127.0.0.1", "127.0.0.2")}
        connected = await names.resolve("a.example", 80)
        assert [each["host"] for each in connected] == ["127.0.0.2", "127.0.0.1"]
        assert (asked, names.first_address("a.example")) == (["a.example"], "127.0.0.2")

    asyncio.run(run())


def test_what_got_its_turn_at_the_last_moment_connects_there(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([["127.0.0.1"], ["127.0.0.2"]])

    async def run() -> None:
        names = resolver(lambda host, port: next(answers))
        await names.find("a.example")
        monkeypatch.setattr(module, "KEPT_FOR", 0.0)
        assert names.known("a.example") is None, "the next turn needs another look-up"
        assert [each["host"] for each in await names.resolve("a.example", 80)] == ["127.0.0.1"]
        assert (names.moves_of("a.example"), (await names.find("a.example")).counted) == (0, ("127.0.0.2",))
        assert names.moves_of("a.example") == 1

    asyncio.run(run())


def test_a_failure_ahead_of_time_is_told_once() -> None:
    asked: list[str] = []

    def look_up(host: str, port: int) -> list[str]:
        asked.append(host)
        raise OSError("no such name")

    async def run() -> None:
        names = resolver(look_up)
        for _ in range(2):
            with pytest.raises(OSError, match="no such name"):
                await names.find("a.example")
        assert len(asked) == 2
        names.note_failure("a.example", OSError("as before"))
        assert names.has_failed("a.example")
        with pytest.raises(OSError, match="as before"):
            await names.find("a.example")
        assert (len(asked), names.has_failed("a.example")) == (2, False)

    asyncio.run(run())


@pytest.mark.parametrize("error", [UnicodeError("label too long"), ValueError("what?"), OSError("no such name")])
def test_every_failure_is_an_os_error(error: Exception) -> None:
    def look_up(host: str, port: int) -> list[str]:
        raise error

    async def run() -> None:
        with pytest.raises(OSError, match=r"name|look-up"):
            await resolver(look_up).find("a.example")

    asyncio.run(run())


def test_endless_addresses_are_cut_after_all_were_checked() -> None:
    public = [f"93.184.215.{number}" for number in range(200)]

    async def run() -> None:
        found = await resolver(lambda host, port: public, allow_private=False).find("a.example")
        assert len(found.addresses) == len(found.counted) == MOST_ADDRESSES
        with pytest.raises(PrivateAddressError):
            await resolver(lambda host, port: [*public, "10.0.0.1"], allow_private=False).find("a.example")

    asyncio.run(run())


def test_slow_names_do_not_keep_others_waiting() -> None:
    end = threading.Event()

    def look_up(host: str, port: int) -> list[str]:
        if host.startswith("slow"):
            end.wait(30)
        return LOOPBACK

    async def run() -> None:
        names = resolver(look_up)
        slow = [asyncio.create_task(names.find(f"slow{number}.example")) for number in range(100)]
        await asyncio.sleep(0)
        await asyncio.wait_for(names.find("quick.example"), 20)
        assert not any(task.done() for task in slow)
        await names.close()
        await asyncio.gather(*slow, return_exceptions=True)

    try:
        asyncio.run(run())
    finally:
        end.set()


def test_a_look_up_that_hangs_does_not_keep_the_process_from_its_end() -> None:
    program = """
import asyncio, time
from sundog.fetch.resolver import CheckedResolver
async def run():
    names = CheckedResolver(lambda host, port: time.sleep(60), allow_private=True)
    try:
        async with asyncio.timeout(0.2):
            await names.find("a.example")
    except TimeoutError:
        print("given up")
    await names.close()
asyncio.run(run())
"""
    began = time.monotonic()
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=50)
    assert (done.stdout, done.stderr, done.returncode) == ("given up\n", "", 0)
    assert time.monotonic() - began < 45
