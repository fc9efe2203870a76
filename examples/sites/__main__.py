"""``python -m examples.sites``: serve the three sites until it is stopped. The first line printed is the port."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal

from aiohttp import web

from .server import application


async def serve(port: int) -> None:
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for sign in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(sign, stop.set)
    runner = web.AppRunner(application(), access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", port).start()
    except OSError as error:
        raise SystemExit(f"port {port} cannot be used: {os.strerror(error.errno or 0)}; try --port 0") from None
    print(runner.addresses[0][1], flush=True)
    await stop.wait()
    await runner.cleanup()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m examples.sites", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    asyncio.run(serve(parser.parse_args().port))


if __name__ == "__main__":
    main()
