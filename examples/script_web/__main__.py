"""``python -m examples.script_web``: serves until it is stopped; prints where it is and with what it begins."""

from __future__ import annotations

import argparse
import threading

from examples.script_web.serving import serving
from examples.script_web.sites import KINDS


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m examples.script_web")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--sites", default=" ".join(f"{kind}=1" for kind in KINDS), help="of each kind")
    parser.add_argument("--items", type=int, default=12, help="of a site")
    parser.add_argument("--articles", type=int, default=6, help="of a site")
    parser.add_argument("--filler", type=int, default=0, help="bytes of text and markup in each page")
    given = parser.parse_args()
    kinds = {kind: int(number) for kind, _, number in (each.partition("=") for each in given.sites.split())}
    sizes = {"items": given.items, "articles": given.articles, "filler": given.filler}
    with serving(kinds, port=given.port, **sizes) as web:
        print(web.connect_to, *web.seeds, sep="\n", flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
