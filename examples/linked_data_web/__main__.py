"""``python -m examples.linked_data_web``: serve a web of Linked Data until it is stopped. It prints its port."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
from pathlib import Path

from sundog.demo_web.__main__ import serve
from sundog.demo_web.server import Server

from .web import LinkedDataWeb


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m examples.linked_data_web", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--things", type=int, default=24, help="in each dataset")
    parser.add_argument("--log", type=Path, help="a file for one line per request: seconds, status, host, target")
    given = parser.parse_args()
    with given.log.open("w", encoding="utf-8") if given.log else contextlib.nullcontext() as log:
        asyncio.run(serve(Server(LinkedDataWeb(given.things)), given.port, log))


if __name__ == "__main__":
    main()
