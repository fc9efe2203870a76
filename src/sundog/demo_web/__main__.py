"""``python -m sundog.demo_web``: serve a web until it is stopped. The first line printed is the port."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import signal
from pathlib import Path
from typing import TextIO

from sundog.demo_web.server import Server
from sundog.demo_web.web import Web

FLUSH = 0.5  # seconds between writes of the log


async def serve(server: Server, port: int, log: TextIO | None) -> None:
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for sign in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(sign, stop.set)
    try:
        await server.start(port)
    except OSError as error:
        raise SystemExit(f"port {port} cannot be used: {os.strerror(error.errno or 0)}; try --port 0") from None
    except OverflowError:
        raise SystemExit(f"there is no port {port}; try --port 0") from None
    print(server.port, flush=True)
    written = 0
    while not stop.is_set():
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), FLUSH)
        if log:
            written = write_log(server, log, written)


def write_log(server: Server, log: TextIO, written: int) -> int:
    """One line per request: seconds, status, host, target. Gives the number of requests written so far."""
    log.writelines(
        f"{request.at:.6f} {request.status} {request.host} {request.target}\n" for request in server.log[written:]
    )
    log.flush()
    return len(server.log)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m sundog.demo_web", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hosts", type=int, default=60)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--https", type=float, default=0.6, help="share of hosts whose URLs begin with https")
    parser.add_argument("--no-corners", action="store_true", help="nothing slow, broken, duplicate or without end")
    parser.add_argument("--log", type=Path, help="a file for one line per request: seconds, status, host, target")
    given = parser.parse_args()
    try:
        web = Web(given.seed, given.hosts, given.pages, https=given.https, corners=not given.no_corners)
        opened = given.log.open("w", encoding="utf-8") if given.log else contextlib.nullcontext()
    except ValueError as error:
        raise SystemExit(str(error)) from None
    except OSError as error:
        raise SystemExit(f"{given.log} cannot be written: {error.strerror}") from None
    with opened as log:
        asyncio.run(serve(Server(web), given.port, log))


if __name__ == "__main__":
    main()
