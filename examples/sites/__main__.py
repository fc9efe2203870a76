"""``python -m examples.sites``: serve the three sites until it is stopped. The first line printed is the port."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal

from aiohttp import web

from .server import application


async def serve(port: int, *, large: bool) -> None:
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for sign in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(sign, stop.set)
    runner = web.AppRunner(application(large=large), access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", port).start()
    except OSError as error:
        raise SystemExit(f"port {port} cannot be used: {os.strerror(error.errno or 0)}; try --port 0") from None
    except OverflowError:
        raise SystemExit(f"there is no port {port}; try --port 0") from None
    print(runner.addresses[0][1], flush=True)
    await stop.wait()
    await runner.cleanup()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m examples.sites", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--large", action="store_true", help="2,065 cities, and a user with 80 friends")
    given = parser.parse_args()
    asyncio.run(serve(given.port, large=given.large))


if __name__ == "__main__":
    main()
