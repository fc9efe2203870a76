"""``python -m examples.script_web``: serves until it is stopped; prints where it is and with what it begins."""

from __future__ import annotations

import argparse
import threading

from examples.script_web.serving import serving
from examples.script_web.sites import KINDS


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m examples.script_web")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--items", type=int, default=12, help="of a site")
    parser.add_argument("--each", type=int, default=1, help="sites of each kind")
    given = parser.parse_args()
    with serving(dict.fromkeys(KINDS, given.each), items=given.items, port=given.port) as web:
        print(web.connect_to, *web.seeds, sep="\n", flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
