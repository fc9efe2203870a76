"""How long a user waits: help, the first run with its compilation, later runs, the first request of a crawl."""

from __future__ import annotations

import subprocess
import tempfile
import time
from pathlib import Path

from benchmarks.common import SUNDOG, environment, print_table, world
from sundog.demo_web.serving import serving


def seconds(command: list[object], cache: Path) -> float:
    begun = time.perf_counter()
    subprocess.run(
        list(map(str, command)), check=True, capture_output=True, env=environment(XDG_CACHE_HOME=str(cache))
    )
    return time.perf_counter() - begun


def first_requests(cache: Path) -> tuple[float, float]:
    """Seconds from the command until the server of its seed is asked for robots.txt, and for the first page."""
    log = cache / "requests.log"
    with serving(pages=200, hosts=5, https=0.0, corners=False, log=log) as served:
        options = ["--budget", 5, "--delay", 0, "--connect-to", served.connect_to, "--out", cache / "crawl"]
        begun = time.monotonic()
        seconds([*SUNDOG, "crawl", served.seeds[0], *options], cache)
        time.sleep(1)  # until the log is complete
        asked = [request for request in served.requests() if request.at > begun]
    pages = [request for request in asked if request.target != "/robots.txt"]
    return asked[0].at - begun, pages[0].at - begun


def crawl_start() -> None:
    with tempfile.TemporaryDirectory() as cold, tempfile.TemporaryDirectory() as warm:
        first, first_page = first_requests(Path(cold))
        (Path(cold) / "sundog").rename(Path(warm) / "sundog")  # the kernels
        later, later_page = first_requests(Path(warm))
    rows = [
        ("first request, kernels compiled meanwhile", f"{first:.1f} s", "≤ 5 s"),
        ("first page", f"{first_page:.1f} s", ""),
        ("first request, later", f"{later:.1f} s", ""),
        ("first page, later", f"{later_page:.1f} s", ""),
    ]
    print_table("Start of `sundog crawl`", ("until", "measured", "limit"), rows)


def main() -> None:
    small = world("web2014", pages=2000, hosts=100)
    run = [*SUNDOG, "simulate", small, "--budget", 500, "--policy", "bfs,anthelion,sundog"]
    with tempfile.TemporaryDirectory() as cache:
        first = seconds(run, Path(cache))
        later = min(seconds(run, Path(cache)) for _ in range(3))
        help_ = min(seconds([*SUNDOG, "--help"], Path(cache)) for _ in range(5))
    rows = [
        ("`sundog --help`", f"{help_:.2f} s", "< .4 s"),
        ("first `simulate`, kernels compiled", f"{first:.1f} s ({first - later:.1f} s compiling)", "< 15 s"),
        ("later `simulate`, three policies", f"{later:.2f} s", "< 3 s"),
    ]
    print_table("Start", ("command", "measured", "limit"), rows)
    crawl_start()


if __name__ == "__main__":
    crawl_start()
